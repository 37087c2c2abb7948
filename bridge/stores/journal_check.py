"""The journal looked at from outside: whether it is what was written. Nothing in it is changed."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import Sequence
from bridge.stores import chain, sqlite_file, write_ahead_log
from bridge.stores.journal import JournalError
from bridge.stores.migrate import JOURNAL, WrongSchemaError, version_of
from bridge.stores.sqlite_file import DamagedFileError


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundJournal:
    """Every record follows from the one before it."""

    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenJournal:
    """A journal that is not what was written."""

    first_broken: Sequence | None
    """The first record that does not follow; None if the file is damaged elsewhere, or before any record."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A journal that is what was written."""

    end: chain.Link
    interrupted: bool
    """Its last commit was cut off, as by a power cut; nothing had been acknowledged of it."""


def examine(connection: sqlite3.Connection, path: Path) -> Examined:
    """Check everything about a journal that can be checked; raise ``DamagedFileError``."""
    sqlite_file.check_integrity(connection)
    (incomplete,) = connection.execute("SELECT incomplete FROM about").fetchone()
    interrupted = _examine_log(Path(f"{path}-wal"), incomplete=incomplete == 1)
    return Examined(end=chain.walk(connection), interrupted=interrupted)


def verify(path: Path) -> SoundJournal | BrokenJournal:
    """Check a journal that no daemon holds, also one that was set aside; raise ``JournalError`` if unreadable."""
    if not path.is_file():
        raise JournalError(f"there is no journal {path}; check the path")
    # A held journal has a log, and so has one that was not closed. Without one nobody else can be writing, and
    # "immutable" keeps SQLite from making files beside it.
    mode = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=0)) as connection:
            sqlite_file.refuse_empty(connection)
            version_of(connection, JOURNAL, path)
            return SoundJournal(records=examine(connection, path).end.sequence)
    except chain.BrokenChainError as error:
        return BrokenJournal(first_broken=error.sequence, reason=str(error))
    except DamagedFileError as error:
        return BrokenJournal(first_broken=None, reason=str(error))
    except WrongSchemaError as error:
        raise JournalError(str(error)) from error
    except sqlite3.Error as error:
        if sqlite_file.is_damage(error):
            return BrokenJournal(first_broken=None, reason=f"SQLite says: {error}")
        if sqlite_file.is_busy(error):
            raise JournalError(f"the journal {path} is in use by its daemon; stop that first") from error
        raise JournalError(f"cannot read the journal {path}: {sqlite_file.remedy(error)}") from error


def _examine_log(log: Path, *, incomplete: bool) -> bool:
    """Return whether the last commit was interrupted; raise ``DamagedFileError`` if more than that is missing."""
    content = log.read_bytes() if log.exists() else b""
    condition = write_ahead_log.examine(content)
    if not condition.header_sound:
        if incomplete:
            what = "does not check" if content else "is gone"
            raise DamagedFileError(f"its last records are in its write-ahead log {log.name}, which {what}")
        return False
    if condition.commits_hidden > 1:
        raise DamagedFileError(
            f"{condition.commits_hidden} commits of its write-ahead log {log.name} stand behind a part that does"
            " not check"
        )
    return condition.commits_hidden == 1
