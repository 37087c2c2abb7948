"""What a settlement says. It is computed by ``rules.settlement``; everybody may read it.

A settlement only grows: computed again on a later state of the same round it adds outcomes and changes
none. Amounts that depend on a meter are left as a share of it; the meter store turns them into an
``Award`` in the one transaction that fixes their order among all others.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from bridge.domain.awards import AwaitedAct
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.indicators import Lamp
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind


class Result(StrEnum):
    """How a wager ended. A push is neither won nor lost (T29)."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class UnpaidOdds(StrEnum):
    """In place of odds, for a wager that is paid nothing."""

    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterShare:
    """One of ``among`` equal shares of a meter's award (§ 633b.18(j)); cents are the meter store's to say."""

    progressive: ProgressiveId
    odds: Odds
    """The part of the meter that all winners share."""
    among: int


@dataclass(frozen=True, slots=True)
class RoundingDifference:
    """``parts`` out of ``per`` cents that whole cents leave out or add, exactly (T27)."""

    parts: int
    per: int


NOTHING_ROUNDED = RoundingDifference(0, 1)
_NOTHING_OWED = Cents(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerOutcome:
    """The end of one wager. Keyed by table, round, position and kind; never edited (T50)."""

    position: BettingPosition
    kind: WagerKind
    amount: WagerAmount
    result: Result
    outcome: str
    """Row of the paytable, or why it lost: ``royal_match``, ``no_match``. ``voided`` with its round."""
    odds: Odds | UnpaidOdds
    paid: Cents | MeterShare | UnknownAmount
    """What the dealer, or the attendant, hands over: profit for "to 1", everything for "for 1" (T13).

    Unknown where the amount of the wager is: the odds stand, and nobody guesses the cents.
    """
    stake_returned: WagerAmount
    """The wager itself, where it is returned on top, or as a push."""
    vigorish: WagerAmount = _NOTHING_OWED
    """What a winning Banker wager owes the house, marked or collected; never netted out of ``paid`` (T28)."""
    paid_rounding: RoundingDifference = NOTHING_ROUNDED
    """``paid`` minus what the odds come to exactly; negative where it was rounded down."""
    vigorish_rounding: RoundingDifference = NOTHING_ROUNDED
    """``vigorish`` minus what the rate comes to exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeferredWager:
    """A wager that waits for the hole card (§ 633b.18(g)(4))."""

    position: BettingPosition
    kind: WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class UndecidedWager:
    """A wager that cannot be decided, and why; nothing is guessed (T51)."""

    position: BettingPosition
    kind: WagerKind
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedWager:
    """A wager that is decided at fixed odds: a floorperson may override how it ended (T50)."""

    position: BettingPosition
    kind: WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """How a floorperson says that a wager ended; what was decided stays on the record beside it (T50)."""

    position: BettingPosition
    wager: WagerKind
    result: Result
    paid: Cents
    """In place of ``WagerOutcome.paid``."""
    stake_returned: Cents
    by: PersonId
    at: Timestamp
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyBonus:
    """Owed to a position for a winning hand of *another* position (§ 633b.18(k))."""

    position: BettingPosition
    for_hand_of: BettingPosition
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What an accepted wager adds to its meter at lock-out (§ 633b.18(i), T19)."""

    progressive: ProgressiveId
    position: BettingPosition
    kind: WagerKind
    amount: MeterAmount
    hidden: MeterAmount
    """What it adds to the reserve pool besides; nothing where no hidden rate is filed."""


class Winner(StrEnum):
    """Which hand of baccarat won the round (§ 627a.11(a))."""

    PLAYER = "player"
    BANKER = "banker"
    TIE_HAND = "tie_hand"


class EzResult(StrEnum):
    """What an EZ Baccarat table announces besides the winner (R62)."""

    NONE = "none"
    DRAGON_7 = "dragon_7"
    PANDA_8 = "panda_8"


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialPointCounts:
    """The Point Counts of the first two cards of each hand (§ 631c.7(c), R8)."""

    player: int
    banker: int
    kind: Literal["initial_point_counts"] = "initial_point_counts"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalResult:
    """The final Point Counts, and which hand has won the round (§ 627a.11(a), R60 to R62)."""

    player: int
    banker: int
    winner: Winner
    ez: EzResult
    kind: Literal["final_result"] = "final_result"


Announcement = InitialPointCounts | FinalResult


class StepAction(StrEnum):
    """What the dealer does at one position."""

    COLLECT = "collect"
    PAY = "pay"
    """From the table inventory."""
    DEFER = "defer"
    """Leave it until the hole card is exposed."""
    HOLD_FOR_AWARD = "hold_for_award"
    """Leave the cards; the award is documented and not paid from the table inventory (R39, R40)."""
    PAY_ENVY_BONUS = "pay_envy_bonus"
    MARK_VIGORISH = "mark_vigorish"
    """Note what the position owes, to be paid later; directly before its payment (§ 627a.11(b), R66)."""
    COLLECT_VIGORISH = "collect_vigorish"
    """Take what the position owes, directly before its payment."""
    RETURN_PUSH = "return_push"
    """Hand the wager back: it was neither won nor lost (T29)."""
    CALL_SUPERVISOR = "call_supervisor"
    """The system cannot decide; a supervisor has to (T51)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerStep:
    """One thing for the dealer to do, in the order the rules give (R28)."""

    action: StepAction
    position: BettingPosition
    kind: WagerKind
    amount: Cents | MeterShare | WagerAmount
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """Everything about the money of a round that can be said now."""

    table: TableId
    round_number: RoundNumber
    contributions: tuple[Contribution, ...] = ()
    corrections: tuple[Contribution, ...] = ()
    """Contributions of wagers that a voided round returns: what their meters have to give back."""
    announcements: tuple[Announcement, ...] = ()
    """What the dealer of a baccarat game announces, in order; nothing while a card is due (R63)."""
    outcomes: tuple[WagerOutcome, ...] = ()
    """In the order in which the dealer settles."""
    overrides: tuple[Override, ...] = ()
    """What floorpersons said in place of outcomes, which are untouched; the last one on a wager holds."""
    rejected: tuple[BettingPosition, ...] = ()
    """Positions whose claim to an award was rejected: nothing is owed for it, and no Envy Bonus (T52)."""
    deferred: tuple[DeferredWager, ...] = ()
    undecided: tuple[UndecidedWager, ...] = ()
    envy_bonuses: tuple[EnvyBonus, ...] = ()
    lamps: tuple[tuple[BettingPosition, Lamp], ...] = ()
    """Win lamps that say what was won."""
    steps: tuple[DealerStep, ...] = ()
    awaiting: tuple[AwaitedAct, ...] = ()
    """The next act of each winning position whose payout is not over (R35 to R40, T52)."""
    all_decided: bool = False
    """Every accepted wager has its outcome."""
