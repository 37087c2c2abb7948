# ruff: noqa: ASYNC221, ASYNC240 - nothing else waits on the event loop of a test
import asyncio
import errno
import logging
import os
import random
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bridge.domain.identity import Sequence, Timestamp
from bridge.stores import chain, journal_sql, journal_writer, sqlite_file
from bridge.stores.journal import JournalError, JournalRecord
from bridge.stores.sqlite_journal import SqliteJournal
from tests.patience import PATIENCE_S
from tests.stores.suites import JournalTests, card_drawn, lock_out


class TestSqliteJournal(JournalTests):
    def open(self, folder: Path) -> SqliteJournal:
        return SqliteJournal.open(folder / "journal.sqlite")


class StoppedClock:
    def wall(self) -> Timestamp:
        return Timestamp(1_700_000_000_000_000)

    def monotonic_us(self) -> int:
        return 0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


async def fill(path: Path, records: int = 5) -> None:
    async with SqliteJournal.open(path) as journal:
        for at in range(records):
            await journal.append((card_drawn(at),))


async def records_of(path: Path) -> list[JournalRecord]:
    async with SqliteJournal.open(path) as journal:
        return list(await journal.read(Sequence(0)))


async def refusal(path: Path) -> str:
    with pytest.raises(JournalError) as caught:
        async with SqliteJournal.open(path, clock=StoppedClock()):
            pytest.fail("opened")
    return str(caught.value)


def alter(path: Path, *statements: str) -> None:
    """Do to the file what only somebody else would do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def execute(journal: SqliteJournal, sql: str) -> None:
    journal._writer.connection.execute(sql)


def start(program: str, path: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )


async def test_the_file_is_sealed_and_so_is_every_folder_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "table" / "journal.sqlite"
    async with SqliteJournal.open(path) as journal:
        await journal.append((card_drawn(1),))
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
        assert names(path) == ["journal.sqlite", "journal.sqlite-wal"]
    assert names(path) == ["journal.sqlite"]
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.parent.parent.stat().st_mode & 0o777 == 0o700


async def test_a_file_that_others_may_read_is_taken_away_from_them(path: Path) -> None:
    await fill(path)
    path.chmod(0o644)
    await records_of(path)
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_record_says_when_it_was_written_and_what_it_is(path: Path) -> None:
    async with SqliteJournal.open(path, clock=StoppedClock()) as journal:
        await journal.append((lock_out(1),))
    with closing(sqlite3.connect(path)) as connection:
        (row,) = connection.execute("SELECT sequence, at, kind, typeof(kind), body FROM records").fetchall()
    assert row[:4] == (1, 1_700_000_000_000_000, "lock_out_pressed", "text")
    assert b'"device":"keys"' in row[4]


async def test_what_waits_while_a_commit_runs_shares_the_next_one(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        commits: list[str] = []
        assert journal._thread is not None
        await journal._thread.run(lambda: journal._writer.connection.set_trace_callback(commits.append))
        held_up = threading.Event()
        holding_up = asyncio.ensure_future(journal._thread.run(held_up.wait))  # as a commit that takes long would
        await asyncio.sleep(0)
        appended = [asyncio.ensure_future(journal.append((card_drawn(at),))) for at in range(100)]
        await asyncio.sleep(0)
        held_up.set()
        await asyncio.gather(holding_up, *appended)
        assert commits.count("COMMIT") == 1


async def test_a_long_day_is_moved_out_of_the_log_now_and_then(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        for at in range(600):
            await journal.append((card_drawn(at),))
        assert Path(f"{path}-wal").stat().st_size < 600 * 4096
    assert len(await records_of(path)) == 600


# --- one journal, one daemon --------------------------------------------------------------------------

_HOLDER = """
import asyncio, sys
from pathlib import Path
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.suites import card_drawn

async def main():
    async with SqliteJournal.open(Path(sys.argv[1])) as journal:
        await journal.append((card_drawn(1),))
        print("held", flush=True)
        sys.stdin.readline()

