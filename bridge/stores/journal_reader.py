"""A journal read from outside, record by record with its place in the chain, also while its daemon goes on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bridge.contracts.journal_records import JournalRecordError, event_from_json
from bridge.domain.events import BridgeStarted, GamingDayBegan, TableEvent
from bridge.domain.identity import Sequence
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.fold import table_fold
from bridge.stores.fold_starts import Start, starts
from bridge.stores.journal import JournalError
from bridge.stores.journal_file import JournalFile, open_journal_file, rows_across
from bridge.stores.journal_files import files_of
from bridge.stores.journal_sql import bodies_of_kind
from bridge.table.state import TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainedRecord:
    """An event in its place, and the digest that seals it with everything before it."""

    sequence: Sequence
    event: TableEvent
    digest: str
    """SHA-256, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of the software, from one start to the next."""

    started: Sequence
    """The record of its start."""
    version: str


def table_starts(path: Path) -> Iterator[Start[TableState]]:
    """Yield the places from which a table's journal can be folded, newest first; raise ``JournalError``."""
    if not files_of(path):
        raise JournalError(f"there is no journal {path}; check the path")
    return starts(path, table_fold())


def days_begun(path: Path) -> tuple[tuple[Sequence, str], ...]:
    """Return every beginning of a gaming day in the files that are here, and its record; raise ``JournalError``.

    They are looked up and not checked: whoever goes by them reads the records all the same.
    """
    return tuple(begun for file in files_of(path) for begun in days_begun_in(file))


def days_begun_in(file: Path) -> tuple[tuple[Sequence, str], ...]:
    """Return every beginning of a gaming day in one file of a journal, as ``days_begun`` does."""
    try:
        with open_journal_file(file) as opened:
            return days_told_by(opened)
    except (JournalRecordError, DamagedFileError) as error:
        raise JournalError(f"the journal {file} is damaged: {error}") from error


def days_told_by(opened: JournalFile) -> tuple[tuple[Sequence, str], ...]:
    """Return every beginning of a gaming day in an open file; raise ``JournalRecordError`` for a damaged one."""
    bodies = bodies_of_kind(opened.connection, "gaming_day_began")
    told = [(Sequence(sequence), event_from_json(body)) for sequence, body in bodies]
    return tuple((sequence, event.day) for sequence, event in told if isinstance(event, GamingDayBegan))


def run_at(path: Path, at: Sequence) -> Run | None:
    """Return the run of the software in which a record was written; None if its start is not here.

    The record of that start is checked against the one before it. Raise ``JournalError``.
    """
    for file in reversed(files_of(path)):
        try:
            with open_journal_file(file) as opened:
                begun = [one for one, _ in bodies_of_kind(opened.connection, "bridge_started") if one <= at]
                before = opened.link_at(begun[-1] - 1) if begun else None
                for sequence, _, _, body, _ in [] if before is None else opened.rows(before):
                    event = event_from_json(body)
                    return Run(Sequence(sequence), event.version) if isinstance(event, BridgeStarted) else None
        except (JournalRecordError, DamagedFileError) as error:
            raise JournalError(f"the journal {file} is damaged: {error}") from error
    return None


def chained_records(start: Start[TableState]) -> Iterator[ChainedRecord]:
    """Yield the records from a place on, oldest first, each checked against the one before.

    Raise ``JournalError`` if they are damaged, or of a later release.
    """
    last, newest = start.after, start.files[-1]
    try:
        for sequence, _, _, body, digest in rows_across(start.files, start.after):
            last = Sequence(sequence)
            yield ChainedRecord(sequence=last, event=event_from_json(body), digest=digest.hex())
    except JournalRecordError as error:
        raise JournalError(f"record {last} of the journal {newest}: {error}") from error
    except DamagedFileError as error:
        raise JournalError(f"the journal {newest} is damaged: {error}") from error
