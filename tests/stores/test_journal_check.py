# ruff: noqa: ASYNC240, S608 - nothing else waits on the event loop of a test; nobody else names its records
import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.stores import journal_check, journal_files, state_keeper
from bridge.stores.chain import Fault
from bridge.stores.journal import JournalError
from bridge.stores.journal_check import Verdict, verify
from bridge.stores.journal_files import finished_files, folder_of_finished
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.days import Writing, days_of_play, forge, rewrite_snapshot, unguarded, write
from tests.stores.suites import card_drawn
from tests.stores.test_sqlite_journal import alter, fill, names, refusal, unclosed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bj.journal"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of four days, its state kept in the middle of each; to be copied."""

    async def play(path: Path) -> None:
        async with SqliteJournal.open(path) as journal:
            writing = await Writing(journal).resume()
            events = days_of_play(4)
            for start in range(0, len(events), 40):
                await writing.happen(events[start : start + 40])
                await writing.keep()

    path = tmp_path_factory.mktemp("played") / "bj.journal"
    asyncio.run(play(path))
    return path


@pytest.fixture
def days(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / played.name


def broken(verdict: Verdict) -> tuple[int | None, Fault]:
    assert verdict.broken is not None
    return verdict.broken.sequence, verdict.broken.fault


def contents(path: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(path.parent.rglob("*")) if file.is_file()}


# --- one file -----------------------------------------------------------------------------------------


async def test_a_sound_journal_is_counted_and_left_alone(path: Path) -> None:
    await fill(path, 7)
    content = path.read_bytes()
    verdict = verify(path)
    assert (verdict.records, verdict.broken) == (7, None)
    assert path.read_bytes() == content
    assert names(path) == ["bj.journal"]


async def test_a_journal_that_was_not_closed_is_read_with_its_log_and_neither_is_touched(path: Path) -> None:
    await unclosed(path, 6)
    log = Path(f"{path}-wal")
    contents = path.read_bytes(), log.read_bytes()
    assert (verify(path).records, verify(path).broken) == (6, None)
    assert (path.read_bytes(), log.read_bytes()) == contents
    assert names(path) == ["bj.journal", "bj.journal-wal"]


async def test_a_copy_without_its_log_says_what_may_be_missing(path: Path) -> None:
    await unclosed(path, 6)
    Path(f"{path}-wal").unlink()
    verdict = verify(path)
    assert verdict.records < 6
    assert broken(verdict) == (None, Fault.FILE)
    assert verdict.broken is not None
    assert verdict.broken.reason == "its last records are in its write-ahead log bj.journal-wal, which is gone"


async def test_a_log_moved_into_its_file_by_another_tool_is_no_damage(path: Path) -> None:
    await unclosed(path, 6)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT COUNT(*) FROM records").fetchone()
    assert names(path) == ["bj.journal"]
    assert (verify(path).records, verify(path).broken) == (6, None)


async def test_a_journal_that_was_set_aside_is_looked_at_where_it_is(path: Path) -> None:
    await unclosed(path)
    log = Path(f"{path}-wal")
    damaged = bytearray(log.read_bytes())
    damaged[32 + 24 + 100] ^= 1
    log.write_bytes(damaged)
    await refusal(path)
    verdict = verify(path.with_name("bj.journal.damaged-20231114T221320Z"))
    assert verdict.broken is not None
    assert "commits of its write-ahead log bj.journal.damaged-20231114T221320Z-wal" in verdict.broken.reason


async def test_an_interrupted_last_commit_is_told_and_is_no_fault(path: Path) -> None:
    await unclosed(path, 6)
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[:-1])
    verdict = verify(path)
    assert (verdict.records, verdict.broken) == (5, None)
    assert "its last commit was interrupted" in " ".join(verdict.notes)


