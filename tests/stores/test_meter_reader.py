import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.identity import ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.meter_records import AwardHit, RoundSpan
from bridge.domain.money import Cents
from bridge.stores import meter_reader
from bridge.stores.meter_reader import MeterReader
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.migrate import METERS, migrations
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.stores.meters import PROGRESSIVE, ROYAL, TABLE, units, wagered, won

ROUNDS = RoundSpan(table=TABLE, first=RoundNumber(1), last=RoundNumber(1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.meters"


async def fill(path: Path) -> None:
    watched = replace(PROGRESSIVE, unreasonable_above=Cents(75))
    async with SqliteMeterStore.open(path, (watched,)) as store:
        await store.post(wagered(1, 1, 2))
        await store.post(wagered(2, 1, wager=50_000))
        await store.post(won(1, 2))


async def test_605a_7_meters_are_read_beside_the_worker_that_posts_to_them(path: Path) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        await store.post(wagered(1, 1))
        with MeterReader.open(path) as meters:
            assert meters.readings() == await store.readings()
            await store.post(wagered(2, 1))
            assert meters.readings()[0].exact == units("50,000.75")


async def test_what_is_on_record_is_read_and_no_byte_is_changed(path: Path) -> None:
    await fill(path)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with MeterReader.open(path) as meters:
        assert [posting.reason for posting in meters.postings(ROYAL, Timestamp(0))] == [
            "seed", "contribution", "contribution", "award",
        ]  # fmt: skip
        assert [record.award.amount for record in meters.award_records(ROYAL, ROUNDS)] == [5_000_150]
        assert meters.newest_awards(ROYAL, 3) == meters.award_records(ROYAL, ROUNDS)
        assert meters.postings_about(ROYAL, ROUNDS) == meters.postings(ROYAL, Timestamp(0))
        assert meters.last_posting(ROYAL) == meters.postings(ROYAL, Timestamp(0))[-1]
        assert meters.newest_answer(TABLE) == 10
        assert [held.amount for held in meters.held_contributions(ROYAL)] == [units("75")]
        assert [win.adds_up for win in meters.audit(ROYAL)] == [True]
        with pytest.raises(MeterStoreError, match="golden"):
            meters.audit(ProgressiveId("golden"))
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


async def test_awards_of_a_table_are_listed_as_their_records_have_them(path: Path) -> None:
    await fill(path)
    with MeterReader.open(path) as meters:
        (record,) = meters.award_records(ROYAL, ROUNDS)

        assert meters.awards_hit(record.award.table) == (AwardHit(award=record.award, hit_at=record.hit_at),)
        assert meters.awards_hit(TableId("another")) == ()


async def test_a_row_that_no_store_can_have_written_is_told_as_damage(path: Path) -> None:
    await fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript("PRAGMA ignore_check_constraints = ON; DROP TRIGGER postings_are_never_deleted")
        connection.execute("DELETE FROM postings WHERE award IS NOT NULL")
    with (
        pytest.raises(MeterStoreError, match="is damaged: a row of it does not make sense"),
        MeterReader.open(path),
    ):
        pytest.fail("opened")


async def test_a_meter_that_is_not_its_record_is_not_read_out(path: Path) -> None:
    await fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE progressives SET display = 1")
    with pytest.raises(MeterStoreError, match="is damaged"), MeterReader.open(path):
        pytest.fail("opened")


async def test_a_store_of_an_earlier_release_is_its_workers_to_bring_here(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(path)
    later = (*migrations(METERS), "")
    monkeypatch.setattr(meter_reader, "migrations", lambda _schema: later)
    with (
        pytest.raises(MeterStoreError, match="schema version 1, and this release reads 2; start its rules worker"),
        MeterReader.open(path),
    ):
        pytest.fail("opened")


def test_where_there_is_no_store_none_is_made(path: Path) -> None:
    with (
        pytest.raises(MeterStoreError, match=r"there are no meters .*t\.meters; has the rules worker"),
        MeterReader.open(path),
    ):
        pytest.fail("opened")
    assert not path.exists()
