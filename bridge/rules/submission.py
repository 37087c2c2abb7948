"""The rules submission of a table: what is filed, and how open questions are read.

Every side wager is off unless it is filed with exactly one paytable and an approval reference (R2, R3).
Where the text of a section leaves a doubt, the reading is a field without a default: it is filed, or the
submission is refused.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import NoLimit
from bridge.domain.money import Cents
from bridge.domain.rounds import Game
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.paytable import Paytable
from bridge.rules.rounding import Rounding


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
    """A progressive meter as filed, with every parameter of a controller (N.J.A.C. 13:69E-1.39A(a))."""

    id: ProgressiveId
    base_amount: Cents
    """What it begins with at its first start; § 633b.18(i): 10,000 times the minimum wager (R43, T20)."""
    reset_amount: Cents
    """What it begins with again after a win; § 633b.18(i) has one seed for both."""
    increment_rate: Fraction
    """Part of each wager that the meter takes, 15/100 (R44)."""
    hidden_rate: Fraction = Fraction(0)
    """Part of each wager that feeds the reserve pool, which is added to the next reset."""
    limit: Cents | NoLimit = NoLimit.NO_LIMIT
    """What the meter shows at most; what exceeds it waits in the overflow for the next reset."""
    unreasonable_above: Cents | NoLimit = NoLimit.NO_LIMIT
    """A contribution of one wager above this is held back until a person has looked at it."""


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


class Moment(StrEnum):
    """When a wager is settled (T38)."""

    AFTER_FOUR_CARDS = "after_four_cards"
    """Before any third card, both Point Counts announced (§ 631c.7(c), R7)."""
    AFTER_RESULT = "after_result"
    """After the announcement of the result (§§ 627a.11(b), 627b.5(d))."""
    AFTER_INITIAL_DEAL = "after_initial_deal"
    """After each player's second card, before any further one (§ 633b.18(g), by its structure)."""


class SettleOrder(StrEnum):
    """The order of positions by their numbers (T41, T42)."""

    HIGHEST_POSITION_FIRST = "highest_position_first"
    LOWEST_POSITION_FIRST = "lowest_position_first"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFiling:
    """One wager of fixed odds as one table files it."""

    kind: WagerKind
    approval_reference: str
    paytable: Paytable
    moment: Moment
    requires: tuple[WagerKind, ...]
    """Wagers of which the position must have one; none where the wager stands alone (T37)."""
    settle_order: SettleOrder | tuple[BettingPosition, ...]
    """By number, or from the dealer's right as the positions of this layout lie (T41)."""
    amount: WagerAmount
    """The one fixed amount; unknown where players choose theirs, and a person or a reader has to say it."""
    rounding: Rounding
    """How a payment that is not whole chips is handed over (T27)."""


class VigorishTaken(StrEnum):
    """When the vigorish of a winning Banker wager is taken (§ 627a.11(b))."""

    COLLECTED = "collected"
    """With the payment."""
    MARKED = "marked"
    """Noted, and paid later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VigorishFiling:
    """What a winning Banker wager owes the house."""

    rate: Fraction
    """Part of the amount won, 5/100 or 4/100."""
    rounding: Rounding
    taken: VigorishTaken


class NoVigorish(StrEnum):
    """In place of a vigorish filing."""

    EZ_BACCARAT = "ez_baccarat"
    """The table is designated for EZ Baccarat (§ 627a.11(b), R67)."""
    PAYTABLE = "paytable"
    """The Banker paytable pays a win with 6 less instead."""
    OTHER_WAGER = "other_wager"
    """It is owed on the Banker wager alone (T28)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratFiling:
    """How a table plays its game of baccarat."""

    vigorish: VigorishFiling | NoVigorish
    on_dragon_7: TalonsOnDragon7
    """What a Dragon 7 is to Golden Talons (T35); ``NOT_ANNOUNCED`` where there is none, or no such wager."""

    @property
    def ez(self) -> bool:
        """Whether the table is designated for play as EZ Baccarat (§ 627a.11(a))."""
        return self.vigorish is NoVigorish.EZ_BACCARAT


class NotFiled(StrEnum):
    """In place of a filing that a rules submission does not have."""

    NOT_FILED = "not_filed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerFiling:
    """What is filed of the progressive controller itself."""

    link_lost_after_s: int = 30
    """How long the table may be without its rules worker before it takes no more progressive wagers."""
    approved_software: str | None = None
    """Digest of the software that was approved, in hexadecimal; None where none is filed."""


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
    wagers: tuple[WagerFiling, ...] = ()
    """The wagers of fixed odds, each kind at most once."""
    baccarat: BaccaratFiling | NotFiled = NotFiled.NOT_FILED
    """Filed where the game is one of baccarat."""
    controller: ControllerFiling = ControllerFiling()

    def __hash__(self) -> int:
        """Tell documents apart by their digest; equality asks for everything all the same."""
        return hash(self.digest)

    def files(self, kind: WagerKind) -> bool:
        """Return whether a wager may be offered at all."""
        match kind:
            case WagerKind.BLACKJACK:
                return self.game is Game.BLACKJACK
            case WagerKind.ROYAL_MATCH_PROGRESSIVE:
                return self.royal_match_progressive is not None
            case _:
                return self.filing(kind) is not NotFiled.NOT_FILED

    def filing(self, kind: WagerKind) -> WagerFiling | NotFiled:
        """Return the filing of a wager of fixed odds."""
        for filing in self.wagers:
            if filing.kind is kind:
                return filing
        return NotFiled.NOT_FILED

    def filed(self, kind: WagerKind) -> WagerFiling:
        """Return the filing of a wager of fixed odds that is filed; raise ``KeyError`` where none is."""
        filing = self.filing(kind)
        if isinstance(filing, NotFiled):
            raise KeyError(kind)
        return filing

    def amount_of(self, kind: WagerKind) -> WagerAmount:
        """Return the one fixed amount of a wager that is filed; unknown where players choose theirs."""
        filing = self.filing(kind)
        if kind is WagerKind.ROYAL_MATCH_PROGRESSIVE and self.royal_match_progressive is not None:
            return self.royal_match_progressive.wager
        return filing.amount if isinstance(filing, WagerFiling) else UnknownAmount.UNKNOWN

    def baccarat_filed(self) -> BaccaratFiling:
        """Return how the table plays its game of baccarat; raise ``KeyError`` where it is another game."""
        if isinstance(self.baccarat, NotFiled):
            raise KeyError(self.game)
        return self.baccarat

    def progressive_filed(self) -> RoyalMatchProgressiveFiling:
        """Return the filing of the Royal Match progressive; raise ``KeyError`` where there is none."""
        if self.royal_match_progressive is None:
            raise KeyError(WagerKind.ROYAL_MATCH_PROGRESSIVE)
        return self.royal_match_progressive

    def progressives(self) -> tuple[Progressive, ...]:
        """Return the meters that the filed wagers feed."""
        filing = self.royal_match_progressive
        return () if filing is None else (filing.progressive,)