@pytest.mark.parametrize("content", [b"", b"S", b"no database at all" * 300])
def test_what_is_no_database_is_broken(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert broken(verify(path)) == (None, Fault.FILE)


async def test_a_journal_is_looked_at_while_its_daemon_writes_it(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        for at in range(290):
            await journal.append((card_drawn(at),))
            if at % 140 == 7:
                # From outside, as another process does: closing the file in this one would give up its lock.
                copied = path.with_name(f"{at}.journal")
                shutil.copy(path, copied)
                shutil.copy(f"{path}-wal", f"{copied}-wal")
                assert (verify(copied).records, verify(copied).broken) == (at + 1, None)


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


# --- what can be wrong with a record -------------------------------------------------------------------


def change(body: str) -> str:
    return f"UPDATE records SET body = CAST({body} AS BLOB) WHERE sequence = 9"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE records SET at = at + 1 WHERE sequence IN (9, 11)", (9, Fault.HASH)),
        ("DELETE FROM records WHERE sequence = 9", (9, Fault.MISSING)),
        (change("'{'"), (9, Fault.HASH)),
    ],
)
def test_the_first_broken_record_is_named(days: Path, statement: str, expected: tuple[int, Fault]) -> None:
    unguarded(finished_files(days)[0], statement)
    verdict = verify(days)
    assert broken(verdict) == expected
    assert verdict.end.sequence == 8


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (change("'{\"at\":1}'"), (9, Fault.BODY)),
        ("UPDATE records SET kind = 'card_unread' WHERE sequence = 9", (9, Fault.KIND)),
        ("UPDATE records SET at = -5 WHERE sequence = 9", (9, Fault.TIME)),
        ("UPDATE records SET at = 253402300800000000 WHERE sequence = 9", (9, Fault.TIME)),
    ],
)
def test_a_forged_record_whose_chain_holds_is_named(
    days: Path, statement: str, expected: tuple[int, Fault]
) -> None:
    forge(finished_files(days)[0], "DELETE FROM snapshots", statement)
    verdict = verify(days)
    assert broken(verdict) == expected
    assert verdict.end.sequence == 8


def test_a_clock_that_was_set_back_is_told_and_is_no_fault(days: Path) -> None:
    forge(days, "DELETE FROM snapshots", "UPDATE records SET at = at - 1000000000 WHERE sequence % 10 = 0")
    verdict = verify(days)
    assert verdict.broken is None
    assert any("the clock was set back" in note for note in verdict.notes)


# --- several files ------------------------------------------------------------------------------------


def test_days_are_one_chain_and_stay_as_they_are(days: Path) -> None:
    before = contents(days)
    verdict = verify(days)
    assert (verdict.begin.sequence, verdict.broken, verdict.notes) == (0, None, ())
    assert verdict.files == (*finished_files(days), days)
    assert len(verdict.files) == 4
    assert contents(days) == before


def test_one_finished_day_is_looked_at_by_itself(days: Path) -> None:
    second = finished_files(days)[1]
    verdict = verify(second)
    assert verdict.broken is None
    assert verdict.files == (second,)
    assert "what was before is in files that are not here" in verdict.notes[0]


def test_older_files_may_be_archived(days: Path) -> None:
    whole = verify(days)
    for file in finished_files(days)[:2]:
        file.unlink()
    verdict = verify(days)
    assert verdict.broken is None
    assert verdict.end == whole.end
    assert verdict.begin.sequence > 0


def test_a_missing_file_in_the_middle_is_named_by_its_records(days: Path) -> None:
    _, second, third = finished_files(days)
    missing = verify(second)
    second.unlink()
    verdict = verify(days)
    assert broken(verdict) == (missing.begin.sequence + 1, Fault.MISSING)
    assert verdict.broken is not None
    assert verdict.broken.file == third
    assert f"records up to {missing.end.sequence} were in a file that is not here" in verdict.broken.reason


def test_a_renamed_file_in_the_middle_is_named(days: Path) -> None:
    second = finished_files(days)[1]
    second.rename(second.with_name("tuesday.bak"))
    verdict = verify(days)
    assert broken(verdict)[1] is Fault.MISSING
    (note,) = verdict.notes
    assert "tuesday.bak has lost its name" in note
    assert f"is called {second.name}" in note


def test_what_is_none_of_ours_among_the_files_is_told(days: Path) -> None:
    (folder_of_finished(days) / "notes.txt").write_text("the second of January")
    verdict = verify(days)
    assert verdict.broken is None
    assert "notes.txt is no file of this journal" in verdict.notes[0]


def test_the_newest_file_is_missed(days: Path) -> None:
    end = verify(days).begin
    days.unlink()
    verdict = verify(days)
    assert verdict.broken is not None
    assert broken(verdict) == (verdict.end.sequence + 1, Fault.MISSING)
    assert f"the newest file, {days}, is not here" in verdict.broken.reason
    assert verdict.end.sequence > end.sequence


def test_a_file_of_another_journal_in_the_middle_is_named(days: Path) -> None:
    second = finished_files(days)[1]
    second.chmod(0o600)
    with closing(sqlite3.connect(second, isolation_level=None)) as connection:
        connection.execute("UPDATE about SET genesis = randomblob(32)")
    forge(second, "DELETE FROM snapshots")
    first = int(second.stem.rpartition("-")[2])
    assert broken(verify(days)) == (first, Fault.HASH)


def test_a_chain_forged_from_a_record_on_is_broken_where_the_next_file_begins(days: Path) -> None:
    first, second, _ = finished_files(days)
    forge(first, "DELETE FROM snapshots", "UPDATE records SET at = at + 1 WHERE sequence = 9")
    begins = int(second.stem.rpartition("-")[2])
    assert broken(verify(days)) == (begins, Fault.HASH)


