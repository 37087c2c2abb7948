"""A journal is read from outside with its chain, and nothing in it changes."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.domain.events import TableEvent
from bridge.stores.journal import JournalError
from bridge.stores.journal_reader import chained_records
from bridge.stores.sqlite_journal import SqliteJournal
from tests.table.tables import Play


def written(file: Path, events: list[TableEvent]) -> Path:
    async def append() -> None:
        async with SqliteJournal.open(file) as journal:
            await journal.append(events)

    asyncio.run(append())
    return file


def test_records_come_with_the_digest_that_the_journal_holds(tmp_path: Path) -> None:
    play = Play().wagers(1)
    file = written(tmp_path / "bj.journal", play.events)
    before = file.read_bytes()
    records = list(chained_records(file))
    with closing(sqlite3.connect(file)) as connection:
        digests = [digest.hex() for (digest,) in connection.execute("SELECT hash FROM records ORDER BY sequence")]

    assert [record.event for record in records] == play.events
    assert [record.digest for record in records] == digests
    assert file.read_bytes() == before


def test_what_is_no_whole_journal_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        list(chained_records(tmp_path / "none.journal"))

    empty = tmp_path / "empty.journal"
    empty.touch()
    with pytest.raises(JournalError, match="is damaged"):
        list(chained_records(empty))

    other = tmp_path / "other.journal"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(JournalError, match="not a table journal"):
        list(chained_records(other))

    noise = tmp_path / "noise.journal"
    noise.write_bytes(b"\xff" * 4096)
    with pytest.raises(JournalError, match="cannot read the journal"):
        list(chained_records(noise))


def test_a_changed_record_is_found(tmp_path: Path) -> None:
    file = written(tmp_path / "bj.journal", Play().events)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TRIGGER records_are_never_changed")
        connection.execute("UPDATE records SET at = at + 1 WHERE sequence = 3")
        connection.commit()

    with pytest.raises(JournalError, match="record 3 is not what was written"):
        list(chained_records(file))


async def test_a_journal_in_use_is_told(tmp_path: Path) -> None:
    async with SqliteJournal.open(tmp_path / "bj.journal") as journal:
        await journal.append(Play().events)
        with pytest.raises(JournalError, match="in use by its daemon"):
            list(chained_records(tmp_path / "bj.journal"))
