"""Where a gaming day stands in a journal, and how much of it may be seen.

A round belongs to the day on which it was opened. Rounds that are over may be handed over; whatever was recorded
since the last of them was closed may hold a card that is not disclosed yet (T48), if only one that the shoe drew
out of turn.
"""

from dataclasses import dataclass
from pathlib import Path

from bridge.contracts.journal_records import JournalRecordError
from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber, Sequence
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.fold import table_fold
from bridge.stores.fold_starts import Start, starts
from bridge.stores.journal import JournalError, JournalRecord
from bridge.stores.journal_file import open_journal_file
from bridge.stores.journal_files import files_of
from bridge.stores.journal_reader import days_told_by
from bridge.table.evolve import evolve
from bridge.table.gaming_day import day_after, is_at_rest
from bridge.table.state import TableState


class NoSuchDayError(BridgeError):
    """Nothing of a gaming day can be handed over; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRound:
    """The round that is on the table."""

    number: RoundNumber
    opened_after: Sequence
    """The record with which the round before it was closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDay:
    """The records of a gaming day, as far as they may be seen."""

    first: Sequence
    last: Sequence
    last_of_day: Sequence
    """Later than ``last`` if a round of the day is not over."""
    is_over: bool
    """Whether a later day has begun."""
    days: tuple[str, ...]
    """Of the records: others too, if the clock was set back in between."""
    submissions: tuple[str, ...]
    """Digests of the rules submissions that its rounds were played under, in order."""
    on_the_table: OpenRound


def find_day(path: Path, day: str) -> GamingDay:
    """Return where a day stands; raise ``NoSuchDayError``, or ``JournalError`` if the journal cannot be read."""
    begins, ends = _records_that_may_hold(path, day)
    start = _start_before(path, begins)
    search = _Search(day, start)
    for record in start.records():
        search.look_at(record)
        if record.sequence >= ends and search.is_done:
            break
    return search.result()


class _Search:
    """A walk through records, to where a day ends and nothing of it is on the table any more."""

    def __init__(self, day: str, start: Start[TableState]) -> None:
        self._day = day
        self._state = start.state
        self._filed = ""
        self._of_day: list[Sequence] = []
        self._days: list[tuple[Sequence, str]] = []
        self._submissions: list[tuple[Sequence, str]] = []
        # A round that was opened before the start was opened no later.
        self._opened_after = start.after

    def look_at(self, record: JournalRecord) -> None:
        before = table_fold().begin(record.event) if self._state is None else self._state
        if is_at_rest(before):
            self._filed = day_after(before, record.event)
        self._state = after = evolve(before, record.event)
        sequence = record.sequence
        if after.round.number != before.round.number:
            self._opened_after = sequence
        if self._filed == self._day:
            self._of_day = [*self._of_day[:1], sequence]
        if not self._days or self._days[-1][1] != self._filed:
            self._days.append((sequence, self._filed))
        if after.round.locked and not before.round.locked:
            self._submissions.append((sequence, after.round.submission_digest))

    @property
    def is_done(self) -> bool:
        """Return whether the day and all of its rounds are over."""
        return self._filed != self._day and bool(self._of_day) and self._opened_after >= self._of_day[-1]

    def result(self) -> GamingDay:
        if self._state is None or not self._of_day:
            raise NoSuchDayError(f"no record of the journal belongs to gaming day {self._day}")
        first, last_of_day = self._of_day[0], self._of_day[-1]
        on_the_table = OpenRound(number=self._state.round.number, opened_after=self._opened_after)
        last = min(last_of_day, self._opened_after)
        if last < first:
            raise NoSuchDayError(
                f"nothing of gaming day {self._day} can be handed over yet: round {on_the_table.number} is on the"
                " table, and no other has been closed that day"
            )
        return GamingDay(
            first=first,
            last=last,
            last_of_day=last_of_day,
            is_over=self._filed != self._day,
            days=_within(self._days, first, last),
            submissions=_within(self._submissions, first, last),
            on_the_table=on_the_table,
        )


def _within(found: list[tuple[Sequence, str]], first: Sequence, last: Sequence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for sequence, value in found if first <= sequence <= last))


def _records_that_may_hold(path: Path, day: str) -> tuple[int, int]:
    """Return the record before the first file in which a day is spoken of, and the last record of the last one."""
    files = files_of(path)
    if not files:
        raise JournalError(f"there is no journal {path}; check the path")
    known: list[str] = []
    begins = ends = None
    for file in files:
        try:
            with open_journal_file(file) as opened:
                # A file that says no day of its own goes on with that of the one before.
                begun_with = opened.head.day or (known[-1] if known else "")
                days = [begun_with, *(told for _, told in days_told_by(opened))]
                known += days
                if day in days:
                    begins = opened.head.before.sequence if begins is None else begins
                    ends = opened.end().sequence
        except (DamagedFileError, JournalRecordError) as error:
            raise JournalError(f"the journal {file} is damaged: {error}") from error
    if begins is None or ends is None:
        told_days = sorted({one for one in known if one})
        held = f"days from {told_days[0]} to {told_days[-1]}" if told_days else "no gaming day"
        raise NoSuchDayError(f"{path} holds {held}, and nothing of {day}")
    return begins, ends


def _start_before(path: Path, sequence: int) -> Start[TableState]:
    """Return the newest place between two rounds, up to a record, from which the journal can be folded."""
    for start in starts(path, table_fold()):
        if start.after <= sequence and (start.state is None or is_at_rest(start.state)):
            return start
    raise JournalError(
        f"the state of the table after record {sequence} is not known: this release has not kept it, and the"
        " beginning of the journal is not here; bring the finished files back that were archived"
    )
