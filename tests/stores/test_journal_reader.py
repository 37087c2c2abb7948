"""A journal is read from outside with its chain, across its files, and nothing in it changes."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.domain.events import BridgeStarted, GamingDayBegan, TableEvent
from bridge.domain.identity import Sequence
from bridge.stores.journal import JournalError
from bridge.stores.journal_files import files_of, finished_files
from bridge.stores.journal_reader import (
    ChainedRecord,
    Run,
    chained_records,
    days_begun,
    days_begun_in,
    run_at,
    table_starts,
)
from bridge.stores.sqlite_journal import SqliteJournal
from tests.one_process import demonstration
from tests.stores.days import Writing, days_of_play
from tests.table.tables import Play


def written(file: Path, events: list[TableEvent]) -> Path:
    async def play() -> None:
        async with SqliteJournal.open(file) as journal:
            await (await Writing(journal).resume()).happen(events)

    asyncio.run(play())
    return file


def from_the_beginning(file: Path) -> list[ChainedRecord]:
    *_, beginning = table_starts(file)
    return list(chained_records(beginning))


def digests(file: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return [digest.hex() for (digest,) in connection.execute("SELECT hash FROM records ORDER BY sequence")]


def test_records_of_every_day_come_with_the_digest_that_the_journal_holds(tmp_path: Path) -> None:
    events = days_of_play(3)
    file = written(tmp_path / "bj.journal", events)
    contents = [one.read_bytes() for one in files_of(file)]
    records = from_the_beginning(file)

    assert len(contents) == 3
    assert [record.event for record in records] == events
    assert [record.sequence for record in records] == list(range(1, len(events) + 1))
    assert [one.read_bytes() for one in files_of(file)] == contents
    assert [record.digest for record in records] == [digest for one in files_of(file) for digest in digests(one)]


def test_a_later_start_gives_the_same_records_from_there_on(tmp_path: Path) -> None:
    file = written(tmp_path / "bj.journal", days_of_play(3))
    whole = from_the_beginning(file)
    for start in table_starts(file):
        assert list(chained_records(start)) == whole[start.after :]


def test_days_are_found_with_the_record_that_begins_them(tmp_path: Path) -> None:
    events = days_of_play(3)
    file = written(tmp_path / "bj.journal", events)
    begun = [(number, one.day) for number, one in enumerate(events, start=1) if isinstance(one, GamingDayBegan)]

    assert list(days_begun(file)) == begun
    assert [days_begun_in(one) for one in files_of(file)] == [(one,) for one in begun]
    finished_files(file)[0].unlink()
    assert list(days_begun(file)) == begun[1:]
    file.write_bytes(b"\xff" * 4096)
    with pytest.raises(JournalError, match="is damaged"):
        days_begun(file)


def test_a_record_belongs_to_the_run_that_was_started_last_in_whatever_file_that_was(tmp_path: Path) -> None:
    events = days_of_play(4)
    begun = [number for number, one in enumerate(events) if isinstance(one, GamingDayBegan)]
    noon = begun[1] + 5
    again = BridgeStarted(at=events[noon].at, version="2", setup=demonstration().setup)
    file = written(tmp_path / "bj.journal", [*events[:noon], again, *events[noon:]])
    asked = [Sequence(at) for at in (0, 1, noon, noon + 1, begun[3], len(events))]
    first, second = Run(Sequence(1), "1"), Run(Sequence(noon + 1), "2")

    assert [run_at(file, at) for at in asked] == [None, first, first, second, second, second]
    finished_files(file)[0].unlink()
    assert [run_at(file, at) for at in asked] == [None, None, None, second, second, second]


def test_a_start_that_was_changed_since_tells_nothing(tmp_path: Path) -> None:
    file = written(tmp_path / "bj.journal", days_of_play(1))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TRIGGER records_are_never_changed")
        connection.execute("UPDATE records SET at = at + 1 WHERE kind = 'bridge_started'")
        connection.commit()

    with pytest.raises(JournalError, match="is damaged: record 1 is not what was written"):
        run_at(file, Sequence(5))


def test_what_is_no_journal_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        table_starts(tmp_path / "none.journal")

    noise = tmp_path / "noise.journal"
    noise.write_bytes(b"\xff" * 4096)
    with pytest.raises(JournalError, match="is damaged"):
        from_the_beginning(noise)


def test_a_changed_record_is_found(tmp_path: Path) -> None:
    file = tmp_path / "bj.journal"

    async def write() -> None:
        async with SqliteJournal.open(file) as journal:
            await journal.append(Play().events)

    asyncio.run(write())
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TRIGGER records_are_never_changed")
        connection.execute("UPDATE records SET at = at + 1 WHERE sequence = 3")
        connection.commit()

    with pytest.raises(JournalError, match="record 3 is not what was written"):
        from_the_beginning(file)


async def test_a_journal_is_read_while_its_daemon_goes_on(tmp_path: Path) -> None:
    async with SqliteJournal.open(tmp_path / "bj.journal") as journal:
        await journal.append(Play().events)
        # As another process finds it: closing the file in this one would give up the lock on it.
        shutil.copytree(tmp_path, tmp_path / "seen")

    assert [record.event for record in from_the_beginning(tmp_path / "seen" / "bj.journal")] == Play().events
    assert finished_files(tmp_path / "seen" / "bj.journal") == []
