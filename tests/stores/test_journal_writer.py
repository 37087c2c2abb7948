# ruff: noqa: ASYNC240 - nothing else waits on the event loop of a test
import asyncio
import errno
import logging
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores import journal_pages, journal_writer, private, sqlite_file
from bridge.stores.journal import JournalError
from bridge.stores.journal_check import verify
from bridge.stores.journal_files import finished_files, folder_of_finished
from bridge.stores.journal_sql import head_of
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.days import Writing, days_of_play, folded, lay_out, unguarded, write
from tests.stores.suites import card_drawn
from tests.stores.test_sqlite_journal import fill, names, records_of, refusal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bj.journal"


async def events_of(path: Path) -> list[TableEvent]:
    return [record.event for record in await records_of(path)]


# --- days ---------------------------------------------------------------------------------------------


async def test_each_gaming_day_has_a_file_and_the_chain_goes_on_across_them(path: Path) -> None:
    events = days_of_play(3, rounds_a_day=1)
    lay_out(path, 3, rounds_a_day=1)
    assert [file.name[:10] for file in finished_files(path)] == ["2026-01-05", "2026-01-06"]
    assert {file.stat().st_mode & 0o777 for file in finished_files(path)} == {0o400}
    assert await events_of(path) == events
    assert verify(path).broken is None
    assert names(path) == ["bj.journal", "bj.journal.finished"]


