"""What happens at a simulated table: who wagers, what is dealt, and what goes wrong.

``scenario_file`` reads it from a file, ``shoe`` draws it at random; ``people`` play it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError
from bridge.domain.wagers import BettingPosition


class ScenarioError(BridgeError):
    """A scenario file is wrong; the message lists every fault with its file and key."""


class HoleCardReaderUse(StrEnum):
    """When the dealer uses the reader of § 633a.1 that looks at the hole card."""

    UNUSED = "unused"
    BEFORE_SETTLEMENT = "before_settlement"
    """Too early: an irregularity (R27, T12)."""
    AFTER_SETTLEMENT = "after_settlement"


class ChipCount(StrEnum):
    """In place of a number of chips."""

    AS_ACCEPTED = "as_accepted"


class Readability(StrEnum):
    """In place of an unreadable card."""

    EVERY_CARD_READ = "every_card_read"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableCard:
    """A card of the initial deal that the reader cannot read."""

    order: int
    """Place among the cards of the round, counted from 1."""
    text: str = "????"
    """What the reader says instead of a card's code."""
    identified: bool = True
    """Whether the people at the table name it; else somebody outside has to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedRound:
    """One round of play as it will happen."""

    blackjack: tuple[BettingPosition, ...]
    progressive: tuple[BettingPosition, ...]
    hands: tuple[tuple[BettingPosition, tuple[Card, Card]], ...]
    """The initial hand of each position with a Blackjack wager."""
    up_card: Card
    hole_card: Card
    hits: tuple[Card, ...] = ()
    dealer_hits: tuple[Card, ...] = ()
    late: tuple[BettingPosition, ...] = ()
    counted: int | ChipCount = ChipCount.AS_ACCEPTED
    unreadable: UnreadableCard | Readability = Readability.EVERY_CARD_READ
    hole_card_reader: HoleCardReaderUse = HoleCardReaderUse.UNUSED
    rejected: tuple[BettingPosition, ...] = ()
    """Positions whose claim to an award the floorperson rejects, where it would be validated (T52)."""

    def initial_deal(self, deal_order: Sequence[BettingPosition]) -> tuple[Card, ...]:
        """Return the initial cards as they leave the shoe: a card each, up card, a second each, hole card."""
        hands = dict(self.hands)
        dealt_in = [position for position in deal_order if position in hands]
        first = [hands[position][0] for position in dealt_in]
        second = [hands[position][1] for position in dealt_in]
        return (*first, self.up_card, *second, self.hole_card)

    def positions(self) -> frozenset[BettingPosition]:
        """Return every position that the round mentions."""
        return frozenset(self.blackjack + self.progressive + self.late)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Rounds of play, in order."""

    title: str
    rounds: tuple[ScriptedRound, ...]

    def check_layout(self, deal_order: Sequence[BettingPosition]) -> None:
        """Raise ``ScenarioError`` if a round mentions a position that the layout does not have."""
        unknown = {position for round_ in self.rounds for position in round_.positions()} - set(deal_order)
        if unknown:
            raise ScenarioError(
                f"{self.title}: the layout has positions {listed(deal_order)}, not {listed(sorted(unknown))}"
            )


def listed(items: Sequence[object]) -> str:
    """Return things as a message lists them."""
    return ", ".join(str(item) for item in items)
