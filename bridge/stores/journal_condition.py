"""Whether a journal's file is what was written, as far as that can be told without folding it."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import Sequence
from bridge.stores import chain, journal_sql, sqlite_file
from bridge.stores.chain import BrokenChainError, Fault
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.journal_sql import FileHead
from bridge.stores.write_ahead_log import LogCondition

LONG_FILE_RECORDS = 100_000
"""Two busy gaming days, and half a second of looking at them. A file does not grow longer if it can be helped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A file that is what was written."""

    head: FileHead
    end: chain.Link
    looked_at_from: Sequence
    """The first record that was looked at: of a long file, those since its newest snapshot."""
    interrupted: bool
    """Its last commit was cut off, as by a power cut; nothing had been acknowledged of it."""


def examine(connection: sqlite3.Connection, log: LogCondition, path: Path) -> Examined:
    """Check about a file whatever can be checked by itself, within a second; raise ``DamagedFileError``."""
    sqlite_file.check_integrity(connection)
    head = journal_sql.head_of(connection)
    interrupted = examine_log(log, head, path)
    begin = head.before
    if journal_sql.end_of(connection, head).sequence - begin.sequence > LONG_FILE_RECORDS:
        newest = next(journal_sql.sound_snapshots(connection, head), None)
        begin = begin if newest is None else chain.Link(newest.sequence, newest.hash)
    end = chain.walk(journal_sql.rows_from(connection, begin.sequence), begin)
    refuse_contradicted(connection, head, end)
    return Examined(head=head, end=end, looked_at_from=Sequence(begin.sequence + 1), interrupted=interrupted)


def examine_log(log: LogCondition, head: FileHead, path: Path) -> bool:
    """Return whether the last commit was interrupted; raise ``DamagedFileError`` if more than that is missing."""
    if not log.header_sound:
        if head.incomplete:
            what = "does not check" if log.size else "is gone"
            raise DamagedFileError(f"its last records are in its write-ahead log {path.name}-wal, which {what}")
        return False
    if log.commits_hidden > 1:
        raise DamagedFileError(
            f"{log.commits_hidden} commits of its write-ahead log {path.name}-wal stand behind a part that does"
            " not check"
        )
    return log.commits_hidden == 1


def refuse_contradicted(connection: sqlite3.Connection, head: FileHead, end: chain.Link) -> None:
    """Raise ``BrokenChainError`` if a state was kept that tells of records which are not there (any more)."""
    for snapshot in journal_sql.snapshots_down_from(connection):
        if not snapshot.is_whole:
            continue
        if snapshot.sequence > end.sequence:
            raise BrokenChainError(
                Sequence(end.sequence + 1),
                Fault.MISSING,
                f"is missing: the state was kept after record {snapshot.sequence}",
            )
        before = head.before
        if snapshot.sequence < before.sequence or (
            snapshot.sequence == before.sequence and snapshot.hash != before.hash
        ):
            raise BrokenChainError(
                head.first,
                Fault.HASH,
                f"does not stand on record {before.sequence}, as the file says: a state of another was kept in it",
            )
