"""What an auditor reads of a meter: its awards with all that was done about them, and how each win came about."""

from dataclasses import dataclass

from bridge.domain.identity import ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meters import Award, Posting, PostingReason
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.rounds import SignOff


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSpan:
    """Rounds of one table, from one to another, of which records are asked for; none where the last is before."""

    table: TableId
    first: RoundNumber
    last: RoundNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardHit:
    """An award as it stands, and when it was hit."""

    award: Award
    hit_at: Timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardRecord:
    """An award with everything that is on record about it."""

    award: Award
    hit_at: Timestamp
    answers: Sequence
    """The journal record of the round that won it."""
    meter_after: MeterAmount
    """The display when all awards of its win had been taken off it."""
    acts: tuple[SignOff, ...]
    """What people did about it, in the order in which they did it."""
    postings: tuple[Posting, ...]
    """The award, what it was raised by, and its restoration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldContribution:
    """A contribution too large to be believed."""

    progressive: ProgressiveId
    key: str
    amount: MeterAmount
    hidden: MeterAmount
    above: Cents
    """What was filed as unreasonable then."""
    table: TableId
    round_number: RoundNumber
    answers: Sequence
    at: Timestamp
    settled_by: str
    """Key of the posting that is done with it; empty while nobody has looked at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What postings of one reason came to between two wins."""

    reason: PostingReason
    postings: int
    amount: MeterAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class WinAudit:
    """How the amount of a win came about: all that was posted since the win before (N.M. Code 15.1.24.19)."""

    progressive: ProgressiveId
    win_number: int
    awards: tuple[AwardRecord, ...]
    opening: MeterAmount
    """The display after the awards of the win before; nothing for the first."""
    shares: tuple[Share, ...]
    """What changed the display in between, by reason."""
    wagers: int
    """Qualifying wagers in between."""
    postings: tuple[Posting, ...]
    meter_before: MeterAmount
    """What the winners shared, or a part of it."""

    @property
    def adds_up(self) -> bool:
        """Return whether the meter at the hit is what it opened with and all that was posted since."""
        return self.meter_before == MeterAmount.total((self.opening, *(share.amount for share in self.shares)))
