"""What documents a table has is looked up in its files, while their owners go on, and not again without need."""

import asyncio
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.dashboard.documents import Archive, Listed, NothingThereError, NotReadableError, Shelf
from bridge.domain.events import GamingDayBegan
from bridge.stores.journal import JournalError
from bridge.stores.journal_files import finished_files
from bridge.stores.journal_reader import days_begun_in
from bridge.stores.meter_reader import MeterReader
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.processes.table import DEMONSTRATION
from tests.reports.days import DAY, NEXT_DAY, PlayedDays
from tests.stores.days import Writing, days_of_play
from tests.stores.meters import PROGRESSIVE, wagered, won


def shelf(storage: Path, table: str = "blackjack") -> Shelf:
    return Shelf(Archive(storage=storage).sources(load_table(DEMONSTRATION.with_name(f"{table}.toml"))))


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files of the journal are looked through, and each time that the meters are."""
    names: list[str] = []

    def noting(look: Callable[[Path], object]) -> Callable[[Path], object]:
        def noted(file: Path) -> object:
            names.append(file.name)
            return look(file)

        return noted

    monkeypatch.setattr("bridge.dashboard.documents.days_begun_in", noting(days_begun_in))
    monkeypatch.setattr(MeterReader, "open", noting(MeterReader.open))
    return names


def test_days_and_awards_are_listed_newest_first(blackjack: PlayedDays, blackjack_storage: Path) -> None:
    there = shelf(blackjack_storage)

    assert there.days() == (NEXT_DAY, DAY)
    assert [(one.award.round_number, one.award.position) for one in there.awards()] == [
        (one.award.round_number, one.award.position) for one in blackjack.books.awards[::-1]
    ]
    assert [one.hit_at for one in there.awards()] == [one.hit_at for one in blackjack.books.awards[::-1]]


def test_what_has_not_changed_is_not_looked_at_again(blackjack_storage: Path, looked_at: list[str]) -> None:
    there = shelf(blackjack_storage)
    first = there.days(), there.awards()
    (finished,) = finished_files(blackjack_storage / "bj-demo.journal")
    assert sorted(looked_at) == sorted([finished.name, "bj-demo.journal", "bj-demo.meters"])
    looked_at.clear()

    assert (there.days(), there.awards()) == first
    assert looked_at == []
    os.utime(blackjack_storage / "bj-demo.journal", ns=(1, 1))
    os.utime(blackjack_storage / "bj-demo.meters", ns=(1, 1))
    assert (there.days(), there.awards()) == first
    assert looked_at == ["bj-demo.journal", "bj-demo.meters"]


async def test_days_are_found_as_they_are_begun_by_a_daemon_that_goes_on(
    tmp_path: Path, looked_at: list[str]
) -> None:
    there, events = shelf(tmp_path), days_of_play(3)
    begun = [number for number, event in enumerate(events) if isinstance(event, GamingDayBegan)]
    days = [event.day for event in events if isinstance(event, GamingDayBegan)]
    async with SqliteJournal.open(tmp_path / "bj-demo.journal") as journal:
        writing = await Writing(journal).resume()
        assert there.days() == ()
        for number, (start, end) in enumerate(
            zip([0, *begun[1:]], [*begun[1:], len(events)], strict=True), start=1
        ):
            await writing.happen(events[start:end])
            assert there.days() == tuple(days[:number][::-1])
            looked_at.clear()
            assert there.days() == tuple(days[:number][::-1])
            assert looked_at == []


async def test_an_award_is_listed_while_the_rules_worker_goes_on(tmp_path: Path) -> None:
    there = shelf(tmp_path)
    async with SqliteMeterStore.open(tmp_path / "bj-demo.meters", (PROGRESSIVE,)) as store:
        await store.post(wagered(1, 1))
        assert there.awards() == ()
        claimed = won(2, 3)
        await store.post(replace(claimed, table=there._sources.table))

        assert [(one.award.round_number, one.award.position) for one in there.awards()] == [(2, 3)]


async def test_what_is_missing_is_said_and_the_rest_is_there(blackjack_storage: Path, tmp_path: Path) -> None:
    (blackjack_storage / "bj-demo.meters").unlink()
    told = await shelf(blackjack_storage).listed()
    assert (told.days, told.meters, told.awards) == ((NEXT_DAY, DAY), False, ())
    assert told.elsewhere == (f"There are no meters of this table in {blackjack_storage}.",)

    with pytest.raises(NothingThereError, match="no journal of this table"):
        shelf(tmp_path).days()
    assert len((await shelf(tmp_path).listed()).elsewhere) == 2
    # A table whose wagers feed no meter misses none.
    told = await shelf(tmp_path, "minibaccarat").listed()
    assert (told.elsewhere, told.meters) == ((f"There is no journal of this table in {tmp_path}.",), False)


async def test_a_damaged_file_is_told_and_the_rest_is_there(blackjack_storage: Path) -> None:
    for file in ("bj-demo.journal", "bj-demo.meters"):
        shutil.copy(blackjack_storage / file, blackjack_storage / f"{file}.kept")
    (blackjack_storage / "bj-demo.journal").write_bytes(b"\xff" * 4096)
    there = shelf(blackjack_storage)
    with pytest.raises(JournalError, match="is damaged"):
        there.days()
    told = await there.listed()
    assert told.days_trouble.startswith("The journal ")
    assert (told.days, len(told.awards), told.awards_trouble) == ((), 3, "")

    shutil.move(blackjack_storage / "bj-demo.journal.kept", blackjack_storage / "bj-demo.journal")
    (blackjack_storage / "bj-demo.meters").write_bytes(b"\xff" * 4096)
    with pytest.raises(MeterStoreError, match="is damaged"):
        there.awards()
    told = await there.listed()
    assert told.awards_trouble.startswith("The meter store ")
    assert (told.days, told.days_trouble, told.awards, told.meters) == ((NEXT_DAY, DAY), "", (), True)


async def test_a_disk_that_gives_nothing_is_told_with_what_to_do(
    blackjack_storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Path) -> list[Path]:
        raise OSError(5, "Input/output error", "/dev/sda")

    monkeypatch.setattr("bridge.dashboard.documents.files_of", broken)
    with pytest.raises(NotReadableError, match="cannot read /dev/sda: Input/output error; let the user"):
        shelf(blackjack_storage).days()
    assert "look after that disk" in (await shelf(blackjack_storage).listed()).days_trouble


async def test_whoever_asks_while_somebody_looks_waits_and_profits(
    blackjack_storage: Path, looked_at: list[str]
) -> None:
    there = shelf(blackjack_storage)
    several = await asyncio.gather(*(there.listed() for _ in range(5)))

    assert len(set(several)) == 1
    assert len(looked_at) == 3


def test_days_of_a_year_are_folded_up_by_month() -> None:
    days = [f"2026-{month:02}-{day:02}" for month in (11, 10, 9) for day in range(30, 0, -1)]
    listed = Listed(days=tuple(days))

    assert listed.newest == tuple(days[:31])
    assert [(month, len(of)) for month, of in listed.months] == [("2026-10", 29), ("2026-09", 30)]
    assert [day for _, of in listed.months for day in of] == days[31:]
    assert Listed().months == ()
