"""Our database files on the disk: made whole or not at all, private, durable, and set aside when damaged."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable, Sequence as Items
from contextlib import closing
from pathlib import Path

from bridge.clock import in_zone
from bridge.domain.identity import Timestamp
from bridge.stores.file_errors import DamagedFileError, FileRefusedError, remedy
from bridge.stores.migrate import Schema, prepare
from bridge.stores.private import make_folder, sync_folder

_OTHERS = 0o077

_SET_ASIDE = ".damaged-"
_BEGIN = b"SQLite format 3\x00"
"""The first bytes of every database file, as its format says."""

COMPANIONS = ("", "-wal", "-shm", "-journal")
"""What belongs to a database file: itself, its write-ahead log, that log's index, and what undoes a change."""


def create(path: Path, schema: Schema) -> bool:
    """Make a database file with its schema unless there is one; return whether it was made.

    It is prepared under another name and linked into place when it is complete and on the disk, so a file
    of that name is never half made, and of two processes only one makes it. Raise ``FileRefusedError``.
    """
    try:
        if path.exists():
            if not path.is_file():
                raise FileRefusedError(f"{path} is a folder or a device, and no file; configure another path")
            return False
        make_folder(path.parent)
        unnamed = prepare_unnamed(path, schema)
        try:
            os.link(unnamed, path)
        finally:
            discard(unnamed)
        sync_folder(path.parent)
    except FileExistsError:
        return False
    except (OSError, sqlite3.Error) as error:
        raise FileRefusedError(f"cannot create {path}: {remedy(error)}") from error
    return True


def prepare_unnamed(
    path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None] = lambda _connection: None
) -> Path:
    """Make a database file, complete and on the disk, that is to be called ``path``; return where it is.

    Raise ``OSError`` or ``sqlite3.Error``; nothing is left then.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(descriptor)
    unnamed = Path(name)
    try:
        with closing(sqlite3.connect(unnamed, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            connection.execute("PRAGMA synchronous = FULL")
            prepare(connection, schema)
            fill(connection)
    except BaseException:
        discard(unnamed)
        raise
    return unnamed


def discard(path: Path) -> None:
    """Take away a file that was prepared, if it is still under that name, with its companions."""
    for companion in COMPANIONS:
        Path(f"{path}{companion}").unlink(missing_ok=True)


class FileConnection(sqlite3.Connection):
    """A connection that knows which file it was opened to.

    SQLite goes on writing to a file that was moved, removed or replaced, and what it writes is found by nobody.
    """

    def opened(self, path: Path) -> None:
        """Note what the path leads to now."""
        self._path, self._file = path, _identity(path)

    def require_in_place(self) -> None:
        """Raise ``OSError`` if the path leads to another file now, or to none."""
        try:
            in_place = _identity(self._path) == self._file
        except FileNotFoundError:
            in_place = False
        if not in_place:
            raise OSError(errno.ESTALE, f"{self._path} was moved, removed or replaced while it was in use")


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def connect(path: Path, *, wait_s: int, exclusive: bool = False) -> FileConnection:
    """Open an existing database file for durable writing; transactions are begun and ended by name.

    An exclusive connection locks everybody else out from its first transaction until it is closed.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=wait_s,
        isolation_level=None,
        factory=FileConnection,
    )
    try:
        connection.opened(path)
        if exclusive:
            # Before the file is touched: SQLite then makes no index of the log that others could share.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def keep_private(path: Path) -> None:
    """Take a file away from everybody but its owner; raise ``FileRefusedError`` if that is not allowed."""
    mode = path.stat().st_mode
    if mode & _OTHERS:
        try:
            path.chmod(mode & ~_OTHERS)
        except OSError as error:
            raise FileRefusedError(
                f"others than its owner may read {path}, which must stay sealed, and its mode cannot be changed:"
                f" {remedy(error)}"
            ) from error


def refuse_empty(connection: sqlite3.Connection) -> None:
    """Raise ``DamagedFileError`` if a file has no first page: SQLite would take it for a new database."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    if pages == 0:
        raise DamagedFileError("it is empty or cut short within its first page")


def is_database(path: Path) -> bool:
    """Return whether a file is a database, or may have been one: it is empty, or begins as all of them do."""
    with path.open("rb") as file:
        begin = file.read(len(_BEGIN))
    return begin in (b"", _BEGIN)


def check_integrity(connection: sqlite3.Connection) -> None:
    """Raise ``DamagedFileError`` if the database's own check finds anything."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
    if found != ["ok"]:
        raise DamagedFileError(f"the database's integrity check says: {'; '.join(found)}")


def set_aside(path: Path, now: Timestamp, companions: Items[str] = COMPANIONS) -> Path:
    """Rename a file and its companions so that nothing overwrites them; return the new name.

    To be called while the connection is still open: SQLite leaves alone what is no longer under its name.
    Raise ``OSError``.
    """
    stamp = in_zone(now).strftime("%Y%m%dT%H%M%SZ")
    aside = path.with_name(f"{path.name}{_SET_ASIDE}{stamp}")
    attempt = 1
    while any(Path(f"{aside}{companion}").exists() for companion in companions):
        attempt += 1
        aside = path.with_name(f"{path.name}{_SET_ASIDE}{stamp}-{attempt}")
    for companion in companions:
        source = Path(f"{path}{companion}")
        if source.exists():
            source.rename(f"{aside}{companion}")
    sync_folder(path.parent)
    return aside


def files_set_aside(path: Path) -> list[Path]:
    """Return what ``set_aside`` has left beside a path."""
    return sorted(path.parent.glob(f"{path.name}{_SET_ASIDE}*"))
