"""A stretch of a journal, looked at record by record: the chain, what each record holds, and what that means."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic

from bridge.clock import US_PER_S
from bridge.contracts.journal_records import JournalRecordError, event_from_json
from bridge.contracts.strict_json import ContractError
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores import chain, journal_sql, sqlite_file
from bridge.stores.chain import BrokenChainError, Fault
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.fold import Fold, S
from bridge.stores.journal import JournalError
from bridge.stores.journal_condition import examine_log, refuse_contradicted
from bridge.stores.journal_file import JournalFile, open_journal_file
from bridge.stores.snapshots import Snapshot

_END_OF_TIME = 253_402_300_800 * US_PER_S
"""Microseconds until the year 10000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The first thing of a journal that is not what was written."""

    file: Path
    sequence: Sequence | None
    """The first record that is not what was written; None if the file is damaged elsewhere."""
    fault: Fault
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Records to be looked at, from a record whose fold is known, or from the beginning of what is here."""

    files: tuple[Path, ...]
    """It begins in the first of them and ends in the last."""
    after: chain.Link | None
    """The record before the first one; None for the beginning of the first file."""
    state: bytes | None
    """The fold up to there, as it was kept; None where nothing is known."""
    up_to: Sequence | None
    """The last record; None for the end of the last file."""


@dataclass(slots=True, kw_only=True)
class Looked:
    """What was seen of a stretch."""

    begin: chain.Link | None = None
    """What its first record stands on."""
    end: chain.Link | None = None
    """The last record that is what was written."""
    broken: Broken | None = None
    unfolded: int = 0
    """Records that could not be folded, for no state is known to begin with."""
    interrupted: bool = False
    """The last commit was cut off, as by a power cut; nothing had been acknowledged of it."""
    snapshots_passed_over: int = 0
    """Those that other code has made, or that do not hold."""
    clock_set_back: list[Sequence] = field(default_factory=list)
    """Records written at an earlier time than those before them."""


class StretchWalk(Generic[S]):
    """One walk along a stretch."""

    def __init__(self, stretch: Stretch, fold: Fold[S]) -> None:
        self.looked = Looked()
        self._stretch = stretch
        self._fold = fold
        self._state: S | None = None
        self._foldable = True
        self._last_at = 0
        self._path = stretch.files[0]

    def walk(self) -> Looked:
        """Look at every record; stop at the first that is not what was written. Raise ``JournalError``."""
        looked, link = self.looked, self._stretch.after
        try:
            if self._stretch.state is not None:
                self._state = self._fold.decode(self._stretch.state)
            for path in self._stretch.files:
                self._path = path
                with open_journal_file(path) as file:
                    link = self._begin(file, link)
                    link = self._through(file, link)
                    if self._stretch.up_to is None or path != self._stretch.files[-1]:
                        self._finish(file, link)
        except BrokenChainError as error:
            looked.broken = Broken(file=self._path, sequence=error.sequence, fault=error.fault, reason=str(error))
        except DamagedFileError as error:
            looked.broken = Broken(file=self._path, sequence=None, fault=Fault.FILE, reason=str(error))
        return looked

    def _begin(self, file: JournalFile, link: chain.Link | None) -> chain.Link:
        """Return what the next record in a file has to stand on."""
        before = file.head.before
        link = before if link is None else link
        if link.sequence < before.sequence:
            raise BrokenChainError(
                Sequence(link.sequence + 1),
                Fault.MISSING,
                f"is missing: records up to {before.sequence} were in a file that is not here",
            )
        if link.sequence == before.sequence and link.hash != before.hash:
            raise BrokenChainError(
                file.head.first, Fault.HASH, f"is not what was written: {file.path} goes on from another record"
            )
        if self.looked.begin is None:
            self.looked.begin = self.looked.end = link
            self._foldable = self._state is not None or link.sequence == 0
        return link

    def _through(self, file: JournalFile, link: chain.Link) -> chain.Link:
        snapshots = {one.sequence: one for one in self._snapshots(file, link.sequence)}
        if link.sequence in snapshots:
            self._compare(snapshots[Sequence(link.sequence)])
        for row in file.rows(link) if link.sequence != self._stretch.up_to else ():
            sequence, at, kind, body, hash_ = row
            event = self._event(Sequence(sequence), kind, body)
            self._look_at_time(Sequence(sequence), at)
            self._fold_in(event)
            link = self.looked.end = chain.Link(sequence, hash_)
            if sequence in snapshots:
                self._compare(snapshots[Sequence(sequence)])
            if sequence == self._stretch.up_to:
                break
        return link

    def _snapshots(self, file: JournalFile, after: int) -> Iterator[Snapshot]:
        last = self._stretch.up_to
        for snapshot in journal_sql.snapshots_down_from(file.connection):
            if snapshot.sequence < after or (last is not None and snapshot.sequence > last):
                continue
            if snapshot.is_whole and snapshot.code == self._fold.code:
                yield snapshot
            else:
                self.looked.snapshots_passed_over += 1

    def _event(self, sequence: Sequence, kind: bytes, body: bytes) -> TableEvent:
        try:
            event = event_from_json(body)
        except JournalRecordError as error:
            raise BrokenChainError(sequence, Fault.BODY, f"holds no event: {error}") from error
        if event.kind.encode() != kind:
            said = kind.decode(errors="replace")
            raise BrokenChainError(sequence, Fault.KIND, f"says {said!r} and holds {event.kind!r}")
        return event

    def _look_at_time(self, sequence: Sequence, at: int) -> None:
        if not 0 < at < _END_OF_TIME:
            raise BrokenChainError(sequence, Fault.TIME, f"was written at {at}, which is no time")
        if at < self._last_at:
            self.looked.clock_set_back.append(sequence)
        self._last_at = at

    def _fold_in(self, event: TableEvent) -> None:
        if self._foldable and self._state is None:
            try:
                self._state = self._fold.begin(event)
            except JournalError:
                self._foldable = False
        if self._state is None:
            self.looked.unfolded += 1
        else:
            self._state = self._fold.evolve(self._state, event)

    def _compare(self, snapshot: Snapshot) -> None:
        end = self.looked.end
        if end is None or snapshot.hash != end.hash:
            raise BrokenChainError(
                snapshot.sequence, Fault.SNAPSHOT, "is another one than the state was kept after"
            )
        try:
            kept = self._fold.decode(snapshot.body)
        except ContractError as error:
            raise BrokenChainError(
                snapshot.sequence, Fault.SNAPSHOT, f"has a state kept after it that is {error}"
            ) from error
        if self._state is None:
            # From here on it can be folded, and what is kept next is compared with that.
            self._state = kept
        elif kept != self._state:
            raise BrokenChainError(
                snapshot.sequence, Fault.SNAPSHOT, "has a state kept after it that is not the fold of the records"
            )

    def _finish(self, file: JournalFile, end: chain.Link) -> None:
        """Look at the rest of a file whose records are all right."""
        refuse_contradicted(file.connection, file.head, end)
        sqlite_file.check_integrity(file.connection)
        self.looked.interrupted |= examine_log(file.log, file.head, file.path)
