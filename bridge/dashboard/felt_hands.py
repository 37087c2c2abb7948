"""The hands of the house, in words: the dealer's, or those of Player and Banker."""

from dataclasses import dataclass

from bridge import words
from bridge.dashboard import table_words as say
from bridge.dashboard.felt_positions import ShownCard, shown_card, shown_cards
from bridge.dashboard.seen import Seen
from bridge.domain.rounds import Game, House
from bridge.domain.settlements import FinalResult
from bridge.domain.table_view import Phase
from bridge.rules.disclosed_cards import cards_as_seen
from bridge.words.wager_ends import point_count_seen


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHand:
    """One hand of the house."""

    name: str
    cards: tuple[ShownCard, ...]
    count: str
    """The Point Count; empty while it may not be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHouse:
    """What lies before the dealer."""

    hands: tuple[ShownHand, ...]
    others_name: str
    others: tuple[ShownCard, ...]
    """Cards that belong to no hand that these devices can see."""
    announcement: str
    """What the dealer has to announce; empty while there is nothing, and at a table where nothing is announced."""


def holders(game: Game) -> tuple[House, ...]:
    """Return whose hands the house of a game deals."""
    return (House.DEALER,) if game is Game.BLACKJACK else (House.PLAYER, House.BANKER)


def shown_house(now: Seen) -> ShownHouse:
    """Return the hands of the house as everybody may know them."""
    game = now.setup.game
    others = () if now.round is None else cards_as_seen(now.round.unassigned)
    return ShownHouse(
        hands=tuple(
            ShownHand(name=say.HANDS[holder], cards=shown_cards(now, holder), count=_count(now, holder))
            for holder in holders(game)
        ),
        others_name=say.FURTHER_CARDS if game is Game.BLACKJACK else say.CARDS_OF_NO_HAND,
        others=tuple(shown_card(card) for card in others),
        announcement=_announcement(now),
    )


def _announcement(now: Seen) -> str:
    """Return the newest announcement; at the result not the one that was due before the third cards."""
    said = () if now.settlement is None else now.settlement.announcements
    if not said or (now.view.phase is Phase.RESULT and not isinstance(said[-1], FinalResult)):
        return ""
    return words.announcement(said[-1])


def _count(now: Seen, holder: House) -> str:
    if now.round is None or now.setup.game is Game.BLACKJACK:
        return ""
    count = point_count_seen(now.round, holder)
    return "" if count is None else str(count)
