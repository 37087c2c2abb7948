import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.stores.write_ahead_log import examine, laid_over

SOUND = (True, 0)
HEADER, FRAME = 32, 24 + 512


@pytest.fixture
def log(tmp_path: Path) -> Iterator[bytearray]:
    """A log that SQLite itself wrote: four commits, two frames in the last one."""
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x BLOB)")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for size in (1, 2, 3, 900):
            connection.execute("INSERT INTO t VALUES (randomblob(?))", (size,))
        yield bytearray(Path(f"{path}-wal").read_bytes())


def found(log: bytes | bytearray) -> tuple[bool, int]:
    """Return whether the header is sound, and how many commits are hidden."""
    condition = examine(bytes(log))
    return condition.header_sound, condition.commits_hidden


def commits(log: bytes | bytearray) -> list[int]:
    """Return the numbers of the frames that end a commit."""
    frames = range(HEADER, len(log), FRAME)
    return [n for n, start in enumerate(frames) if log[start + 4 : start + 8] != bytes(4)]


def test_what_sqlite_wrote_is_sound(log: bytearray) -> None:
    assert found(log) == SOUND
    assert len(commits(log)) == 4


def test_big_endian_check_sums_are_understood(log: bytearray) -> None:
    """A log from a machine of the other byte order, made by summing the same words the other way round."""
    log[3] |= 1
    first = second = 0

    def summed(data: bytes, first: int, second: int) -> tuple[int, int]:
        for at in range(0, len(data), 8):
            first = (first + int.from_bytes(data[at : at + 4]) + second) % 2**32
            second = (second + int.from_bytes(data[at + 4 : at + 8]) + first) % 2**32
        return first, second

    first, second = summed(bytes(log[:24]), first, second)
    log[24:32] = first.to_bytes(4) + second.to_bytes(4)
    for start in range(HEADER, len(log), FRAME):
        first, second = summed(bytes(log[start : start + 8] + log[start + 24 : start + FRAME]), first, second)
        log[start + 16 : start + 24] = first.to_bytes(4) + second.to_bytes(4)
    assert found(log) == SOUND
    log[-1] ^= 1
    assert examine(bytes(log)).commits_hidden == 1


@pytest.mark.parametrize("place", [0, 3, 8, 12, 16, 20, 24, 31])
def test_a_header_that_does_not_check_hides_everything(log: bytearray, place: int) -> None:
    log[place] ^= 2
    assert not examine(bytes(log)).header_sound


@pytest.mark.parametrize("length", [0, 1, 31])
def test_a_log_without_a_header_is_not_sound(log: bytearray, length: int) -> None:
    assert not examine(bytes(log[:length])).header_sound


@pytest.mark.parametrize("part", [0, 16, 24, 24 + 511])
@pytest.mark.parametrize("commit", range(4))
def test_commits_behind_damage_are_counted(log: bytearray, commit: int, part: int) -> None:
    frame = commits(log)[commit]
    log[HEADER + frame * FRAME + part] ^= 1
    assert found(log) == (True, 4 - commit)


def test_a_log_cut_after_a_commit_looks_whole(log: bytearray) -> None:
    frame = commits(log)[1]
    assert found(log[: HEADER + (frame + 1) * FRAME]) == SOUND


def test_a_commit_that_was_cut_in_its_last_page_is_one_interrupted_commit(log: bytearray) -> None:
    assert examine(bytes(log[:-1])).commits_hidden == 1


def test_frames_from_before_the_log_began_anew_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x)")
        for number in range(10):
            connection.execute("INSERT INTO t VALUES (?)", (number,))
        connection.execute("PRAGMA wal_checkpoint(RESTART)")
        connection.execute("INSERT INTO t VALUES (10)")
        log = Path(f"{path}-wal").read_bytes()
    assert len(log) > 10 * 4096
    assert found(log) == SOUND


def rows_in(database: bytes) -> list[bytes]:
    """Read a database as one that has no log (bytes 18 and 19 of its header say that it has one)."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(database[:18] + b"\x01\x01" + database[20:])
        return [x for (x,) in connection.execute("SELECT x FROM t ORDER BY rowid")]


@pytest.mark.parametrize("page_bytes", [512, 4096])
def test_a_log_laid_over_its_file_is_what_sqlite_reads_whatever_was_moved_into_the_file(
    tmp_path: Path, page_bytes: int
) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {page_bytes}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x BLOB)")
        for number in range(40):
            if number % 7 == 3:
                connection.execute(f"PRAGMA wal_checkpoint({('PASSIVE', 'RESTART')[number % 2]})")
            connection.execute("INSERT INTO t VALUES (randomblob(?))", (number * 50,))
            connection.execute("UPDATE t SET x = randomblob(10) WHERE rowid = ?", (number // 2,))
            log = Path(f"{path}-wal").read_bytes()
            expected = [x for (x,) in connection.execute("SELECT x FROM t ORDER BY rowid")]
            assert rows_in(laid_over(path.read_bytes(), log, examine(log))) == expected


def test_a_log_that_was_cut_gives_what_was_committed_before(log: bytearray, tmp_path: Path) -> None:
    database = (tmp_path / "a.sqlite").read_bytes()
    ends = [HEADER + (frame + 1) * FRAME for frame in commits(log)]
    for length in range(len(log) + 1):
        cut = bytes(log[:length])
        whole_commits = sum(end <= length for end in ends)
        assert len(rows_in(laid_over(database, cut, examine(cut)))) == whole_commits
