"""The report of a gaming day: what was played, wagered, paid and owed at one table, and who said what.

A round counts on the day on which its wagers were locked, because that is when its money began; everything else on
the day on which it happened. Amounts that nobody knows are counted as such and never guessed.
"""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.controller import Disabled
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meter_records import AwardRecord
from bridge.domain.meters import Posting
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Game
from bridge.domain.settlements import EnvyBonus, Override, Result
from bridge.domain.table_view import IrregularityKind
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A sum of amounts, with how many there are whose cents nobody knows."""

    cents: Cents
    unknown: int

    def plus(self, amount: WagerAmount) -> "Total":
        """Return the sum with one more amount."""
        if isinstance(amount, UnknownAmount):
            return Total(cents=self.cents, unknown=self.unknown + 1)
        return Total(cents=Cents(self.cents + amount), unknown=self.unknown)

    def __add__(self, other: "Total") -> "Total":
        return Total(cents=Cents(self.cents + other.cents), unknown=self.unknown + other.unknown)


NO_MONEY = Total(cents=Cents(0), unknown=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsTold:
    """The rounds of a day: those in which wagers were locked, with or without a wager."""

    played: int
    with_wagers: int
    voided: int
    open: int
    """Locked and not over when the journal was read; 0 or 1."""
    first: RoundNumber
    """0 where none was played, and so is the next."""
    last: RoundNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPlayedUnder:
    """A rules submission, and the rounds that were played under it."""

    digest: str
    approval_references: tuple[str, ...]
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersAccepted:
    """The accepted wagers of one kind."""

    kind: WagerKind
    count: int
    amount: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesCounted:
    """The wagers of one kind that ended alike."""

    kind: WagerKind
    result: Result
    outcome: str
    odds: str
    """As the paytable has them; empty for a wager that is paid nothing."""
    count: int
    wagered: Total
    paid: Total
    """From the table inventory, at fixed odds."""
    returned: Total
    """Wagers handed back, on top of what they were paid or as pushes."""
    of_meter: int
    """How many of them are paid a share of a meter, which is no part of ``paid`` (R39)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersWithoutOutcome:
    """Accepted wagers of one kind that no settlement decides: settled by hand, undecided, or not due yet."""

    kind: WagerKind
    count: int
    amount: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterMovements:
    """What the rounds of the day did to one meter, as they settle and as it was posted."""

    progressive: ProgressiveId
    contributions: int
    """Wagers that contributed, those that were held back not among them."""
    contributed: MeterAmount
    """To the display, or to the overflow where that is at its limit."""
    reserved: MeterAmount
    """To the reserve, by the hidden rate."""
    taken_back: MeterAmount
    """Of voided rounds, from every pool."""
    posted: MeterAmount
    """What the meter store holds of all that for the same rounds: the first and second less the third."""
    held: int
    """Contributions too large to be believed, in no pool until a person has looked at them."""
    held_amount: MeterAmount
    awards_won: int
    awards_posted: int

    @property
    def agrees(self) -> bool:
        """Whether what was posted is what the rounds settle to."""
        settled = self.contributed + self.reserved - self.taken_back
        return self.posted == settled and self.awards_won == self.awards_posted


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusOfDay:
    """An Envy Bonus, and the round it was won in."""

    round_number: RoundNumber
    bonus: EnvyBonus


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideOfDay:
    """How a floorperson said that a wager ended, beside how it was decided; that stands in the outcomes (T50)."""

    round_number: RoundNumber
    said: Override
    decided: Result
    decided_paid: WagerAmount
    decided_returned: WagerAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class VigorishLedger:
    """The vigorish of a day: what was owed before and what was marked is collected later, or open."""

    owed_before: Total
    marked: Total
    collected_later: Total
    """Of what was marked, on this day or before."""
    open: Total
    open_at: tuple[tuple[BettingPosition, WagerAmount], ...]
    collected_with_payment: Total
    """Where the rules submission has it taken at once; no part of the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinLedger:
    """The coins of a day: what was owed before and what was no wager is returned, or open."""

    taken: Cents
    """By all acceptors, whatever became of it."""
    owed_before: Cents
    no_wager: Cents
    """Taken, and owed to whoever dropped it."""
    returned: Cents
    """By floorpersons, of what was owed on this day or before."""
    open: Cents
    open_at: tuple[tuple[BettingPosition, Cents], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityOfDay:
    """Something that should not have happened, and the round in which it did."""

    at: Timestamp
    round_number: RoundNumber
    kind: IrregularityKind
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularitiesCounted:
    """How often one kind of irregularity happened."""

    kind: IrregularityKind
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationOfDay:
    """What a person said about a round, and whether the table took it (T50)."""

    at: Timestamp
    by: PersonId
    role: PersonRole
    round_number: RoundNumber
    kind: str
    about: str
    """What else was said: position, reason, card."""
    refused: str
    """Why it was refused; empty if it was not."""


class TableChange(StrEnum):
    """What became of the table as a whole."""

    STARTED = "started"
    STOPPED = "stopped"
    """In order, as it was told to."""
    CONTROLLER_DISABLED = "controller_disabled"
    """No progressive wager is recognised from here on (9 NYCRR § 5321.18)."""
    CONTROLLER_ENABLED = "controller_enabled"
    """One reason for which it was disabled is cleared by a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOfDay:
    """A start, a stop, or another change of the table as a whole."""

    at: Timestamp
    change: TableChange
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSpan:
    """Which records a document stands on: the last one's digest seals all of them."""

    first: Sequence
    last: Sequence
    last_digest: str
    """SHA-256 of the chain up to the last record, in hexadecimal."""
    last_at: Timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDay:
    """A gaming day of one table."""

    document: str
    """Its number: ``DR-bj-demo-2026-11-29``; of a day that is not over with its last record, ``-to-376``."""
    table: TableId
    game: Game
    day: str
    """ISO date."""
    over: bool
    """Whether a later day has begun; figures of a day that is not over are as of the last record."""
    journal: JournalSpan
    software: tuple[str, ...]
    """Versions that ran on this day."""
    rules: tuple[RulesPlayedUnder, ...]
    rounds: RoundsTold
    wagers: tuple[WagersAccepted, ...]
    outcomes: tuple[OutcomesCounted, ...]
    without_outcome: tuple[WagersWithoutOutcome, ...]
    meters: tuple[MeterMovements, ...]
    postings: tuple[Posting, ...]
    """What else was posted while the day lasted: awards, resets, restorations, changes by people and by filing."""
    awards: tuple[AwardRecord, ...]
    """Those that rounds of this day have won, as they stand now."""
    envy_bonuses: tuple[BonusOfDay, ...]
    overrides: tuple[OverrideOfDay, ...]
    vigorish: VigorishLedger
    coins: CoinLedger
    irregularities: tuple[IrregularityOfDay, ...]
    irregularities_by_kind: tuple[IrregularitiesCounted, ...]
    confirmations: tuple[ConfirmationOfDay, ...]
    changes: tuple[ChangeOfDay, ...]
    disabled: tuple[Disabled, ...]
    """Why the progressive controller was disabled when the day ended, or when the journal was read."""
