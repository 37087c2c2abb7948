"""Cards as everybody at the table may know them (T48). No rule looks at a card in any other way."""

from bridge.domain.cards import FaceOrUnseen, UnseenCard
from bridge.domain.rounds import DealtCard, HandHolder, Round


def as_seen(card: DealtCard) -> FaceOrUnseen:
    """Return what everybody may know of a card: ``HIDDEN`` while it lies face down, whoever knows it."""
    return card.card if card.disclosed else UnseenCard.HIDDEN


def hand_as_seen(round_: Round, holder: HandHolder) -> tuple[FaceOrUnseen, ...]:
    """Return the cards of a hand in the order they came."""
    return tuple([as_seen(card) for card in round_.hand_of(holder).cards])
