"""The cards of a round as they lie: added to a hand, left with none, turned face up, named."""

from collections.abc import Callable

from bridge.domain.cards import UnseenCard
from bridge.domain.changing import replace
from bridge.domain.rounds import DealtCard, Hand, HandHolder
from bridge.table.state import TableState, has_wagers_to_settle


def add_card(state: TableState, holder: HandHolder, card: DealtCard) -> TableState:
    """Return the state with a card more in a hand."""
    hand = state.round.hand_of(holder)
    grown = Hand(holder=holder, cards=(*hand.cards, card))
    if hand.cards:
        hands = tuple(grown if other is hand else other for other in state.round.hands)
    else:
        hands = (*state.round.hands, grown)
    return replace(state, round=replace(state.round, hands=hands))


def leave_unassigned(state: TableState, card: DealtCard) -> TableState:
    """Return the state with a card that belongs to no hand we know."""
    return replace(state, round=replace(state.round, unassigned=(*state.round.unassigned, card)))


def burn(state: TableState, card: DealtCard) -> TableState:
    """Return the state with a card that was burned, not dealt (T51)."""
    return replace(state, burn_expected=False, round=replace(state.round, burned=(*state.round.burned, card)))


def turn(state: TableState, holder: HandHolder) -> TableState:
    """Return the state with every card of a hand face up."""
    return change_cards(state, holder, lambda card: replace(card, disclosed=True))


def change_cards(state: TableState, holder: HandHolder, change: Callable[[DealtCard], DealtCard]) -> TableState:
    """Return the state with the cards of a hand changed."""
    hands = tuple(
        replace(hand, cards=tuple(change(card) for card in hand.cards)) if hand.holder == holder else hand
        for hand in state.round.hands
    )
    return replace(state, round=replace(state.round, hands=hands))


def unread_that_matters(state: TableState) -> tuple[DealtCard, ...]:
    """Return the face-up cards of hands that a supervisor has to name before anything is settled (T51)."""
    if not has_wagers_to_settle(state):
        return ()
    return tuple(
        card
        for hand in state.round.hands
        for card in hand.cards
        if card.card is UnseenCard.UNREAD and card.disclosed
    )
