"""Whose card is whose in blackjack, and when the hole card is exposed (§§ 633a.1, 633a.7).

The reader says which card, never whose: the deal order of the rules says that. After the initial deal
the owner of a card is not observable, and is left open instead of being guessed.
"""

from dataclasses import replace

from bridge.domain.rounds import DealtCard, House
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.rules.blackjack import initial_deal
from bridge.table.hands import add_card, leave_unassigned, turn, unread_that_matters
from bridge.table.phases import Trigger
from bridge.table.state import TableState, dealt_in, follow, has_wagers_to_settle, hole_card_is_read, record


def deal_blackjack(state: TableState, card: DealtCard) -> TableState:
    """Return the state with a card that was dealt."""
    if state.phase is Phase.DEALING:
        return _deal_initial(state, card)
    if state.hole_card_expected:
        state = add_card(replace(state, hole_card_expected=False), House.DEALER, card)
        return expose_hole_card(state)
    return leave_unassigned(state, card)


def expose_hole_card(state: TableState) -> TableState:
    """Disclose the dealer's second card; the state must hold it."""
    state = turn(state, House.DEALER)
    return replace(state, round=replace(state.round, hole_card_exposed=True))


def _deal_initial(state: TableState, card: DealtCard) -> TableState:
    order = initial_deal(dealt_in(state), hole_card_read=hole_card_is_read(state.setup))
    dealt = sum(len(hand.cards) for hand in state.round.hands)
    if dealt >= len(order):  # nobody wagered, or the table was wired anew in the middle of the deal
        state = record(
            state, IrregularityKind.CARD_UNEXPECTED, card.at, f"card {card.order}: no position was to be dealt to"
        )
        return leave_unassigned(state, card)
    face_down = order[dealt] is House.DEALER and bool(state.round.hand_of(House.DEALER).cards)
    state = add_card(state, order[dealt], replace(card, disclosed=not face_down))
    if dealt + 1 < len(order):
        return state
    state = replace(state, round=replace(state.round, initial_deal_complete=True))
    if unread_that_matters(state):
        return follow(state, Trigger.CARD_TO_IDENTIFY)
    if has_wagers_to_settle(state):
        return follow(state, Trigger.INITIAL_DEAL_COMPLETE)
    return follow(state, Trigger.NOTHING_TO_SETTLE)
