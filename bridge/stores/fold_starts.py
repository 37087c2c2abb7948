"""The past of a table read from its journal, also while its daemon goes on: from the newest state that serves."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from bridge.contracts.journal_records import JournalRecordError, event_from_json
from bridge.contracts.strict_json import ContractError
from bridge.domain.identity import Sequence
from bridge.stores import journal_sql
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.fold import Fold, S
from bridge.stores.journal import JournalError, JournalRecord
from bridge.stores.journal_file import open_journal_file, rows_across
from bridge.stores.journal_files import files_of
from bridge.stores.snapshots import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Generic[S]):
    """A place from which the past can be folded."""

    files: tuple[Path, ...]
    """Those that go on from here."""
    after: Sequence
    """The record up to which it is folded; 0 before the first one."""
    state: S | None
    """The fold up to there; None before the first record."""

    def records(self) -> Iterator[JournalRecord]:
        """Yield the records from here on, each checked; raise ``JournalError``."""
        last = self.after
        try:
            for sequence, _, _, body, _ in rows_across(self.files, self.after):
                last = Sequence(sequence)
                yield JournalRecord(sequence=last, event=event_from_json(body))
        except JournalRecordError as error:
            raise JournalError(f"record {last} of the journal {self.files[-1]}: {error}") from error
        except DamagedFileError as error:
            raise JournalError(f"the journal {self.files[-1]} is damaged: {error}") from error


def starts(path: Path, fold: Fold[S]) -> Iterator[Start[S]]:
    """Yield the places from which a journal can be folded, newest first; raise ``JournalError``.

    The states that were kept of this very code, and the beginning; where that is not here, the state with which
    the oldest file was begun, whatever code has kept it.
    """
    files = files_of(path)
    oldest: Start[S] | None = None
    for number, file in reversed(list(enumerate(files))):
        rest = tuple(files[number:])
        try:
            with open_journal_file(file) as opened:
                for snapshot in journal_sql.sound_snapshots(opened.connection, opened.head):
                    if snapshot.code == fold.code and (start := _start(rest, snapshot, fold)) is not None:
                        yield start
                carried = journal_sql.carried_forward(opened.connection, opened.head)
                oldest = None if carried is None else _start(rest, carried, fold)
                if opened.head.first == 1:
                    yield Start(files=rest, after=Sequence(0), state=None)
        except DamagedFileError as error:
            raise JournalError(f"the journal {file} is damaged: {error}") from error
    if oldest is not None:
        yield oldest


def _start(files: tuple[Path, ...], snapshot: Snapshot, fold: Fold[S]) -> Start[S] | None:
    try:
        return Start(files=files, after=snapshot.sequence, state=fold.decode(snapshot.body))
    except ContractError:
        return None
