"""Power cuts and rotten disks: nothing of a journal is taken for what was written that was not.

Every byte of a small file is spoilt, and it is cut at every byte of its last page and of its log. What is told
then is either exactly what was written, or a part of it from the beginning, with the first broken record named.
"""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bridge.domain.events import DeviceLost, TableEvent
from bridge.domain.identity import DeviceId, Sequence, Timestamp
from bridge.stores import chain, journal_condition, journal_sql, sqlite_file, write_ahead_log
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.journal import JournalError
from bridge.stores.journal_check import verify
from bridge.stores.journal_file import readable, rows_across
from bridge.stores.migrate import JOURNAL, prepare, version_of
from bridge.stores.snapshots import make_snapshot
from bridge.stores.sqlite_journal import SqliteJournal
from tests.stores.suites import card_drawn, lock_out

PAGE = 512
"""The smallest page there is, so that a small file has all kinds of pages."""
FRAME = 24 + PAGE
_LONG = DeviceLost(at=Timestamp(3), device=DeviceId("shoe"), reason="does not answer, " * 40)
EVENTS: tuple[TableEvent, ...] = (card_drawn(1), lock_out(2), _LONG, *map(card_drawn, range(4, 9)))


@dataclass(frozen=True, slots=True)
class Left:
    """What a daemon leaves: its file, the log of that, and the records that it had acknowledged."""

    file: bytes
    log: bytes
    rows: tuple[chain.Row, ...]

    def lay_out(self, path: Path) -> None:
        path.write_bytes(self.file)
        Path(f"{path}-wal").unlink(missing_ok=True)
        if self.log:
            Path(f"{path}-wal").write_bytes(self.log)


