"""Whose card is whose, which card matters, and when the hole card is exposed.

The reader says which card, never whose: the deal order of the rules says that. After the initial deal
the owner of a card is not observable, and is left open instead of being guessed.
"""

from dataclasses import replace

from bridge.domain.cards import FaceOrUnseen, UnseenCard
from bridge.domain.events import CardDrawn, CardUnread
from bridge.domain.identity import Timestamp
from bridge.domain.rounds import DealtCard, Hand, HandHolder, House
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.rules.blackjack import initial_deal
from bridge.table.acceptance import lock_out
from bridge.table.phases import Trigger
from bridge.table.state import (
    TableState,
    cards_of,
    dealt_in,
    follow,
    has_wagers_to_settle,
    hole_card_is_read,
    record,
)

_BEFORE_COUNT = (Phase.NO_MORE_BETS, Phase.COUNT_DIFFERS)
_BEFORE_SETTLEMENT = (Phase.MANUAL, Phase.SIDE_WAGERS, Phase.HOLE_CARD_EXPOSED)


def take_card(state: TableState, event: CardDrawn | CardUnread) -> TableState:
    """Fold in a card that passed the reader, readable or not."""
    face: FaceOrUnseen = event.card if isinstance(event, CardDrawn) else UnseenCard.UNREAD
    card = DealtCard(
        order=len(cards_of(state.round)) + 1, card=face, device=event.device, at=event.at, disclosed=True
    )
    if face is UnseenCard.UNREAD:
        state = record(
            state, IrregularityKind.CARD_UNREAD, event.at, f"card {card.order} of the round could not be read"
        )
    if state.burn_expected:
        burned = (*state.round.burned, replace(card, disclosed=False))
        return replace(state, burn_expected=False, round=replace(state.round, burned=burned))
    state = _lock_at_first_card(state, event.at)
    if state.phase in _BEFORE_COUNT:
        state = record(
            state, IrregularityKind.CARD_BEFORE_COUNT, event.at, "a card was dealt before the chips were counted"
        )
        state = follow(state, Trigger.CARD_DEALT)
    if state.phase is Phase.DEALING:
        return _deal(state, card)
    if state.hole_card_expected:
        return expose_hole_card(_add(replace(state, hole_card_expected=False), House.DEALER, card))
    if state.phase in _BEFORE_SETTLEMENT:
        state = record(
            state,
            IrregularityKind.CARD_BEFORE_SETTLEMENT,
            event.at,
            f"card {card.order} came while wagers were still to be settled",
        )
    return _leave_unassigned(state, card)


def unread_that_matters(state: TableState) -> tuple[DealtCard, ...]:
    """Return the face-up cards of initial hands that a supervisor has to name before anything is settled."""
    if not has_wagers_to_settle(state):
        return ()
    return tuple(
        card
        for hand in state.round.hands
        for card in hand.cards
        if card.card is UnseenCard.UNREAD and card.disclosed
    )


def expose_hole_card(state: TableState) -> TableState:
    """Disclose the dealer's second card; the state must hold it."""
    dealer = state.round.hand_of(House.DEALER)
    cards = tuple(replace(card, disclosed=True) for card in dealer.cards)
    hands = tuple(replace(hand, cards=cards) if hand is dealer else hand for hand in state.round.hands)
    return replace(state, round=replace(state.round, hands=hands, hole_card_exposed=True))


def _lock_at_first_card(state: TableState, at: Timestamp) -> TableState:
    """Lock at once when a card is dealt and nobody has locked; keep what was accepted, and record it (T47)."""
    if state.phase is not Phase.WAGERS_OPEN:
        return state
    state = record(state, IrregularityKind.CARD_BEFORE_LOCK_OUT, at, "the first card came before the lock-out")
    return lock_out(state, at)


def _deal(state: TableState, card: DealtCard) -> TableState:
    order = initial_deal(dealt_in(state), hole_card_read=hole_card_is_read(state.setup))
    dealt = sum(len(hand.cards) for hand in state.round.hands)
    if not dealt_in(state):
        state = record(
            state, IrregularityKind.CARD_UNEXPECTED, card.at, f"card {card.order}: no position was to be dealt to"
        )
        return _leave_unassigned(state, card)
    face_down = order[dealt] is House.DEALER and bool(state.round.hand_of(House.DEALER).cards)
    state = _add(state, order[dealt], replace(card, disclosed=not face_down))
    if dealt + 1 < len(order):
        return state
    state = replace(state, round=replace(state.round, initial_deal_complete=True))
    if unread_that_matters(state):
        return follow(state, Trigger.CARD_TO_IDENTIFY)
    if has_wagers_to_settle(state):
        return follow(state, Trigger.INITIAL_DEAL_COMPLETE)
    return follow(state, Trigger.NOTHING_TO_SETTLE)


def _add(state: TableState, holder: HandHolder, card: DealtCard) -> TableState:
    hand = state.round.hand_of(holder)
    grown = Hand(holder=holder, cards=(*hand.cards, card))
    if hand.cards:
        hands = tuple(grown if other is hand else other for other in state.round.hands)
    else:
        hands = (*state.round.hands, grown)
    return replace(state, round=replace(state.round, hands=hands))


def _leave_unassigned(state: TableState, card: DealtCard) -> TableState:
    return replace(state, round=replace(state.round, unassigned=(*state.round.unassigned, card)))
