"""Blackjack: whose the initial cards are, and what may be known of them (§§ 633a.1, 633a.7, 633b.18(g)).

Only the initial deal has an order that fixes each card's owner; later cards stay unassigned in ``Round``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from bridge.domain.cards import FaceOrUnseen, UnseenCard
from bridge.domain.rounds import HandHolder, House, Round
from bridge.domain.wagers import BettingPosition
from bridge.rules.disclosed_cards import as_seen, cards_as_seen

INITIAL_CARDS = 2
"""Cards that a wager on the initial hand looks at (§ 633b.18(b)); what comes later never counts (T11)."""


class UndealtCard(StrEnum):
    """In place of a card that is still to come."""

    UNDEALT = "undealt"


def initial_deal(positions: tuple[BettingPosition, ...], *, hole_card_read: bool) -> tuple[HandHolder, ...]:
    """Return the holders of the initial cards, in the order in which the card reader sees the cards.

    ``positions`` are those dealt in, in deal order. One card goes to each and one to the dealer, then a
    second to each and one to the dealer, which is the hole card (§ 633a.1). Without ``hole_card_read`` the
    reader sees cards as they are shown, and the hole card is not among them. Nobody dealt in: nothing dealt.
    """
    if not positions:
        return ()
    up_to_hole_card: tuple[HandHolder, ...] = (*positions, House.DEALER, *positions)
    return (*up_to_hole_card, House.DEALER) if hole_card_read else up_to_hole_card


class InitialCards(NamedTuple):
    """The initial cards of a round, as everybody may know them."""

    hands: Mapping[HandHolder, tuple[FaceOrUnseen, ...]]
    up_card: FaceOrUnseen | UndealtCard
    hole_card: FaceOrUnseen | UndealtCard

    def of(self, position: BettingPosition) -> tuple[FaceOrUnseen, ...]:
        """Return the initial cards of a position in the order they came, as many as have come."""
        return self.hands.get(position, ())


def initial_cards(round_: Round) -> InitialCards:
    """Return the initial cards of every hand of a round, looked at once for all its wagers."""
    return InitialCards(
        hands={
            hand.holder: cards_as_seen(hand.cards[:INITIAL_CARDS])
            for hand in reversed(round_.hands)  # of two hands of one holder the first counts
        },
        up_card=up_card(round_),
        hole_card=hole_card(round_),
    )


def up_card(round_: Round) -> FaceOrUnseen | UndealtCard:
    """Return the dealer's first card (T5)."""
    cards = round_.hand_of(House.DEALER).cards
    return as_seen(cards[0]) if cards else UndealtCard.UNDEALT


def hole_card(round_: Round) -> FaceOrUnseen | UndealtCard:
    """Return the dealer's second card, ``HIDDEN`` until it is exposed even where the round knows it (T48)."""
    cards = round_.hand_of(House.DEALER).cards
    if len(cards) < INITIAL_CARDS:
        return UndealtCard.UNDEALT
    return as_seen(cards[1]) if round_.hole_card_exposed else UnseenCard.HIDDEN