def test_a_journal_that_turned_to_a_new_file_meanwhile_is_looked_at_again(
    days: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = finished_files(days)[2]
    stale = [file for file in (*finished_files(days), days) if file != third]
    listings = iter([stale])
    files_of = journal_files.files_of
    monkeypatch.setattr(journal_files, "files_of", lambda path: next(listings, None) or files_of(path))
    assert verify(days).broken is None
    assert third in verify(days).files


# --- kept states --------------------------------------------------------------------------------------


def kept(path: Path) -> list[int]:
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        return [n for (n,) in connection.execute("SELECT sequence FROM snapshots ORDER BY sequence")]


def resealed(path: Path, sequence: int, old: bytes, new: bytes) -> None:
    """Change what a kept state holds, and its digest."""
    rewrite_snapshot(path, sequence, lambda one: replace(one, body=one.body.replace(old, new)))


def test_a_kept_state_that_is_not_the_fold_is_found(days: Path) -> None:
    first = finished_files(days)[0]
    sequence = kept(first)[1]
    resealed(first, sequence, b'"vigorish":[]', b'"vigorish":[[1,500]]')
    verdict = verify(days)
    assert broken(verdict) == (sequence, Fault.SNAPSHOT)


def test_the_state_that_a_file_begins_with_is_compared_too(days: Path) -> None:
    second = finished_files(days)[1]
    sequence = kept(second)[0]
    resealed(second, sequence, b'"vigorish":[]', b'"vigorish":[[1,500]]')
    assert broken(verify(days)) == (sequence, Fault.SNAPSHOT)


def test_a_kept_state_that_this_release_cannot_read_is_found(days: Path) -> None:
    first = finished_files(days)[0]
    resealed(first, kept(first)[1], b'"vigorish":[]', b'"vigorish":{}')
    assert broken(verify(days))[1] is Fault.SNAPSHOT


def test_kept_states_that_do_not_hold_or_are_of_other_software_are_only_told(days: Path) -> None:
    first, second, _ = finished_files(days)
    unguarded(first, "UPDATE snapshots SET body = CAST(body || ' ' AS BLOB)")
    unguarded(second, "UPDATE snapshots SET code = zeroblob(32)")
    verdict = verify(days)
    assert verdict.broken is None
    assert f"{len(kept(first)) + len(kept(second))} states kept in it are not used" in verdict.notes[0]


def test_a_file_that_was_shortened_after_a_state_was_kept_is_found(days: Path) -> None:
    last = kept(days)[-1]
    unguarded(days, f"DELETE FROM records WHERE sequence >= {last - 3}")
    verdict = verify(days)
    assert broken(verdict) == (last - 3, Fault.MISSING)
    assert verdict.broken is not None
    assert f"the state was kept after record {last}" in verdict.broken.reason


async def test_a_journal_that_does_not_begin_with_a_start_is_not_folded(path: Path) -> None:
    await fill(path, 3)
    assert "3 records were not folded" in verify(path).notes[0]


def test_without_the_beginning_it_is_folded_from_the_first_kept_state_on(days: Path) -> None:
    first, second, _ = finished_files(days)
    first.unlink()
    unguarded(second, f"DELETE FROM snapshots WHERE sequence = {kept(second)[0]}")
    unfolded = kept(second)[0] - (int(second.stem.rpartition("-")[2]) - 1)
    assert f"{unfolded} records were not folded" in " ".join(verify(days).notes)


# --- several processes --------------------------------------------------------------------------------


@pytest.fixture
def shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_check, "_ALONE_RECORDS", 0)
    monkeypatch.setattr(journal_check, "_STRETCH_RECORDS", 30)


@pytest.mark.usefixtures("shared_out")
def test_several_processes_come_to_the_same_verdict(days: Path) -> None:
    shared = verify(days, processes=2)
    assert len(journal_check._plan(list(shared.files))[0]) > 4
    assert shared == verify(days, processes=1)


@pytest.mark.usefixtures("shared_out")
def test_a_stretch_begins_at_a_kept_state_and_its_end_is_compared_with_the_next(days: Path) -> None:
    sequence = kept(finished_files(days)[1])[2]
    resealed(finished_files(days)[1], sequence, b'"vigorish":[]', b'"vigorish":[[1,500]]')
    assert broken(verify(days, processes=1)) == (sequence, Fault.SNAPSHOT)


def test_the_keeping_of_states_is_what_the_daemon_does(days: Path) -> None:
    assert state_keeper.KEEP_EVERY_RECORDS > 40
    assert all(kept(file) for file in (*finished_files(days), days))


async def test_a_journal_goes_on_after_it_was_looked_at(days: Path) -> None:
    before = verify(days).records
    await write(days, days_of_play(1, seed=2)[5:9])
    assert verify(days).records == before + 4
