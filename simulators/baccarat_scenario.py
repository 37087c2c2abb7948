"""What happens at a simulated table of baccarat: who wagers, what the shoe gives, and what goes wrong.

``baccarat_scenario_file`` reads it from a file, ``baccarat_shoe`` draws it at random; ``baccarat_people`` play it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card
from bridge.domain.money import Cents
from bridge.domain.shoe import DealTarget, ShoeResult
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.scenario import Readability, ScenarioError, UnreadableCard, listed

Layout = Sequence[tuple[BettingPosition, WagerKind]]
"""Wagering areas, in the order in which chips are laid."""


class NoCard(StrEnum):
    """In place of a card that does not come."""

    NONE = "none"


class ShoeSays(StrEnum):
    """In place of a result of the shoe's own."""

    WHAT_THE_CARDS_COME_TO = "what_the_cards_come_to"


class Drawn(StrEnum):
    """How a card that nobody is due leaves the shoe."""

    DEALT = "dealt"
    """The shoe states it for the Player's Hand, like any other."""
    OVERDRAWN = "overdrawn"
    """The shoe reports an overdraw, and states the card again when that is cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A card as it leaves the shoe."""

    card: Card
    target: DealTarget
    place: int
    """Which card of its hand, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraCard:
    """A card that nobody is due, after the last one."""

    card: Card
    drawn: Drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratRound:
    """One round of play as it will happen."""

    wagers: Layout
    player: tuple[Card, ...]
    """The cards of the Player's Hand; those of the Banker's are alongside."""
    banker: tuple[Card, ...]
    amounts: Mapping[tuple[BettingPosition, WagerKind], Cents]
    """What the dealer says that chips come to; nobody says it of a wager that is not here."""
    late: Layout = ()
    burned: tuple[Card, ...] = ()
    """Cards that are burned before the first one is dealt; the first of them says how many."""
    wrong_hand: bool = False
    """The first third card goes to the other hand."""
    extra_card: ExtraCard | NoCard = NoCard.NONE
    unreadable: UnreadableCard | Readability = Readability.EVERY_CARD_READ
    """``order`` counts the cards that are dealt, from 1."""
    shoe_says: ShoeResult | ShoeSays = ShoeSays.WHAT_THE_CARDS_COME_TO
    cut_card: bool = False
    """The cut card comes before the first card of the round."""
    card_before_lock_out: bool = False
    """The dealer draws the first card and forgets the lock-out button."""
    void: str = ""
    """Why a floorperson voids the round, once its cards are dealt; empty if nobody does."""

    def draws(self) -> tuple[Draw, ...]:
        """Return the cards of both hands as they leave the shoe: in turn, and third cards after that."""
        hands = ((DealTarget.PLAYER, self.player), (DealTarget.BANKER, self.banker))
        in_turn = [
            Draw(card=cards[place], target=target, place=place + 1)
            for place in range(max(len(self.player), len(self.banker)))
            for target, cards in hands
            if place < len(cards)
        ]
        if not self.wrong_hand:
            return tuple(in_turn)
        first = next(number for number, draw in enumerate(in_turn) if draw.place > INITIAL_CARDS)
        misdealt = Draw(card=in_turn[first].card, target=OTHER[in_turn[first].target], place=in_turn[first].place)
        return (*in_turn[:first], misdealt)

    def areas(self) -> frozenset[tuple[BettingPosition, WagerKind]]:
        """Return every wagering area that the round mentions."""
        return frozenset((*self.wagers, *self.late))

    def positions(self) -> frozenset[BettingPosition]:
        """Return every position that the round mentions."""
        return frozenset(position for position, _ in self.areas())


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratScenario:
    """Rounds of play, in order."""

    title: str
    rounds: tuple[BaccaratRound, ...]

    def check_layout(self, deal_order: Sequence[BettingPosition], offered: Collection[WagerKind]) -> None:
        """Raise ``ScenarioError`` if a round mentions a position or a wager that the table does not have."""
        areas = {area for round_ in self.rounds for area in round_.areas()}
        unknown = sorted({position for position, _ in areas} - set(deal_order))
        if unknown:
            raise ScenarioError(
                f"{self.title}: the layout has positions {listed(deal_order)}, not {listed(unknown)}"
            )
        not_offered = sorted({wager for _, wager in areas} - set(offered))
        if not_offered:
            raise ScenarioError(
                f"{self.title}: the table offers {listed(sorted(offered))}, not {listed(not_offered)}"
            )


INITIAL_CARDS = 2
OTHER = {DealTarget.PLAYER: DealTarget.BANKER, DealTarget.BANKER: DealTarget.PLAYER}