asyncio.run(main())
"""


async def test_a_second_daemon_is_refused_and_told_which_file_and_what_to_do(path: Path) -> None:
    with start(_HOLDER, path) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == b"held\n"
        said = await refusal(path)
        with closing(sqlite3.connect(path, timeout=0)) as other, pytest.raises(sqlite3.OperationalError):
            other.execute("DELETE FROM records")
        holder.stdin.write(b"\n")
        holder.wait(timeout=PATIENCE_S)
    assert f"{path} is in use by another process" in said
    assert "stop the other one" in said
    assert len(await records_of(path)) == 1
    assert names(path) == ["journal.sqlite"]


async def test_a_second_journal_of_the_same_process_is_refused(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        assert "in use" in await refusal(path)
        assert [record.sequence for record in await journal.append((card_drawn(1),))] == [1]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET body = x'00' WHERE sequence = 1",
        "DELETE FROM records WHERE sequence = 5",
        "INSERT INTO records SELECT 7, at, kind, body, hash FROM records WHERE sequence = 1",
        "INSERT INTO records SELECT 3, at, kind, body, hash FROM records WHERE sequence = 1",
        "INSERT INTO records SELECT NULL, at, kind, body, x'00' FROM records WHERE sequence = 1",
    ],
)
async def test_the_database_itself_forbids_gaps_and_changes(path: Path, statement: str) -> None:
    await fill(path)
    with pytest.raises(sqlite3.IntegrityError):
        alter(path, statement)


# --- killed -------------------------------------------------------------------------------------------

_WRITER = """
import asyncio, os, sys
from pathlib import Path
from bridge.domain.identity import Sequence
from bridge.stores import journal_writer
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.suites import card_drawn

journal_writer._EMPTY_LOG_AFTER_COMMITS = 7

async def main():
    async with SqliteJournal.open(Path(sys.argv[1])) as journal:
        at = sum(1 for _ in await journal.read(Sequence(0)))
        while True:
            records = await asyncio.gather(*(journal.append((card_drawn(at + n),)) for n in range(at % 3 + 1)))
            at = records[-1][0].sequence
            os.write(1, b"%d\\n" % at)

