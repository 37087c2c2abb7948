"""One gaming day, gathered from a journal: its rounds as they ended, and everything said and gone wrong on it."""

from collections.abc import Iterable, Sequence as Items
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from bridge.domain.controller import Disabled
from bridge.domain.errors import BridgeError
from bridge.domain.events import BridgeStarted, GamingDayBegan
from bridge.domain.gaming_day import (
    NO_MONEY,
    ChangeOfDay,
    CoinLedger,
    ConfirmationOfDay,
    IrregularityOfDay,
    JournalSpan,
    Total,
)
from bridge.domain.identity import Sequence, Timestamp
from bridge.domain.money import Cents
from bridge.domain.rounds import Round
from bridge.domain.setup import TableSetup
from bridge.domain.wagers import BettingPosition, WagerAmount
from bridge.reports.day_entries import CoinsMoved, Entry, VigorishPaid, entries
from bridge.reports.folding import Step, folded
from bridge.stores.journal_reader import ChainedRecord, chained_records, days_begun, run_at, table_starts
from bridge.table.state import TableState

_CALENDAR_AFTER_START_US: Final = 60_000_000
"""A table that starts looks at the calendar within this time; until then it goes by the day of its last run."""

_NOT_YET: Final = Timestamp(2**63 - 1)

_E = TypeVar("_E", bound=Entry)

Ledger = tuple[tuple[BettingPosition, WagerAmount], ...]
"""What positions owe of marked vigorish, by position."""
Coins = tuple[tuple[BettingPosition, Cents], ...]
"""What positions are owed of coins that are no wager, by position."""


