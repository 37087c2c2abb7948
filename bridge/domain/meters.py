"""The progressive meter: the sum of its postings, and nothing else."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.awards import AwardStatus
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import SignOff
from bridge.domain.settlements import Contribution
from bridge.domain.wagers import BettingPosition


class PostingReason(StrEnum):
    """Why a meter changed."""

    SEED = "seed"
    CONTRIBUTION = "contribution"
    CORRECTION = "correction"
    """A contribution taken back, because the wager was returned with its voided round."""
    AWARD = "award"
    RESEED = "reseed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One change of a meter; awards and corrections are negative. ``key`` makes it happen once."""

    key: str
    progressive: ProgressiveId
    reason: PostingReason
    amount: MeterAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A percentage award in cents, fixed when its posting was ordered among all others (T17)."""

    progressive: ProgressiveId
    table: TableId
    round_number: RoundNumber
    position: BettingPosition
    amount: Cents
    among: int
    win_number: int
    """Place among all wins of this progressive, over every linked table; winners of one round share it."""
    meter_before: MeterAmount
    status: AwardStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardClaim:
    """The winners of one meter in one round, who share it equally (§ 633b.18(j))."""

    progressive: ProgressiveId
    odds: Odds
    positions: tuple[BettingPosition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterEntries:
    """All that one round asks of the meters; posted in one transaction, once per key however often it comes."""

    table: TableId
    round_number: RoundNumber
    contributions: tuple[Contribution, ...] = ()
    claims: tuple[AwardClaim, ...] = ()
    acts: tuple[SignOff, ...] = ()
    """What people did about the awards of the round, in the order in which they did it."""
    corrections: tuple[Contribution, ...] = ()
    """Contributions of the same round to be taken back, by their amounts as they were made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterReading:
    """A meter as it stands."""

    progressive: ProgressiveId
    exact: MeterAmount
    displayed: Cents
    """Whole cents, as a sign shows them (T14)."""
    seed: Cents
    pending: tuple[Award, ...]
    """Awards that are won and not validated: frozen, shown beside the meter."""
    postings: int
    """How many postings it is the sum of; a reading with fewer is older (T54)."""