asyncio.run(main())
"""


async def test_a_daemon_killed_at_any_instant_loses_nothing_it_acknowledged(path: Path) -> None:
    instants = random.Random(631)  # noqa: S311 - a test that can be repeated
    for _ in range(3):
        with start(_WRITER, path) as writer:
            assert writer.stdout is not None
            for _ in range(instants.randrange(1, 60)):
                said = writer.stdout.readline()
            writer.kill()
            said = (said + writer.stdout.read()).rpartition(b"\n")[0].rpartition(b"\n")[2]
        kept = await records_of(path)
        assert len(kept) >= int(said)
        assert [(record.sequence, record.event.at) for record in kept] == [(n + 1, n) for n in range(len(kept))]
    assert names(path) == ["journal.sqlite"]


async def test_before_every_statement_a_crash_leaves_all_that_was_acknowledged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_writer, "_EMPTY_LOG_AFTER_COMMITS", 3)
    acknowledged = 0
    crashes: list[tuple[Path, int, str]] = []

    def crash(statement: str) -> None:
        """Copy what a killed process would leave, by another process: ours must not close the locked file."""
        left = path.with_name(f"crash-{len(crashes)}") / path.name
        left.parent.mkdir()
        subprocess.run(["/bin/cp", str(path), f"{path}-wal", str(left.parent)], check=True)
        crashes.append((left, acknowledged, statement))

    async with SqliteJournal.open(path) as journal:
        assert journal._thread is not None
        await journal._thread.run(lambda: journal._writer.connection.set_trace_callback(crash))
        for at in range(8):
            await journal.append((card_drawn(at), lock_out(at)))
            acknowledged += 2
    statements = {statement for _, _, statement in crashes}
    assert {"UPDATE about SET incomplete = 1", "PRAGMA wal_checkpoint(PASSIVE)", "COMMIT"} <= statements
    for left, known, _ in crashes:
        kept = await records_of(left)
        assert len(kept) in (known, known + 2)


async def test_a_daemon_killed_while_it_makes_its_journal_leaves_none_or_a_whole_one(path: Path) -> None:
    program = _HOLDER.replace("import asyncio, sys", "import asyncio, os, sys, threading").replace(
        "async def main",
        "threading.Timer(float(os.environ['AFTER']), os.kill, (os.getpid(), 9)).start()\n\nasync def main",
    )
    for attempt in range(2):
        place = path.with_name(f"{attempt}.sqlite")
        environment = {**os.environ, "AFTER": str(attempt / 500)}
        subprocess.run(
            [sys.executable, "-c", program, str(place)],
            env=environment,
            capture_output=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert len(await records_of(place)) <= 1


# --- damaged ------------------------------------------------------------------------------------------


async def test_a_damaged_journal_is_set_aside_unaltered_and_no_other_begins_by_itself(path: Path) -> None:
    path.write_bytes(b"no database at all" * 300)
    said = await refusal(path)
    aside = path.with_name("journal.sqlite.damaged-20231114T221320Z")
    assert aside.read_bytes() == b"no database at all" * 300
    assert names(path) == [aside.name]
    assert f"{path} is damaged" in said
    assert f"set aside as {aside}" in said
    assert "have a supervisor settle" in said
    for _ in range(2):
        again = await refusal(path)
        assert str(aside) in again
        assert "no new one is begun" in again
    (path.parent / "kept").mkdir()
    aside.rename(path.parent / "kept" / aside.name)
    assert await records_of(path) == []


async def test_a_second_damaged_journal_does_not_replace_the_first(path: Path) -> None:
    for content in (b"first", b"second"):
        path.write_bytes(content * 1000)
        await refusal(path)
    assert names(path) == ["journal.sqlite.damaged-20231114T221320Z", "journal.sqlite.damaged-20231114T221320Z-2"]


async def test_a_flipped_bit_is_never_taken_for_what_was_written(path: Path) -> None:
    await fill(path, 40)
    before = await records_of(path)
    content = path.read_bytes()
    bits = random.Random(18)  # noqa: S311 - a test that can be repeated
    refused = 0
    for attempt in range(40):
        place = path.with_name(f"{attempt}.sqlite")
        damaged = bytearray(content)
        damaged[bits.randrange(len(damaged))] ^= 1 << bits.randrange(8)
        place.write_bytes(damaged)
        try:
            assert await records_of(place) == before
        except JournalError:
            refused += 1
            assert bytes(damaged) in [file.read_bytes() for file in place.parent.glob(f"{place.name}*")]
    assert refused > 0


async def test_a_flipped_bit_in_a_record_is_always_found(path: Path) -> None:
    await fill(path, 40)
    content = path.read_bytes()
    at = content.index(b'"kind":"card_drawn"')
    for offset in range(19):
        damaged = bytearray(content)
        damaged[at + offset] ^= 1
        place = path.with_name(f"{offset}.sqlite")
        place.write_bytes(damaged)
        assert "its hash does not follow" in await refusal(place)


async def test_a_journal_cut_anywhere_is_refused_and_set_aside(path: Path) -> None:
    await fill(path, 100)
    content = path.read_bytes()
    # What is missing of a page is read as zeros: one byte in 256 is missed by nobody.
    last = len(content.rstrip(b"\0")) - 1
    for length in (0, 1, 50, 99, 100, 512, 4095, 4096, 4097, 8192, 12_288, len(content) - 4096, last):
        place = path.with_name(f"{length}.sqlite")
        place.write_bytes(content[:length])
        assert f"set aside as {place}.damaged-" in await refusal(place)
        assert Path(f"{place}.damaged-20231114T221320Z").read_bytes() == content[:length]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE records SET body = CAST(replace(body, 'card', 'cart') AS BLOB) WHERE sequence = 3",
            "record 3 is not what was",
        ),
        ("UPDATE records SET at = at + 1 WHERE sequence = 2", "record 2 is not what was written"),
        ("UPDATE records SET kind = 'lock_out_pressed' WHERE sequence = 5", "record 5 is not what was written"),
        ("DELETE FROM records WHERE sequence = 4", "record 4 is missing: 5 stands in its place"),
        ("UPDATE about SET genesis = randomblob(32)", "record 1 is not what was written"),
        ("DROP TABLE about", "no such table|SQLite"),
    ],
)
async def test_a_broken_chain_names_its_first_broken_record(path: Path, statement: str, message: str) -> None:
    await fill(path)
    alter(path, "DROP TRIGGER records_are_never_changed", "DROP TRIGGER records_are_never_deleted", statement)
    with pytest.raises(JournalError, match=message):
        async with SqliteJournal.open(path):
            pytest.fail("opened")


async def unclosed(path: Path, records: int = 6) -> None:
    """Leave a journal as a killed daemon does, with its last records in the log."""
    async with SqliteJournal.open(path) as journal:
        for at in range(records):
            await journal.append((card_drawn(at),))
        log = Path(f"{path}-wal").read_bytes()
        # By another process: closing the file in this one would give up the lock that SQLite holds on it.
        content = subprocess.run(["/bin/cat", str(path)], capture_output=True, check=True).stdout
    path.write_bytes(content)
    Path(f"{path}-wal").write_bytes(log)


async def test_a_journal_that_was_not_closed_is_read_from_its_log(path: Path) -> None:
    await unclosed(path)
    assert len(await records_of(path)) == 6


async def test_a_journal_copied_without_its_log_is_refused(path: Path) -> None:
    await unclosed(path)
    Path(f"{path}-wal").unlink()
    assert "in its write-ahead log journal.sqlite-wal, which is gone" in await refusal(path)


async def test_a_log_without_its_journal_is_refused(path: Path) -> None:
    await unclosed(path)
    path.unlink()
    assert "the file itself is gone" in await refusal(path)
    assert names(path) == ["journal.sqlite.damaged-20231114T221320Z-wal"]
    assert "no new one is begun" in await refusal(path)


@pytest.mark.parametrize("place", [2, 16, 28, 32 + 30, 32 + 24 + 4000])
async def test_a_damaged_log_is_refused_and_set_aside_unaltered(path: Path, place: int) -> None:
    await unclosed(path)
    log = Path(f"{path}-wal")
    damaged = bytearray(log.read_bytes())
    damaged[place] ^= 4
    log.write_bytes(damaged)
    content = path.read_bytes()
    assert "log journal.sqlite-wal" in await refusal(path)
    assert path.with_name("journal.sqlite.damaged-20231114T221320Z").read_bytes() == content
    assert path.with_name("journal.sqlite.damaged-20231114T221320Z-wal").read_bytes() == damaged


async def test_an_interrupted_last_commit_is_told_and_does_not_count(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await unclosed(path)
    log = Path(f"{path}-wal")
    torn = bytearray(log.read_bytes())
    torn[-1] ^= 1
    log.write_bytes(torn)
    with caplog.at_level(logging.WARNING):
        assert len(await records_of(path)) == 5
    assert "its last commit was interrupted" in caplog.text


async def test_an_event_that_no_contract_knows_is_refused_and_the_journal_goes_on(path: Path) -> None:
    stray = lock_out(1)
    object.__setattr__(stray, "kind", "lock_out_released")
    async with SqliteJournal.open(path) as journal:
        with pytest.raises(JournalError, match="cannot hold this event"):
            await journal.append((stray,))
        assert [record.sequence for record in await journal.append((lock_out(2),))] == [1]


async def test_a_record_that_no_contract_knows_is_named_and_not_skipped(path: Path) -> None:
    await fill(path, 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        end = journal_sql.end_of(connection, journal_sql.head_of(connection))
        body = b'{"at":3,"device":"keys","kind":"lock_out_released"}'
        hash_ = chain.link_hash(end.hash, 3, 3, b"lock_out_released", body)
        connection.execute("INSERT INTO records VALUES (3, 3, 'lock_out_released', ?, ?)", (body, hash_))
    with pytest.raises(JournalError, match=r"record 3 of the journal .*run that release or a later one"):
        await records_of(path)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE records SET at = at + 1 WHERE sequence = 2", "record 2 is not what was written"),
        ("DELETE FROM records WHERE sequence > 2", "record 3 is missing"),
        ("DROP TABLE records", "no such table"),
    ],
)
async def test_what_is_damaged_under_an_open_journal_is_not_handed_out(
    path: Path, statement: str, message: str
) -> None:
    async with SqliteJournal.open(path) as journal:
        await journal.append(tuple(map(card_drawn, range(3))))
        records = await journal.read(Sequence(0))
        assert journal._thread is not None
        for sql in ("DROP TRIGGER records_are_never_changed", "DROP TRIGGER records_are_never_deleted", statement):
            await journal._thread.run(partial(execute, journal, sql))
        with pytest.raises(JournalError, match=message):
            list(records)


# --- from elsewhere -----------------------------------------------------------------------------------


async def test_a_journal_from_the_future_is_refused_and_left(path: Path) -> None:
    await fill(path)
    alter(path, "UPDATE about SET software = '9.1.0'", "PRAGMA user_version = 99")
    content = path.read_bytes()
    said = await refusal(path)
    assert "schema version 99, last opened by table-bridge 9.1.0" in said
    assert "Run that release or a later one" in said
    assert path.read_bytes() == content
    assert names(path) == ["journal.sqlite"]


async def test_somebody_elses_database_is_refused_and_left(path: Path) -> None:
    alter(path, "CREATE TABLE photographs (title TEXT)")
    assert "not a table journal" in await refusal(path)
    assert names(path) == ["journal.sqlite"]


# --- when the disk says no ----------------------------------------------------------------------------

_FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from bridge.stores.journal import JournalError
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.suites import card_drawn

async def main():
    async with SqliteJournal.open(Path(sys.argv[1])) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60000, resource.RLIM_INFINITY))
        written = 0
        try:
            while True:
                await journal.append((card_drawn(written),))
                written += 1
        except JournalError as error:
            print(written, error)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        appends = [journal.append((card_drawn(0),)) for _ in range(3)]
        answers = await asyncio.gather(*appends, return_exceptions=True)
        assert all(isinstance(answer, JournalError) for answer in answers), answers

asyncio.run(main())
"""