class NoSuchDayError(BridgeError):
    """The journal does not hold the gaming day asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round in which wagers were locked, as it stood at its end; or as it stands."""

    round: Round
    over: bool
    last: ChainedRecord
    """The record that ended it, or the last of the journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalDay:
    """What a journal says of one gaming day."""

    day: str
    over: bool
    """Whether a later day has begun."""
    setup: TableSetup
    """As it was at the end of the day."""
    span: JournalSpan
    began_at: Timestamp
    ended_at: Timestamp
    """When the next day began; the end of time for the last one."""
    rounds: tuple[PlayedRound, ...]
    """Those locked on this day, whenever they ended."""
    ledger_before: Ledger
    ledger_after: Ledger
    under_way_before: tuple[Round, ...]
    """The round that was locked before this day and closed on it, if there was one; the ledger before lacks it."""
    under_way_after: tuple[Round, ...]
    """The round of this day that was not closed on it; the ledger after lacks it."""
    vigorish_collected: Total
    coins: CoinLedger
    irregularities: tuple[IrregularityOfDay, ...]
    confirmations: tuple[ConfirmationOfDay, ...]
    changes: tuple[ChangeOfDay, ...]
    disabled: tuple[Disabled, ...]
    """Why the controller was disabled at its end."""
    software_before: str
    """Version that was running when the day began; empty where its start is not here."""
    software: tuple[str, ...]
    """Versions that ran on it, as far as that is known."""


@dataclass(slots=True)
class _Stretch:
    """Records that follow each other on one day; a start begins one, and so does a new day."""

    day: str
    first: ChainedRecord
    last: ChainedRecord
    setup: TableSetup
    ledger_before: Ledger
    ledger_after: Ledger
    coins_before: Coins
    coins_after: Coins
    day_told: bool = False
    """Whether the calendar was looked at since its start."""
    disabled: tuple[Disabled, ...] = ()
    entries: list[Entry] = field(default_factory=list)

    def takes_day(self, began: GamingDayBegan) -> bool:
        """Return whether this is what its start saw on the calendar, or the first there is in the journal."""
        start = self.first.event
        soon = isinstance(start, BridgeStarted) and began.at - start.at <= _CALENDAR_AFTER_START_US
        return not self.day or (soon and not self.day_told)


def read_day(journal: Path, day: str) -> JournalDay:
    """Return a day of a journal's files, from the newest state kept before it to the end of its last round.

    Raise ``NoSuchDayError``, or ``JournalError`` for a journal that cannot be read.
    """
    starts, begun = table_starts(journal), days_begun(journal)
    days = [one for _, one in begun]
    if day not in days:
        raise NoSuchDayError(f"the journal {journal} holds {_told(days)}, not {day}; write a day as 2026-11-29")
    # A clock that was set back may have begun a day twice: it goes from its first stretch to its last.
    place = days.index(day)
    first, run = begun[place][0], run_at(journal, begun[place][0])
    if run is not None and run.started > (begun[place - 1][0] if place else 0):
        # What was recorded between that start and its look at the calendar may belong to the day.
        first = run.started
    after = begun[len(days) - days[::-1].index(day) :]
    until = after[0][0] if after else None
    for start in starts:
        if start.state is None or (start.state.gaming_day < day and start.after < first):
            software = "" if run is None else run.version
            return journal_day(chained_records(start), day, start.state, until, software=software)
    raise NoSuchDayError(
        f"the journal {journal} does not go back to the beginning of {day}; bring the finished files back that"
        " were archived"
    )


def journal_day(
    records: Iterable[ChainedRecord],
    day: str,
    before: TableState | None = None,
    until: Sequence | None = None,
    *,
    software: str = "",
) -> JournalDay:
    """Return a day of records from the beginning of a journal, or after a state of a day before.

    They are read to their end, or beyond a record that begins another day until no round is on. ``software`` was
    running before the first of them. Raise ``NoSuchDayError`` or ``NotWholeError``.
    """
    reading = _Reading(before, software)
    for step in folded(records, before):
        reading.take(step)
        if until is not None and step.record.sequence >= until and not step.after.round.locked:
            break
    return reading.day(day)


class _Reading:
    """A journal being read."""

    def __init__(self, before: TableState | None, software: str) -> None:
        self._state = before
        self._software = software
        self._stretches: list[_Stretch] = []
        self._rounds: list[tuple[_Stretch | None, PlayedRound]] = []
        """Each with the stretch in which its wagers were locked; None if that was before these records."""
        self._locked = before is not None and before.round.locked
        self._locked_in: _Stretch | None = None

    def take(self, step: Step) -> None:
        record, before, after = step.record, step.before, step.after
        self._state = after
        stretch = self._stretch(record, before)
        stretch.last, stretch.setup = record, after.setup
        stretch.ledger_after, stretch.disabled = after.vigorish, after.disabled
        stretch.coins_after = after.coins_owed
        stretch.entries += entries(step)
        if after.round.number != before.round.number and self._locked:
            self._rounds.append((self._locked_in, PlayedRound(round=before.round, over=True, last=record)))
            self._locked = False
        if after.round.locked and not self._locked:
            self._locked, self._locked_in = True, stretch

    def day(self, day: str) -> JournalDay:
        """Return a day of what was read."""
        of_day = [stretch for stretch in self._stretches if stretch.day == day]
        if not of_day:
            days = [stretch.day for stretch in self._stretches if stretch.day]
            raise NoSuchDayError(f"the records hold {_told(days)}, not {day}; write a day as 2026-11-29")
        first, last = of_day[0], of_day[-1]
        rounds = self._rounds_so_far()
        later = self._stretches[self._stretches.index(last) + 1 :]
        noted = [entry for stretch in of_day for entry in stretch.entries]
        until = [stretch for stretch in self._stretches if stretch.first.sequence <= first.first.sequence]
        software = [self._software, *_started(until)][-1]
        own = tuple(played for locked_in, played in rounds if locked_in is not None and locked_in.day == day)
        return JournalDay(
            day=day,
            over=self._stretches[-1].day > day,
            setup=last.setup,
            began_at=first.first.event.at,
            ended_at=later[0].first.event.at if later else _NOT_YET,
            span=_span(first.first, [last.last, *(played.last for played in own)]),
            rounds=own,
            ledger_before=first.ledger_before,
            ledger_after=last.ledger_after,
            under_way_before=tuple(
                played.round
                for locked_in, played in rounds
                if locked_in is None or locked_in.first.sequence < first.first.sequence
                if first.first.sequence <= played.last.sequence
            ),
            under_way_after=tuple(
                played.round for played in own if not played.over or played.last.sequence > last.last.sequence
            ),
            vigorish_collected=sum((NO_MONEY.plus(one.amount) for one in _of(VigorishPaid, noted)), NO_MONEY),
            coins=_coins(first.coins_before, last.coins_after, _of(CoinsMoved, noted)),
            irregularities=_of(IrregularityOfDay, noted),
            confirmations=_of(ConfirmationOfDay, noted),
            changes=_of(ChangeOfDay, noted),
            disabled=last.disabled,
            software_before=software,
            software=tuple(dict.fromkeys([*([software] if software else []), *_started(of_day)])),
        )

    def _rounds_so_far(self) -> list[tuple[_Stretch | None, PlayedRound]]:
        """Return the rounds, the one that is locked and not over among them."""
        state = self._state
        if state is None or not self._locked:
            return self._rounds
        last = self._stretches[-1].last
        return [*self._rounds, (self._locked_in, PlayedRound(round=state.round, over=False, last=last))]

    def _stretch(self, record: ChainedRecord, before: TableState) -> _Stretch:
        """Return the stretch that a record belongs to."""
        event = record.event
        current = self._stretches[-1] if self._stretches else None
        if isinstance(event, GamingDayBegan) and current is not None and current.takes_day(event):
            current.day, current.day_told = event.day, True
            return current
        if current is None or isinstance(event, BridgeStarted | GamingDayBegan):
            current = _Stretch(
                day=event.day if isinstance(event, GamingDayBegan) else before.gaming_day,
                first=record,
                last=record,
                setup=before.setup,
                ledger_before=before.vigorish,
                ledger_after=before.vigorish,
                coins_before=before.coins_owed,
                coins_after=before.coins_owed,
            )
            self._stretches.append(current)
        return current


def _coins(before: Coins, after: Coins, moved: Items[CoinsMoved]) -> CoinLedger:
    return CoinLedger(
        taken=Cents(sum(one.taken for one in moved)),
        owed_before=Cents(sum(amount for _, amount in before)),
        no_wager=Cents(sum(one.no_wager for one in moved)),
        returned=Cents(sum(one.returned for one in moved)),
        open=Cents(sum(amount for _, amount in after)),
        open_at=after,
    )


def _told(days: Items[str]) -> str:
    """Return which gaming days there are."""
    if not days:
        return "no gaming day"
    first, last = min(days), max(days)
    return f"the gaming day {first}" if first == last else f"gaming days {first} to {last}"


def _of(kind: type[_E], noted: Items[Entry]) -> tuple[_E, ...]:
    return tuple(entry for entry in noted if isinstance(entry, kind))


def _span(first: ChainedRecord, ends: Items[ChainedRecord]) -> JournalSpan:
    last = max(ends, key=lambda record: record.sequence)
    return JournalSpan(first=first.sequence, last=last.sequence, last_digest=last.digest, last_at=last.event.at)


def _started(stretches: Items[_Stretch]) -> list[str]:
    """Return the versions that were started at the beginning of stretches, in their order."""
    starts = [stretch.first.event for stretch in stretches]
    return [event.version for event in starts if isinstance(event, BridgeStarted)]
