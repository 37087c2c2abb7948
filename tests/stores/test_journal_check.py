# ruff: noqa: ASYNC240 - nothing else waits on the event loop of a test
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.stores.journal import JournalError
from bridge.stores.journal_check import BrokenJournal, SoundJournal, verify
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.suites import card_drawn
from tests.stores.test_sqlite_journal import alter, fill, names, refusal, unclosed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


async def test_a_sound_journal_is_counted_and_left_alone(path: Path) -> None:
    await fill(path, 7)
    content = path.read_bytes()
    assert verify(path) == SoundJournal(records=7)
    assert path.read_bytes() == content
    assert names(path) == ["journal.sqlite"]


async def test_a_journal_that_was_not_closed_is_read_with_its_log_and_neither_is_touched(path: Path) -> None:
    await unclosed(path, 6)
    log = Path(f"{path}-wal")
    contents = path.read_bytes(), log.read_bytes()
    assert verify(path) == SoundJournal(records=6)
    assert (path.read_bytes(), log.read_bytes()) == contents
    log.unlink()
    assert verify(path) == BrokenJournal(
        first_broken=None, reason="its last records are in its write-ahead log journal.sqlite-wal, which is gone"
    )


async def test_a_log_moved_into_its_file_by_another_tool_is_no_damage(path: Path) -> None:
    await unclosed(path, 6)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT COUNT(*) FROM records").fetchone()
    assert names(path) == ["journal.sqlite"]
    assert verify(path) == SoundJournal(records=6)


async def test_the_first_broken_record_is_named(path: Path) -> None:
    await fill(path)
    alter(
        path,
        "DROP TRIGGER records_are_never_changed",
        "UPDATE records SET at = at + 1 WHERE sequence IN (3, 5)",
    )
    found = verify(path)
    assert isinstance(found, BrokenJournal)
    assert found.first_broken == 3
    assert found.reason.startswith("record 3 is not what was written")


async def test_a_journal_that_was_set_aside_is_looked_at_where_it_is(path: Path) -> None:
    await unclosed(path)
    log = Path(f"{path}-wal")
    damaged = bytearray(log.read_bytes())
    damaged[32 + 24 + 100] ^= 1
    log.write_bytes(damaged)
    await refusal(path)
    aside = path.with_name("journal.sqlite.damaged-20231114T221320Z")
    found = verify(aside)
    assert isinstance(found, BrokenJournal)
    assert "commits of its write-ahead log journal.sqlite.damaged-20231114T221320Z-wal" in found.reason


@pytest.mark.parametrize("content", [b"", b"S", b"no database at all" * 300])
def test_what_is_no_database_is_broken(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    found = verify(path)
    assert isinstance(found, BrokenJournal)
    assert found.first_broken is None


async def test_a_journal_in_use_is_not_looked_at(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        await journal.append((card_drawn(1),))
        with pytest.raises(JournalError, match="in use by its daemon; stop that first"):
            verify(path)


async def test_a_journal_from_the_future_is_not_judged(path: Path) -> None:
    await fill(path)
    alter(path, "PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="schema version 99"):
        verify(path)


def test_a_journal_that_is_not_there_is_told(path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        verify(path)
    assert names(path) == []


async def test_a_table_that_is_gone_is_told(path: Path) -> None:
    await fill(path)
    alter(path, "DROP TABLE records")
    with pytest.raises(JournalError, match="no such table: records"):
        verify(path)
