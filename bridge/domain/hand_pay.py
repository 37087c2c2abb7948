"""The slip of an award that is not paid from the table inventory (§ 633b.18(h)(4), R39)."""

from dataclasses import dataclass

from bridge.domain.awards import AwardStatus
from bridge.domain.cards import FaceOrUnseen
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import Game, SignOff
from bridge.domain.wagers import BettingPosition, WagerAmount, WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterAtAward:
    """A meter around an award."""

    progressive: ProgressiveId
    before: MeterAmount
    """When it was won, the contributions of that round in it (T19)."""
    awarded: Cents
    """To all winners whose claims were not rejected."""
    left: MeterAmount
    """On the display when all awards of the win had been taken off it; it goes into the reset (T15)."""
    reset_amount: Cents
    """What is filed to be put on it again."""
    put_back: MeterAmount
    """What the reset put on the display, reserve and overflow included; nothing while it is due."""
    restored: MeterAmount
    """What the rejection of this claim gave back (T52); nothing if it was not rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPlace:
    """A record of a journal, and the digest that seals it with everything before it."""

    sequence: Sequence
    digest: str
    """SHA-256, in hexadecimal."""
    at: Timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPaySlip:
    """What an attendant needs to pay an award, and an auditor to follow it back."""

    document: str
    """Its number: ``HP-bj-demo-7533002-4``, of table, round and position."""
    table: TableId
    game: Game
    gaming_day: str
    """ISO date of the day on which it was won."""
    round_number: RoundNumber
    position: BettingPosition
    player: PersonId
    """Who plays the position; empty where nobody said."""
    wager: WagerKind
    wagered: WagerAmount
    outcome: str
    odds: Odds
    hand: tuple[FaceOrUnseen, ...]
    dealer_hand: tuple[FaceOrUnseen, ...]
    """The initial two of each; the progressive looks at no others."""
    shared_by: tuple[BettingPosition, ...]
    """Every winner of this meter in this round whose claim was not rejected; this position in any case."""
    amount: Cents
    amount_in_words: str
    win_number: int
    """Place among all wins of the progressive, over every linked table."""
    meter: MeterAtAward
    status: AwardStatus
    acts: tuple[SignOff, ...]
    """What was done about this payout, in the order in which it was done."""
    rules_digest: str
    approval_reference: str
    rules_effective: tuple[str, str]
    """First and last gaming day, ISO dates."""
    hit: JournalPlace
    """The record that decided the award: it was won then."""
    read_to: JournalPlace
    """The last record of the round when the slip was made."""
    software: str
    """The version that was running when it was won."""
