"""What the disk or SQLite refuses about a database file, as errors that say what a person can do."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from bridge.domain.errors import BridgeError

_CHECK_DISK = "check the disk and its cable (dmesg tells more), then start again"
_GIVE_ACCESS = "give the daemon's user read and write access to the file and to its folder"
_FREE_SPACE = "free some space on that disk, or lift the limit on file sizes, then start again"
_OS_REMEDIES = {
    errno.EACCES: _GIVE_ACCESS,
    errno.EPERM: _GIVE_ACCESS,
    errno.EROFS: "mount that disk writable, or configure another path",
    errno.ENOSPC: _FREE_SPACE,
    errno.EDQUOT: _FREE_SPACE,
    errno.EFBIG: _FREE_SPACE,
    errno.ENOTDIR: "a part of that path is a file; configure another path",
    errno.ESTALE: "bring it back to its place, then start again",
    errno.ENOENT: "a part of that path cannot be made; configure another path",
}
_SQLITE_REMEDIES = {
    "SQLITE_FULL": _FREE_SPACE,
    "SQLITE_IOERR_WRITE": _FREE_SPACE,
    "SQLITE_READONLY": _GIVE_ACCESS,
    "SQLITE_CANTOPEN": _GIVE_ACCESS,
    "SQLITE_PERM": _GIVE_ACCESS,
    "SQLITE_CONSTRAINT": "the file refuses what may not stand in it; keep it, and report this as a fault of ours",
    "SQLITE_BUSY": "another process holds it; stop that process, or wait until it has finished",
}


class FileRefusedError(BridgeError):
    """The disk or the system refused something about a database file; the message says what to do."""


class DamagedFileError(BridgeError):
    """A database file is not what was written; the message says how that was seen."""


@contextmanager
def damage_told() -> Iterator[None]:
    """Let what SQLite says of damage out as a ``DamagedFileError``, and other errors as they are.

    What it says of a damaged schema may quote a part of it that is no text, and cannot be said then.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        raise DamagedFileError("SQLite says: malformed database schema") from error
    except sqlite3.Error as error:
        if _name(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            raise DamagedFileError(f"SQLite says: {error}") from error
        raise


def is_of_storage(error: Exception) -> bool:
    """Return whether an error is about a file or its disk, and not about what was to be written to it."""
    if isinstance(error, sqlite3.Error):
        return not isinstance(error, sqlite3.IntegrityError | sqlite3.DataError)
    return isinstance(error, OSError | MemoryError)


def is_busy(error: Exception) -> bool:
    """Return whether another process holds the file."""
    return isinstance(error, sqlite3.Error) and _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def remedy(error: OSError | sqlite3.Error) -> str:
    """Return what went wrong and what a person can do about it."""
    if isinstance(error, OSError):
        return f"{error.strerror or error}; {_OS_REMEDIES.get(error.errno or 0, _CHECK_DISK)}"
    name = _name(error)
    for prefix, advice in _SQLITE_REMEDIES.items():
        if name.startswith(prefix):
            return f"{error}; {advice}"
    return f"{error} ({name}); {_CHECK_DISK}"


def _name(error: sqlite3.Error) -> str:
    """Return SQLite's name of an error; errors of the Python module itself have none."""
    return getattr(error, "sqlite_errorname", None) or "SQLITE_MISUSE"
