"""The progressive meter: the sum of its postings, and nothing else."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal

from bridge.domain.awards import AwardStatus
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.people import PersonRole
from bridge.domain.rounds import SignOff
from bridge.domain.settlements import Contribution
from bridge.domain.wagers import BettingPosition


class NoLimit(StrEnum):
    """In place of an amount up to which something goes."""

    NO_LIMIT = "no_limit"


class Pool(StrEnum):
    """Where the money of a progressive stands."""

    DISPLAY = "display"
    """What players see, and win."""
    OVERFLOW = "overflow"
    """What exceeded the limit; it goes into the next reset, up to the limit."""
    RESERVE = "reserve"
    """What the hidden rate took of wagers; it goes into the next reset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """What a progressive holds."""

    display: MeterAmount
    overflow: MeterAmount
    reserve: MeterAmount

    def __getitem__(self, pool: Pool) -> MeterAmount:
        match pool:
            case Pool.DISPLAY:
                return self.display
            case Pool.OVERFLOW:
                return self.overflow
            case Pool.RESERVE:
                return self.reserve


NOTHING_IN_POOLS = Pools(display=MeterAmount(0), overflow=MeterAmount(0), reserve=MeterAmount(0))


class PostingReason(StrEnum):
    """Why a meter changed."""

    SEED = "seed"
    """The base amount, at its first start."""
    CONTRIBUTION = "contribution"
    RESERVE = "reserve"
    """What a wager adds to the reserve pool, by the hidden rate."""
    AWARD = "award"
    """An award at its hit, or what it is raised by when another claim to the same meter is rejected."""
    RESEED = "reseed"
    """The reset amount after a win, and what it takes over from reserve and overflow."""
    RESTORATION = "restoration"
    """A frozen amount, because its claim was rejected (T52)."""
    CORRECTION = "correction"
    """Of a malfunction, or of a contribution whose wager was returned with its voided round."""
    LIMIT_CORRECTION = "limit_correction"
    """What the display shows above its limit goes to the overflow."""
    TRANSFER = "transfer"
    """To or from another progressive, which is named."""
    GAMING_ENDED = "gaming_ended"
    PARAMETERS = "parameters"
    """Nothing moved: from here on the meter has other terms."""


class MeterWriter(StrEnum):
    """Who posts of its own accord. Its name has a space, which no person's has."""

    RULES_WORKER = "rules worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByRound:
    """A posting that a round asked for."""

    table: TableId
    round_number: RoundNumber
    answers: Sequence
    """The journal record of the round as it was answered."""
    kind: Literal["round"] = "round"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByPerson:
    """A posting that somebody asked for at a table."""

    table: TableId
    kind: Literal["person"] = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByFiling:
    """A posting that follows from what is filed."""

    kind: Literal["filing"] = "filing"


PostingCause = ByRound | ByPerson | ByFiling


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One change of one pool, as it stands on the record for ever."""

    number: int
    """Counted through all meters of a store."""
    key: str
    """What happened; it happens once. A change of several pools has a posting for each."""
    progressive: ProgressiveId
    pool: Pool
    reason: PostingReason
    amount: MeterAmount
    """Negative where it lowers the pool."""
    wagers: int
    """By how many qualifying wagers the in-meter counts on."""
    cause: PostingCause
    by: PersonId | MeterWriter
    text: str
    """Why, in words; always there where a meter is lowered."""
    at: Timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A percentage award in cents, fixed when its posting was ordered among all others (T17)."""

    progressive: ProgressiveId
    table: TableId
    round_number: RoundNumber
    position: BettingPosition
    amount: Cents
    among: int
    """The winners who share; one less for each claim that was rejected before any of them was paid."""
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
    answers: Sequence = field(compare=False)
    """The journal record that it is the answer to; the same entries answer many."""
    contributions: tuple[Contribution, ...] = ()
    claims: tuple[AwardClaim, ...] = ()
    acts: tuple[SignOff, ...] = ()
    """What people did about the awards of the round, in the order in which they did it."""
    corrections: tuple[Contribution, ...] = ()
    """Contributions of the same round to be taken back, by their amounts as they were made."""


class AdjustmentReason(StrEnum):
    """For what a person may change a meter (N.J.A.C. 13:69D-1.52(f))."""

    CORRECTION = "correction"
    """Of a malfunction."""
    LIMIT_CORRECTION = "limit_correction"
    TRANSFER = "transfer"
    GAMING_ENDED = "gaming_ended"


MAY_ADJUST: Final = frozenset({PersonRole.PARAMETER_HOLDER})
"""Who changes a meter otherwise than by play (§ 605a.7(a)(6))."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """A change of a meter by a person who holds its parameters."""

    key: str
    """Makes it happen once: who sent it, since when, and as which of his messages."""
    table: TableId
    """Where it was said."""
    progressive: ProgressiveId
    pool: Pool
    reason: AdjustmentReason
    amount: MeterAmount
    """Negative where it lowers the pool."""
    text: str
    by: PersonId
    counterpart: str = ""
    """Where a transfer goes, or comes from."""
    settles: str = ""
    """The key of the held contribution that is done with by this; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldContributions:
    """Contributions too large to be believed: in no pool until a person has looked at them."""

    count: int
    amount: MeterAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterReading:
    """A meter as it stands: every figure of § 605a.7(a) and N.J.A.C. 13:69E-1.39A(b)."""

    progressive: ProgressiveId
    exact: MeterAmount
    """On the display, with the parts of a cent that it does not show."""
    displayed: Cents
    """Whole cents, as a sign shows them (T14)."""
    overflow: MeterAmount
    reserve: MeterAmount
    base_amount: Cents
    reset_amount: Cents
    limit: Cents | NoLimit
    in_meter: int
    """Qualifying wagers; one that is returned with its voided round is none."""
    hits: int
    """Wins of which not every claim was rejected."""
    wins: Cents
    """What they come to."""
    device_paid: Cents
    """Awards paid by a device itself: none at a live table (§ 605a.7(a)(2))."""
    attendant_paid: Cents
    """Awards that a person has paid; never less than before (§ 605a.7(a)(3))."""
    cumulative_paid: Cents
    """Both together (§ 605a.7(a)(4))."""
    pending: tuple[Award, ...]
    """Awards that are hit and not over: frozen, shown beside the meter."""
    held: HeldContributions
    records: int
    """How many postings, acts and held contributions it is made of; a reading of fewer is older (T54)."""