async def test_a_finished_file_is_never_written_again(path: Path) -> None:
    lay_out(path, 2, rounds_a_day=1)
    (finished,) = finished_files(path)
    content = finished.read_bytes()
    await write(path, days_of_play(4, rounds_a_day=1)[-60:])
    assert finished.read_bytes() == content
    with closing(sqlite3.connect(finished)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",), "any tool can read it"


async def test_the_file_that_is_written_stays_locked_while_it_changes(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        await journal.begin_day("2026-11-29")
        await journal.append((card_drawn(1),))
        await journal.begin_day("2026-11-30")
        await journal.append((card_drawn(2),))
        assert "in use" in await refusal(path)
        with closing(sqlite3.connect(path, timeout=0)) as other, pytest.raises(sqlite3.OperationalError):
            other.execute("SELECT * FROM records")
        assert Path(f"{path}-wal").exists()
        await journal.append((card_drawn(3),))
    assert [event.at for event in await events_of(path)] == [1, 2, 3]


async def test_a_file_of_no_day_becomes_one_of_the_first_day_it_hears_of(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        assert journal.day == ""
        await journal.append((card_drawn(1),))
        await journal.begin_day("2026-11-29")
        assert journal.day == "2026-11-29"
    async with SqliteJournal.open(path) as journal:
        assert journal.day == "2026-11-29"
    assert finished_files(path) == []


async def test_a_day_on_which_nothing_happened_leaves_no_file(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        for day in ("2026-11-29", "2026-11-30", "2026-12-01"):
            await journal.begin_day(day)
    assert finished_files(path) == []


async def test_where_no_new_file_can_be_begun_the_present_one_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    async with SqliteJournal.open(path) as journal:
        await journal.begin_day("2026-11-29")
        await journal.append((card_drawn(1),))
        with monkeypatch.context() as broken:
            broken.setattr(os, "link", refuse)
            await journal.begin_day("2026-11-30")
        assert journal.day == "2026-11-30", "it is not tried again with every event"
        await journal.append((card_drawn(2),))
    assert "goes on in the same file, for no new one can be begun" in caplog.text
    assert [event.at for event in await events_of(path)] == [1, 2]
    assert finished_files(path) == []


async def test_a_failure_in_the_middle_of_the_change_closes_the_journal_and_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    async with SqliteJournal.open(path) as journal:
        await journal.begin_day("2026-11-29")
        await journal.append((card_drawn(1),))
        with monkeypatch.context() as broken:
            broken.setattr(journal_writer, "put_in_place", fail)
            with pytest.raises(JournalError, match="Input/output error"):
                await journal.begin_day("2026-11-30")
        with pytest.raises(JournalError, match="Input/output error"):
            await journal.append((card_drawn(2),))
    async with SqliteJournal.open(path) as journal:
        await journal.append((card_drawn(2),))
    assert [event.at for event in await events_of(path)] == [1, 2]
    assert [file.name[:10] for file in finished_files(path)] == ["2026-11-29"]


async def test_before_every_step_of_the_change_a_crash_leaves_a_journal_that_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole folder is copied before each statement and each system call that changes a name."""
    crashes: list[Path] = []

    def crash(*_args: object) -> None:
        left = path.parent.parent / f"crash-{len(crashes)}"
        subprocess.run(["/bin/cp", "-a", str(path.parent), str(left)], check=True)
        crashes.append(left / path.name)

    def crashing(target: object, name: str) -> None:
        original = getattr(target, name)

        def call(*args: object) -> object:
            crash()
            return original(*args)

        monkeypatch.setattr(target, name, call)

    path = path.parent / "table" / path.name
    events = days_of_play(2, rounds_a_day=1)
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen(events[:30])
        await writing.keep()
        assert journal._thread is not None
        for target, name in ((os, "link"), (Path, "replace"), (Path, "chmod"), (private, "sync_folder")):
            crashing(target, name)
        await journal._thread.run(partial(journal._writer.connection.set_trace_callback, crash))
        await journal.begin_day("2026-01-06")
        crash()
    monkeypatch.undo()
    assert len(crashes) > 9
    assert len({len(finished_files(left)) for left in crashes}) == 2
    for left in crashes:
        async with SqliteJournal.open(left) as journal:
            writing = await Writing(journal).resume()
            assert writing.state == folded(events[:30])
            await writing.happen(events[30:40])
        assert await events_of(left) == events[:40]
        assert verify(left).broken is None


async def test_a_daemon_killed_between_two_files_goes_on_from_the_finished_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(path, 4)
    unguarded(path, "UPDATE about SET finished = 1")
    with monkeypatch.context() as broken:
        broken.setattr(journal_pages, "_try_second_name", lambda _unnamed, folder: os.link("/none", folder / "x"))
        with pytest.raises(JournalError, match="is finished, and no new file can be begun"):
            await records_of(path)
    assert len(await records_of(path)) == 4
    assert [file.name for file in finished_files(path)] == ["undated-000000001.journal"]
    with closing(sqlite3.connect(path)) as connection:
        assert head_of(connection).first == 5


# --- what is refused ----------------------------------------------------------------------------------


async def test_without_its_newest_file_a_journal_is_not_begun_anew(path: Path) -> None:
    lay_out(path, 3, rounds_a_day=1)
    path.unlink()
    said = await refusal(path)
    assert f"there is no journal {path}, but finished files of one, the newest of them" in said
    assert "bring the file back" in said
    assert f"The folder {folder_of_finished(path)} goes with it" in said
    folder_of_finished(path).rename(path.parent / "kept")
    assert await records_of(path) == []


async def test_a_damaged_journal_is_set_aside_with_its_finished_files(path: Path) -> None:
    lay_out(path, 3, rounds_a_day=1)
    content = path.read_bytes()[:-4096]
    path.write_bytes(content)
    said = await refusal(path)
    aside = path.with_name("bj.journal.damaged-20231114T221320Z")
    assert f"set aside as {aside}" in said
    assert aside.read_bytes() == content
    assert len(finished_files(aside)) == 2
    assert not [name for name in names(path) if not name.startswith(aside.name)]
    assert "no new one is begun" in await refusal(path)


async def test_a_damaged_older_file_stops_no_table_and_is_told_when_it_is_read(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    events = days_of_play(3, rounds_a_day=1)
    lay_out(path, 3, rounds_a_day=1)
    unguarded(finished_files(path)[0], "UPDATE records SET at = at + 1 WHERE sequence = 9")
    async with SqliteJournal.open(path) as journal:
        assert (await Writing(journal).resume()).state == folded(events)
        with pytest.raises(JournalError, match=r"a finished file of the journal .* is damaged: record 9 is not"):
            list(await journal.read(Sequence(0)))
    assert caplog.records == [] or logging.ERROR not in {record.levelno for record in caplog.records}


async def test_a_journal_that_was_exchanged_while_it_was_opened_is_left_to_its_owner(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(path, 3)
    connect = sqlite_file.connect

    def connect_and_lose(file: Path, **options: object) -> sqlite3.Connection:
        connection = connect(file, **options)  # type: ignore[arg-type]
        shutil.copy(file, f"{file}.new")
        Path(f"{file}.new").replace(file)
        return connection

    monkeypatch.setattr(sqlite_file, "connect", connect_and_lose)
    assert "in use by another process" in await refusal(path)
    monkeypatch.undo()
    assert len(await records_of(path)) == 3


# --- what is kept beside the records ------------------------------------------------------------------


async def test_a_kept_state_is_found_in_whichever_file_it_is(path: Path) -> None:
    events = days_of_play(3, rounds_a_day=1)
    lay_out(path, 3, rounds_a_day=1)
    unguarded(path, "DELETE FROM snapshots")
    async with SqliteJournal.open(path) as journal:
        writing = Writing(journal)
        code = writing.keeper._fold.code
        snapshot = await journal.newest_snapshot(code, Sequence(len(events)))
        assert snapshot is not None
        assert snapshot.sequence == journal._writer.head.before.sequence
        assert await journal.newest_snapshot(bytes(32), Sequence(len(events))) is None
        assert (await writing.resume()).state == folded(events)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshots SET body = CAST(body || ' ' AS BLOB)",
        "UPDATE snapshots SET hash = zeroblob(32)",
        "UPDATE snapshots SET digest = zeroblob(32)",
        "UPDATE snapshots SET sequence = sequence - 1",
        "UPDATE snapshots SET code = zeroblob(32)",
        "UPDATE snapshots SET software = '0'",
    ],
)
async def test_a_kept_state_that_does_not_hold_is_passed_over(path: Path, statement: str) -> None:
    events = days_of_play(2, rounds_a_day=1)
    lay_out(path, 2, rounds_a_day=1)
    for file in (*finished_files(path), path):
        unguarded(file, statement)
    async with SqliteJournal.open(path) as journal:
        writing = Writing(journal)
        assert await journal.newest_snapshot(writing.keeper._fold.code, Sequence(len(events))) is None
        assert (await writing.resume()).state == folded(events)


def test_asyncio_is_not_needed_to_look_at_what_was_written(path: Path) -> None:
    asyncio.run(fill(path, 3))
    assert verify(path).records == 3