def made_small(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute("PRAGMA journal_mode = WAL")
        prepare(connection, JOURNAL)


async def _die_at_work(path: Path) -> None:
    """Journal some events one by one, and be copied as a power cut would leave it."""
    left = path.with_name("left")
    async with SqliteJournal.open(path) as journal:
        await journal.begin_day("2026-11-29")
        for event in EVENTS:
            await journal.append([event])
        hash_ = await journal.hash_at(Sequence(4))
        await journal.keep(
            make_snapshot(sequence=Sequence(4), hash_=hash_, software="1", code=bytes(32), body=b'{"state":{}}')
        )
        await journal.append([lock_out(9)])
        # By another process: closing the file in this one would give up the lock that SQLite holds on it.
        for companion in ("", "-wal"):
            copying = await asyncio.create_subprocess_exec("/bin/cp", f"{path}{companion}", f"{left}{companion}")
            assert await copying.wait() == 0


@pytest.fixture(scope="module")
def died(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A daemon that was killed: everything is in the log."""
    folder = tmp_path_factory.mktemp("died")
    made_small(folder / "bj.journal")
    asyncio.run(_die_at_work(folder / "bj.journal"))
    left = folder / "left"
    rows = tuple(rows_across([left], 0))
    assert len(rows) == len(EVENTS) + 1
    return Left(left.read_bytes(), Path(f"{left}-wal").read_bytes(), rows)


@pytest.fixture(scope="module")
def closed(died: Left, tmp_path_factory: pytest.TempPathFactory) -> Left:
    """The same, closed in order: everything is in the file."""
    path = tmp_path_factory.mktemp("closed") / "bj.journal"
    died.lay_out(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Left(path.read_bytes(), b"", died.rows)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bj.journal"


def looked_at(left: Left) -> int | None:
    """Assert that what a start would find in spoilt files is true; return how many records, None if it refuses.

    In memory, for there are many: the examination is the very one that opens a journal.
    """
    log = write_ahead_log.examine(left.log)
    whole = bytearray(write_ahead_log.laid_over(left.file, left.log, log))
    if len(whole) >= PAGE:
        whole[18:20] = b"\x01\x01"
    try:
        with readable(Path("bj.journal")), closing(sqlite3.connect(":memory:")) as connection:
            if whole:
                connection.deserialize(bytes(whole))
            sqlite_file.refuse_empty(connection)
            version_of(connection, JOURNAL, Path("bj.journal"))
            examined = journal_condition.examine(connection, log, Path("bj.journal"))
            rows = tuple(journal_sql.rows_from(connection, examined.head.before.sequence))
    except (JournalError, DamagedFileError):
        return None
    assert rows == left.rows[: len(rows)], "something is told that was not written"
    return len(rows)


def check(path: Path, left: Left) -> int | None:
    """Assert that what is told of a spoilt journal is true; return how many records are, None if it is refused."""
    try:
        verdict = verify(path, processes=1)
    except JournalError:
        return None
    told: list[chain.Row] = []
    try:
        told.extend(rows_across([path], 0))
    except (JournalError, DamagedFileError):
        assert verdict.broken is not None
    assert tuple(told) == left.rows[: len(told)], "something is told that was not written"
    assert verdict.records <= len(told)
    if verdict.broken is None:
        assert len(told) == verdict.records
        return verdict.records
    if verdict.broken.sequence is not None:
        assert verdict.broken.sequence == verdict.records + 1, "the first broken record follows the sound ones"
    return None


async def opened(path: Path) -> tuple[TableEvent, ...] | None:
    """Return what the daemon would go on from; None if it refuses."""
    try:
        async with SqliteJournal.open(path) as journal:
            return tuple(record.event for record in await journal.read(Sequence(0)))
    except JournalError:
        return None


# --- a bit falls over ---------------------------------------------------------------------------------


def flipped(content: bytes, place: int) -> bytes:
    """Return the content with a bit of one byte fallen over; another bit in each byte."""
    spoilt = bytearray(content)
    spoilt[place] ^= 1 << (place % 8)
    return bytes(spoilt)


@pytest.mark.parametrize("part", range(4))
def test_a_bit_that_fell_over_in_any_byte_of_the_file_is_found_or_changes_nothing(closed: Left, part: int) -> None:
    found = 0
    for place in range(part, len(closed.file), 4):
        records = looked_at(replace(closed, file=flipped(closed.file, place)))
        assert records in (None, len(closed.rows)), f"byte {place}"
        found += records is None
    assert found > len(closed.file) // 16


def test_a_bit_that_fell_over_in_the_log_is_found_or_costs_the_last_commit_alone(died: Left) -> None:
    """In any byte that says what the log is, and in some of every page: a page has one sum."""
    starts = range(32, len(died.log), FRAME)
    says = {*range(32), *(start + place for start in starts for place in range(24))}
    last_commit = starts[-2]
    for place in sorted({*says, *range(0, len(died.log), 23)}):
        records = looked_at(replace(died, log=flipped(died.log, place)))
        assert records in (None, len(died.rows), len(died.rows) - 1), f"byte {place}"
        assert records != len(died.rows) - 1 or place >= last_commit, f"byte {place}"


def test_verification_tells_nothing_that_was_spoilt(closed: Left, died: Left, path: Path) -> None:
    for place in range(0, len(closed.file), 41):
        replace(closed, file=flipped(closed.file, place)).lay_out(path)
        assert check(path, closed) in (None, len(closed.rows)), f"byte {place}"
    for place in range(0, len(died.log), 61):
        replace(died, log=flipped(died.log, place)).lay_out(path)
        assert check(path, died) in (None, len(died.rows), len(died.rows) - 1), f"byte {place} of the log"


def test_every_bit_of_every_record_counts(closed: Left, path: Path) -> None:
    for sequence, _, _, body, hash_ in closed.rows:
        end = body[-16:] + hash_
        at = closed.file.find(end)
        assert at > 0, "a record lies in the file as it is"
        for place in range(0, len(end), 5):
            path.write_bytes(flipped(closed.file, at + place))
            verdict = verify(path)
            assert verdict.broken is not None
            assert verdict.broken.sequence == sequence


async def test_a_daemon_goes_on_from_nothing_that_was_spoilt(closed: Left, died: Left, path: Path) -> None:
    events = (*EVENTS, lock_out(9))
    spoilt = [replace(closed, file=flipped(closed.file, place)) for place in range(0, len(closed.file), 397)]
    spoilt += [replace(died, log=flipped(died.log, place)) for place in range(0, len(died.log), 397)]
    for number, left in enumerate(spoilt):
        place = in_folder(path, number)
        left.lay_out(place)
        assert await opened(place) in (None, events, events[:-1])


# --- the power goes -----------------------------------------------------------------------------------


def test_a_log_cut_at_any_byte_of_its_last_pages_gives_what_was_committed_by_then(died: Left) -> None:
    cuts = range(len(died.log) - 2 * FRAME, len(died.log) + 1)
    records = [looked_at(replace(died, log=died.log[:length])) for length in cuts]
    assert None not in records, "a power cut is no damage"
    assert records == sorted(records, key=lambda n: n or 0)
    assert records[-1] == len(died.rows)


def test_a_log_cut_anywhere_is_a_part_from_the_beginning_or_refused(died: Left, path: Path) -> None:
    for length in range(0, len(died.log), 89):
        replace(died, log=died.log[:length]).lay_out(path)
        assert check(path, died) == looked_at(replace(died, log=died.log[:length]))


def test_a_file_cut_at_any_byte_of_its_last_page_or_at_any_page_is_refused(closed: Left) -> None:
    for length in (*range(0, len(closed.file), PAGE), *range(len(closed.file) - PAGE, len(closed.file))):
        assert looked_at(replace(closed, file=closed.file[:length])) is None, f"{length} bytes"


async def test_a_daemon_refuses_a_cut_file_and_goes_on_from_a_cut_log(
    closed: Left, died: Left, path: Path
) -> None:
    events = (*EVENTS, lock_out(9))
    for number, length in enumerate(range(len(closed.file) - PAGE - 40, len(closed.file), 61)):
        place = in_folder(path, number)
        replace(closed, file=closed.file[:length]).lay_out(place)
        assert await opened(place) is None
    for number, length in enumerate(range(len(died.log) - 2 * FRAME, len(died.log), 61), start=100):
        place = in_folder(path, number)
        replace(died, log=died.log[:length]).lay_out(place)
        assert await opened(place) in (events, events[:-1])


def test_a_page_that_was_written_over_by_another_is_found(closed: Left) -> None:
    pages = [closed.file[start : start + PAGE] for start in range(0, len(closed.file), PAGE)]
    for target in range(1, len(pages)):
        for source in {0, (target + 1) % len(pages), len(pages) - 1} - {target}:
            spoilt = b"".join(pages[source] if number == target else page for number, page in enumerate(pages))
            assert looked_at(replace(closed, file=spoilt)) in (None, len(closed.rows))


def in_folder(path: Path, number: int) -> Path:
    """Return a place of its own for a journal: what is set aside would stop the next one."""
    folder = path.parent / str(number)
    folder.mkdir()
    return folder / path.name
