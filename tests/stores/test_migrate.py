import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from bridge.domain.awards import AwardStatus
from bridge.domain.identity import RoundNumber, Sequence, TableId
from bridge.domain.money import Cents
from bridge.stores import migrate
from bridge.stores.heard import Search
from bridge.stores.heard_store import HeardStore
from bridge.stores.journal_check import verify
from bridge.stores.migrate import HEARD, JOURNAL, METERS, Schema, WrongSchemaError
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.stores.hearing import StoodClock, Telling
from tests.stores.meters import PROGRESSIVE, signed, units
from tests.stores.suites import card_drawn, lock_out

RELEASED = Path(__file__).parent / "released"
"""Databases as each release left them, as text; a file is added with every migration and never changed."""

SCHEMAS = [JOURNAL, METERS, HEARD]
EVERY = pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.folder)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "file.sqlite", isolation_level=None)) as connection:
        yield connection


def restore(name: str, path: Path) -> Path:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript((RELEASED / f"{name}.sql").read_text(encoding="utf-8"))
    return path


def shape(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@EVERY
def test_scripts_are_numbered_without_gaps(schema: Schema) -> None:
    folder = files("bridge.stores").joinpath("migrations", "sqlite", schema.folder)
    numbers = sorted(int(script.name.split("_")[0]) for script in folder.iterdir())
    assert numbers == list(range(1, len(migrate.migrations(schema)) + 1))


@EVERY
def test_every_version_has_a_released_file_and_comes_to_the_present_one(schema: Schema, tmp_path: Path) -> None:
    for number in range(1, len(migrate.migrations(schema)) + 1):
        path = restore(f"{schema.folder}_{number}", tmp_path / f"{number}.sqlite")
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as old,
            closing(sqlite3.connect(":memory:")) as new,
        ):
            migrate.migrate(old, schema, path)
            new.isolation_level = None
            migrate.prepare(new, schema)
            assert shape(old) == shape(new)
            assert version(old) == version(new) == len(migrate.migrations(schema))


async def test_a_journal_of_release_1_is_read_and_continued_twice(tmp_path: Path) -> None:
    path = restore("journal_1", tmp_path / "journal.sqlite")
    events = [card_drawn(1), lock_out(2), card_drawn(3)]
    for at in (4, 5):
        async with SqliteJournal.open(path) as journal:
            assert [record.event for record in await journal.read(Sequence(0))] == events
            await journal.append((card_drawn(at),))
            events.append(card_drawn(at))


async def test_a_journal_of_release_2_goes_on_from_the_file_before_it(tmp_path: Path) -> None:
    path = restore("journal_2", tmp_path / "journal.sqlite")
    events = [card_drawn(4), lock_out(5)]
    for at in (6, 7):
        async with SqliteJournal.open(path) as journal:
            assert journal.day == "2026-11-30"
            assert [record.event for record in await journal.read(Sequence(3))] == events
            await journal.append((card_drawn(at),))
            events.append(card_drawn(at))


async def test_a_journal_of_release_1_is_looked_at_as_it_is(tmp_path: Path) -> None:
    path = restore("journal_1", tmp_path / "journal.sqlite")
    content = path.read_bytes()
    verdict = verify(path)
    assert (verdict.records, verdict.broken) == (3, None)
    assert path.read_bytes() == content


async def test_meters_of_release_1_stand_as_they_stood_and_go_on(tmp_path: Path) -> None:
    path = restore("meters_1", tmp_path / "meters.sqlite")
    filed = replace(PROGRESSIVE, unreasonable_above=Cents(75))
    async with SqliteMeterStore.open(path, (filed,)) as store:
        (reading,) = await store.readings()
        assert reading.exact == units("0.01")
        assert (reading.in_meter, reading.hits, reading.wins) == (3, 1, 5_000_225)
        assert (reading.held.count, reading.held.amount) == (1, units("7.50"))
        assert [(award.position, award.amount, award.status) for award in reading.pending] == [
            (2, 5_000_225, AwardStatus.VALIDATED)
        ]
        (reading,) = (await store.post(signed(1, 2))).readings
        assert (reading.exact, reading.attendant_paid) == (units("50,000.01"), 5_000_225)


async def test_a_history_of_release_1_is_read_and_goes_on(tmp_path: Path) -> None:
    path, table = restore("heard_1", tmp_path / "history.sqlite"), TableId("bj-1")
    async with HeardStore.open(path, clock=StoodClock()) as store:
        first = await store.read(table, RoundNumber(1))
        assert [wager.ending for wager in (await store.find(table, Search())).rounds[1].wagers] == ["won"]
        assert (first.gaps, first.over, len(first.events)) == ((), True, 2)
        again = Telling(epoch=first.round.epoch + 9, sequence=5, number=2)
        store.take(again.event())
        assert [event.sequence for event in (await store.read(table, RoundNumber(2))).events] == [4, 6]


@EVERY
def test_a_later_version_is_refused_by_name(schema: Schema, connection: sqlite3.Connection) -> None:
    migrate.prepare(connection, schema)
    connection.execute("UPDATE about SET software = '7.0'")
    connection.execute("PRAGMA user_version = 50")
    with pytest.raises(
        WrongSchemaError, match=rf"{schema.what} of schema version 50, last opened by table-bridge 7\.0"
    ):
        migrate.migrate(connection, schema, Path("x.sqlite"))
    assert version(connection) == 50


def test_a_later_version_of_another_shape_is_refused_too(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {JOURNAL.application_id}")
    connection.execute("PRAGMA user_version = 50")
    with pytest.raises(WrongSchemaError, match="of an unknown version"):
        migrate.migrate(connection, JOURNAL, Path("x.sqlite"))


def test_one_kind_of_file_is_not_taken_for_the_other(connection: sqlite3.Connection) -> None:
    migrate.prepare(connection, METERS)
    with pytest.raises(WrongSchemaError, match=r"x\.sqlite is a database, but not a table journal; it is left"):
        migrate.migrate(connection, JOURNAL, Path("x.sqlite"))


def test_a_migration_that_fails_leaves_the_version_before_it(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate.prepare(connection, METERS)
    before = shape(connection)
    scripts = (*migrate.migrations(METERS), "CREATE TABLE fresh (x); INSERT INTO nowhere VALUES (1);")
    monkeypatch.setattr(migrate, "migrations", lambda _schema: scripts)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate.migrate(connection, METERS, Path("x.sqlite"))
    assert (shape(connection), version(connection)) == (before, len(scripts) - 1)


def test_only_what_is_missing_is_run(connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate.prepare(connection, METERS)
    scripts = (*migrate.migrations(METERS), "CREATE TABLE fresh (x);")
    monkeypatch.setattr(migrate, "migrations", lambda _schema: scripts)
    for _ in range(2):
        migrate.migrate(connection, METERS, Path("x.sqlite"))
    assert version(connection) == len(scripts)
    assert "fresh" in [name for name, _ in shape(connection)]