async def test_a_full_disk_closes_the_journal_for_good_and_loses_nothing_written(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, str(path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "writing failed" in done.stdout
    assert "free some space on that disk" in done.stdout
    assert len(await records_of(path)) >= int(done.stdout.split()[0]) > 0


async def test_a_journal_that_is_taken_away_while_it_is_written_is_told_at_once(path: Path) -> None:
    elsewhere = path.with_name("elsewhere")
    async with SqliteJournal.open(path) as journal:
        await journal.append((card_drawn(1),))
        path.rename(elsewhere)
        with pytest.raises(JournalError, match=r"was moved, removed or replaced .*; bring it back to its place"):
            await journal.append((card_drawn(2),))
    assert not path.exists()
    elsewhere.rename(path)
    assert len(await records_of(path)) == 1


async def test_whoever_waited_behind_a_failed_commit_hears_of_it(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        assert journal._thread is not None
        await journal._thread.run(lambda: journal._writer.connection.execute("PRAGMA query_only = ON"))
        answers = await asyncio.gather(
            *(journal.append((card_drawn(at),)) for at in range(20)), return_exceptions=True
        )
        assert {type(answer) for answer in answers} == {JournalError}
        await journal._thread.run(lambda: journal._writer.connection.execute("PRAGMA query_only = OFF"))
        with pytest.raises(JournalError, match="writing failed"):
            await journal.append((card_drawn(1),))
    assert await records_of(path) == []


_AS_NOBODY = """
import asyncio, os, sys
from pathlib import Path
from bridge.stores.journal import JournalError
from bridge.stores.sqlite_journal import SqliteJournal

async def main():
    try:
        async with SqliteJournal.open(Path(sys.argv[1])):
            print("opened")
    except JournalError as error:
        print(error)

if os.getuid() == 0:
    os.setuid(65534)
asyncio.run(main())
"""


@pytest.mark.parametrize("existing", [True, False])
async def test_without_permission_the_operator_is_told_what_to_give(existing: bool, path: Path) -> None:
    if existing:
        await fill(path)
        path.chmod(0o400)
    path.parent.chmod(0o555)
    for folder in path.parent.parents[:-2]:
        folder.chmod(folder.stat().st_mode | 0o055)
    done = subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, str(path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    path.parent.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert "read and write access" in done.stdout
    assert names(path) == (["journal.sqlite"] if existing else [])


async def test_opening_that_was_cancelled_leaves_the_file_free(path: Path) -> None:
    await fill(path)
    opening = asyncio.ensure_future(SqliteJournal.open(path).__aenter__())
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert len(await records_of(path)) == 5


async def test_a_damaged_journal_that_cannot_be_moved_stays_as_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"no database at all" * 300)

    def refuse(_path: Path, _now: Timestamp, _companions: object) -> Path:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(sqlite_file, "set_aside", refuse)
    said = await refusal(path)
    assert "could not be set aside: Permission denied; give the daemon's user" in said
    assert path.read_bytes() == b"no database at all" * 300


async def test_a_log_that_cannot_be_emptied_closes_the_journal_and_keeps_its_records(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with SqliteJournal.open(path) as journal:

        def full() -> None:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorname = "SQLITE_FULL"
            raise error

        monkeypatch.setattr(journal_writer, "_EMPTY_LOG_AFTER_COMMITS", 1)
        monkeypatch.setattr(journal._writer, "empty_log", full)
        await journal.append((card_drawn(1),))
        assert journal._thread is not None
        await journal._thread.run(lambda: None)
        with pytest.raises(JournalError, match="disk is full; free some space"):
            await journal.append((card_drawn(2),))
    assert [record.event for record in await records_of(path)] == [card_drawn(1)]


async def test_a_file_that_cannot_be_laid_down_keeps_its_records_in_the_log(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with SqliteJournal.open(path) as journal:
        await journal.append((card_drawn(1),))
        assert journal._thread is not None
        await journal._thread.run(journal._writer.connection.close)
    assert "not closed in order" in caplog.text
    assert [record.event for record in await records_of(path)] == [card_drawn(1)]
