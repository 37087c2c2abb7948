"""Whose card is whose in baccarat, and whether it was due (§§ 627a.8 to 627a.10, 631a.9 to 631a.11).

The rules say who is due a card. A shoe that knows the game may say whom it dealt to; where the two differ,
the card lies where the shoe says, the difference is recorded, and nothing is ever corrected. Only hands that are
complete take no further card, whatever a shoe says: they may be settled already, and what is settled stands.
"""

from dataclasses import replace
from typing import assert_never

from bridge.domain.cards import FaceOrUnseen
from bridge.domain.identity import Timestamp
from bridge.domain.rounds import DealtCard, House
from bridge.domain.setup import Dealing
from bridge.domain.shoe import DealTarget
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.rules.baccarat import INITIAL_DEAL, HandVerdict, NotTold, next_card, next_holder
from bridge.table.hands import add_card, burn, leave_unassigned, turn, unread_that_matters
from bridge.table.phases import Trigger
from bridge.table.state import TableState, early_wagers, follow, record

_HANDS = {DealTarget.PLAYER: House.PLAYER, DealTarget.BANKER: House.BANKER}
BURNED = (DealTarget.BURN, DealTarget.FIRST_OF_BURN_COUNT, DealTarget.BURN_COUNT)
"""What a shoe says of cards that are no part of a hand."""


def burn_stated(state: TableState, card: DealtCard, target: DealTarget) -> TableState:
    """Return the state with a card that the shoe states to be burned; the first of a burn count lies open."""
    return burn(state, replace(card, disclosed=target is DealTarget.FIRST_OF_BURN_COUNT))


def deal_baccarat(state: TableState, card: DealtCard, target: DealTarget) -> TableState:
    """Return the state with a card that was dealt."""
    due = _whose_turn(state)
    stated = None if due is HandVerdict.LEGAL else _HANDS.get(target)
    holder = due if stated is None and isinstance(due, House) else stated
    if holder is None:
        state = record(
            state,
            IrregularityKind.CARD_UNEXPECTED,
            card.at,
            f"card {card.order}{_stated_for(target)}: no hand was due a card, and it belongs to none",
        )
        return leave_unassigned(state, card)
    if holder != due:
        state = record(
            state,
            IrregularityKind.CARD_NOT_DUE,
            card.at,
            f"card {card.order} went to the {holder}, and {_in_words(due)}",
        )
    face_down = state.setup.dealing is Dealing.FACE_DOWN and state.phase is Phase.DEALING
    state = add_card(state, holder, replace(card, disclosed=not face_down))
    if state.phase is Phase.DEALING and _dealt(state) == len(INITIAL_DEAL):
        return _initial_deal_complete(state)
    if state.phase is Phase.THIRD_CARDS and unread_that_matters(state):
        return follow(state, Trigger.CARD_TO_IDENTIFY)
    return state


def turn_hand(state: TableState, holder: House, at: Timestamp) -> TableState:
    """Fold in the key that says that a hand dealt face down lies open now (§ 627a.8)."""
    cards = state.round.hand_of(holder).cards
    if not state.round.initial_deal_complete or all(card.disclosed for card in cards):
        return record(
            state, IrregularityKind.KEY_OUT_OF_TURN, at, f"{holder} hand turned: it does not lie face down"
        )
    if state.round.voided:
        detail = f"{holder} hand turned: the round is voided, and its wagers are returned"
        return record(state, IrregularityKind.KEY_OUT_OF_TURN, at, detail)
    state = turn(state, holder)
    turnable = state.phase in (Phase.SIDE_WAGERS, Phase.THIRD_CARDS)
    return follow(state, Trigger.CARD_TO_IDENTIFY) if turnable and unread_that_matters(state) else state


def declare_complete(state: TableState, at: Timestamp) -> TableState:
    """Fold in the dealer's word that the hands are complete, although the rules say otherwise (R63)."""
    state = record(
        state, IrregularityKind.CARD_MISSING, at, f"the hands were declared complete: {in_words(state)}"
    )
    return replace(state, round=replace(state.round, hands_declared_complete=True))


def hands_are_complete(state: TableState) -> bool:
    """Return whether every card that is due has come, and nothing else has."""
    return next_card(state.round) is HandVerdict.LEGAL


def in_words(state: TableState) -> str:
    """Return what the rules say of the hands as they lie, for a display."""
    return _in_words(next_card(state.round))


def _whose_turn(state: TableState) -> House | HandVerdict | NotTold:
    """Return whose the next card is. During the initial deal that is told without looking at the cards."""
    if state.phase is not Phase.DEALING:
        return next_card(state.round)
    hands = (state.round.hand_of(House.PLAYER), state.round.hand_of(House.BANKER))
    player, banker = (tuple[FaceOrUnseen, ...](card.card for card in hand.cards) for hand in hands)
    return next_holder(player, banker)


def _initial_deal_complete(state: TableState) -> TableState:
    state = replace(state, round=replace(state.round, initial_deal_complete=True))
    if unread_that_matters(state):
        return follow(state, Trigger.CARD_TO_IDENTIFY)
    if early_wagers(state):
        return follow(state, Trigger.INITIAL_DEAL_COMPLETE)
    return follow(state, Trigger.NOTHING_TO_SETTLE)


def _stated_for(target: DealTarget) -> str:
    """Return for whom a shoe said that it drew a card, if it said so."""
    return f" for the {target}" if target in _HANDS else ""


def _dealt(state: TableState) -> int:
    return sum(len(hand.cards) for hand in state.round.hands)


def _in_words(due: House | HandVerdict | NotTold) -> str:
    match due:
        case House():
            return f"the {due} is due a card"
        case HandVerdict.LEGAL:
            return "no hand is due a card"
        case HandVerdict() | NotTold():
            return due.replace("_", " ")
        case _:
            assert_never(due)
