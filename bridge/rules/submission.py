"""The rules submission of a table: what is filed, and how open questions are read.

Every side wager is off unless it is filed with exactly one paytable and an approval reference (R2, R3).
Where the text of a section leaves a doubt, the reading is a field without a default: it is filed, or the
submission is refused.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from bridge.domain.identity import ProgressiveId
from bridge.domain.money import Cents
from bridge.domain.rounds import Game
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.paytable import Paytable


class AceAdjacency(StrEnum):
    """Which neighbours an ace has in "consecutive order" (T1)."""

    LOW = "low"
    """Ace and two."""
    HIGH = "high"
    """King and ace."""
    BOTH = "both"


class EnvyTrigger(StrEnum):
    """Whose Crown Treasure owes Envy Bonuses (T25)."""

    WINS = "wins"
    """Of a position with an accepted progressive wager."""
    HOLDS = "holds"
    """Of any position that was dealt in, wager or not."""


class EnvyCounts(StrEnum):
    """Whether "his own hand" is about the position or the person (T24)."""

    POSITIONS = "positions"
    PERSONS = "persons"


class OutsideWindow(StrEnum):
    """What happens to a round outside the effective dates (R49)."""

    WARN = "warn"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressive:
    """A progressive meter as filed."""

    id: ProgressiveId
    seed: Cents
    """§ 633b.18(i): 10,000 times the minimum wager (R43, T20)."""
    increment_rate: Fraction
    """Part of each wager that the meter takes, 15/100 (R44)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoyalMatchProgressiveFiling:
    """§ 633b.18 as one table files it."""

    approval_reference: str
    paytable: Paytable
    wager: Cents
    """The one fixed amount of the wager, which is also its minimum (T20, T21)."""
    progressive: Progressive
    envy_pays: int
    """500: the Envy Bonus is paid at this many to one of the receiver's own wager (R46, T22)."""
    settle_order: tuple[BettingPosition, ...]
    """From the dealer's right, counterclockwise (R28): the reverse of the deal order, or refused (T41)."""
    ace_adjacency: AceAdjacency
    envy_trigger: EnvyTrigger
    envy_counts: EnvyCounts
    validated_outcomes: frozenset[str]
    """Outcomes whose payout a floorperson validates before the round may close (R37)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSubmission:
    """What one table is allowed to play, and how."""

    game: Game
    digest: str
    """SHA-256 of the document and of the paytables it names, in hexadecimal; it stands in every round."""
    effective_from: str
    effective_until: str
    """First and last gaming day, ISO dates; text, because the core has no calendar and only compares them."""
    outside_window: OutsideWindow
    royal_match_progressive: RoyalMatchProgressiveFiling | None
    """None where the table does not offer it."""

    def files(self, kind: WagerKind) -> bool:
        """Return whether a wager may be offered at all."""
        match kind:
            case WagerKind.BLACKJACK:
                return self.game is Game.BLACKJACK
            case WagerKind.ROYAL_MATCH_PROGRESSIVE:
                return self.royal_match_progressive is not None
            case _:
                assert_never(kind)

    def progressives(self) -> tuple[Progressive, ...]:
        """Return the meters that the filed wagers feed."""
        filing = self.royal_match_progressive
        return () if filing is None else (filing.progressive,)
