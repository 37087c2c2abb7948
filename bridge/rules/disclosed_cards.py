"""Cards as everybody at the table may know them (T48). No rule looks at a card in any other way."""

from collections.abc import Iterable

from bridge.domain.cards import FaceOrUnseen, UnseenCard
from bridge.domain.rounds import DealtCard, HandHolder, Round


def cards_as_seen(cards: Iterable[DealtCard]) -> tuple[FaceOrUnseen, ...]:
    """Return what everybody may know of cards: ``HIDDEN`` while one lies face down, whoever knows it."""
    return tuple([card.card if card.disclosed else UnseenCard.HIDDEN for card in cards])


def as_seen(card: DealtCard) -> FaceOrUnseen:
    """Return what everybody may know of a card."""
    return cards_as_seen((card,))[0]


def hand_as_seen(round_: Round, holder: HandHolder) -> tuple[FaceOrUnseen, ...]:
    """Return the cards of a hand in the order they came."""
    return cards_as_seen(round_.hand_of(holder).cards)
