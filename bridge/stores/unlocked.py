"""A database file looked at without a lock: what its owner has committed, while the owner goes on.

The file is not touched and nothing is made beside it. Where it has a write-ahead log, that is laid over a copy
in memory: SQLite itself would want to lock the file, or to move the log into it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bridge.stores import sqlite_file, write_ahead_log
from bridge.stores.file_errors import FileRefusedError, remedy
from bridge.stores.write_ahead_log import LogCondition

_ATTEMPTS = 10
"""A log begins anew about every 256 commits, and reading a file takes less than that."""
_FORMAT_VERSIONS = slice(18, 20)
"""Bytes of the file header that say whether a log belongs to it (SQLite file format, section 1.3.3)."""
_WITHOUT_LOG = b"\x01\x01"


class ChangingFileError(FileRefusedError):
    """A file would not stand still for as long as it takes to read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlocked:
    """A database that can be read, and how its log was found."""

    connection: sqlite3.Connection
    log: LogCondition


@contextmanager
def open_unlocked(path: Path) -> Iterator[Unlocked]:
    """Open a database file for reading only; what its owner goes on writing is seen as it was at that moment.

    Raise ``FileRefusedError``, ``DamagedFileError`` or ``sqlite3.Error``.
    """
    log = Path(f"{path}-wal")
    opened = _copied(path, log) if log.exists() else _in_place(path, log)
    with opened as unlocked:
        sqlite_file.refuse_empty(unlocked.connection)
        yield unlocked


@contextmanager
def _copied(path: Path, log: Path) -> Iterator[Unlocked]:
    try:
        content, of_log = _read_both(path, log)
    except OSError as error:
        raise FileRefusedError(f"cannot read {path}: {remedy(error)}") from error
    condition = write_ahead_log.examine(of_log)
    whole = bytearray(write_ahead_log.laid_over(content, of_log, condition))
    whole[_FORMAT_VERSIONS] = _WITHOUT_LOG
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        if content:
            connection.deserialize(bytes(whole))
        yield Unlocked(connection=connection, log=condition)


@contextmanager
def _in_place(path: Path, log: Path) -> Iterator[Unlocked]:
    """Read a file that nobody writes, for it has no log; "immutable" keeps SQLite from making one."""
    before = _marks(path, log)
    uri = f"{path.absolute().as_uri()}?immutable=1"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        yield Unlocked(connection=connection, log=write_ahead_log.examine(b""))
    if _marks(path, log) != before:
        raise ChangingFileError(f"{path} was changed while it was read; read it again")


def _read_both(path: Path, log: Path) -> tuple[bytes, bytes]:
    """Return file and log as they belong together.

    The file is read before the log. Whatever is moved into the file meanwhile is still in the log, as long as
    that does not begin anew, and so lies over it.
    """
    for _ in range(_ATTEMPTS):
        before = _begin_of(log)
        content = path.read_bytes()
        of_log = log.read_bytes() if log.exists() else b""
        if of_log[: write_ahead_log.HEADER_BYTES] == before:
            return content, of_log
    raise ChangingFileError(f"{path} changes faster than it can be read; read it when the table is quiet")


def _begin_of(log: Path) -> bytes:
    try:
        with log.open("rb") as file:
            return file.read(write_ahead_log.HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _marks(path: Path, log: Path) -> tuple[int, int, int, bool]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, log.exists()
