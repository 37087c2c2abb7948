"""The files of a journal read from outside: whoever owns one goes on, and nothing in it is changed."""

import sqlite3
from collections.abc import Iterator, Sequence as Items
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import Sequence
from bridge.stores import chain, journal_sql
from bridge.stores.chain import BrokenChainError, Fault
from bridge.stores.file_errors import FileRefusedError, damage_told, remedy
from bridge.stores.journal import JournalError
from bridge.stores.journal_sql import FileHead
from bridge.stores.migrate import JOURNAL, WrongSchemaError, version_of
from bridge.stores.unlocked import open_unlocked
from bridge.stores.write_ahead_log import LogCondition


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalFile:
    """One file, opened for reading only."""

    path: Path
    connection: sqlite3.Connection
    head: FileHead
    log: LogCondition

    def link_at(self, sequence: int) -> chain.Link | None:
        """Return a record as a place to go on from, unchecked; None if it is not in this file."""
        return journal_sql.link_at(self.connection, self.head, sequence)

    def rows(self, after: chain.Link) -> Iterator[chain.Row]:
        """Yield the records after a place while each follows from the one before; raise ``BrokenChainError``."""
        return chain.follow(journal_sql.rows_from(self.connection, after.sequence), after)

    def end(self) -> chain.Link:
        """Return the last record, unchecked."""
        return journal_sql.end_of(self.connection, self.head)


@contextmanager
def open_journal_file(path: Path) -> Iterator[JournalFile]:
    """Open one file; raise ``JournalError`` if it cannot be read, ``DamagedFileError`` if it is not whole."""
    if not path.is_file():
        raise JournalError(f"there is no journal {path}; check the path")
    with readable(path), open_unlocked(path) as unlocked:
        version_of(unlocked.connection, JOURNAL, path)
        yield JournalFile(
            path=path,
            connection=unlocked.connection,
            head=journal_sql.head_of(unlocked.connection),
            log=unlocked.log,
        )


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Let errors of SQLite be told as damage, or as what a person can do about them."""
    try:
        with damage_told():
            yield
    except (FileRefusedError, WrongSchemaError) as error:
        raise JournalError(str(error)) from error
    except sqlite3.Error as error:
        raise JournalError(f"cannot read the journal {path}: {remedy(error)}") from error


def rows_across(paths: Items[Path], after: int) -> Iterator[chain.Row]:
    """Yield the records after a place, across files that go on from each other, each checked.

    Raise ``JournalError`` if they cannot be read or the place is not there, ``DamagedFileError`` with the first
    record that is not what was written.
    """
    link: chain.Link | None = None
    first: Sequence | None = None
    for path in paths:
        with open_journal_file(path) as file:
            first = file.head.first if first is None else first
            if link is None:
                link = file.link_at(after)
            elif file.head.before.sequence != link.sequence:
                raise BrokenChainError(
                    Sequence(link.sequence + 1), Fault.MISSING, f"is missing: {path} begins with {file.head.first}"
                )
            if link is None:
                continue
            for row in file.rows(link):
                yield row
                link = chain.Link(row[0], row[4])
    if link is None:
        raise JournalError(no_such_record(after, first))


def no_such_record(after: int, first: Sequence | None) -> str:
    """Return why reading cannot begin after a record that is not here."""
    if first is not None and after < first - 1:
        return (
            f"records up to {first - 1} are not here: what is here begins with record {first}; bring the finished"
            " files back that were archived"
        )
    return f"there is no record {after}"
