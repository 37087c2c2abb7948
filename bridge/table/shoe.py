"""What a shoe that knows the game says, besides cards. It is compared and recorded, never taken for the truth."""

from dataclasses import replace
from typing import assert_never

from bridge.domain.identity import Timestamp
from bridge.domain.rounds import House
from bridge.domain.settlements import Winner
from bridge.domain.shoe import ShoeResult, UnseenResult
from bridge.domain.shoe_events import (
    CardDrawnOutOfGame,
    CardRetransmitted,
    CutCardReached,
    ShoeEvent,
    ShoeFaultCleared,
    ShoeFaultReported,
    ShoeLockReported,
    ShoePresetChanged,
    ShoeReportLost,
    ShoeResultReported,
    ShoeStarted,
    ShoeStoodBy,
)
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.rules.baccarat import final_hands, known_hands
from bridge.rules.disclosed_cards import hand_as_seen
from bridge.table.baccarat_dealing import hands_are_complete, in_words
from bridge.table.disclosure import lies_face_down
from bridge.table.state import Shoe, TableState, cards_of, record

_RESULTS = {
    Winner.PLAYER: ShoeResult.PLAYER,
    Winner.BANKER: ShoeResult.BANKER,
    Winner.TIE_HAND: ShoeResult.TIE,
}


def hear_shoe(state: TableState, event: ShoeEvent) -> TableState:
    """Fold in a report of the shoe."""
    match event:
        case CutCardReached():
            return replace(state, shoe=replace(state.shoe, cut_card_reached=True))
        case ShoeResultReported():
            return _hear_result(state, event)
        case ShoeFaultReported():
            return record(state, IrregularityKind.SHOE_FAULT, event.at, f"{event.fault} (code {event.code})")
        case CardDrawnOutOfGame():
            detail = f"a card left the shoe in {event.mode} mode"
            return record(state, IrregularityKind.CARD_OUT_OF_GAME, event.at, detail)
        case CardRetransmitted():
            detail = f"the shoe stated a card of the {event.target} again; no hand is changed by that"
            return record(state, IrregularityKind.CARD_RETRANSMITTED, event.at, detail)
        case ShoeReportLost():
            return record(state, IrregularityKind.SHOE_REPORT_LOST, event.at, event.reason)
        case ShoeStarted() if cards_of(state.round):
            detail = "the shoe came up in mid-round; cards may have passed unread"
            return record(state, IrregularityKind.SHOE_RESTARTED, event.at, detail)
        case ShoeStarted() | ShoeStoodBy() | ShoeFaultCleared() | ShoeLockReported() | ShoePresetChanged():
            return state
        case _:
            assert_never(event)


def new_shoe(state: TableState, at: Timestamp) -> TableState:
    """Fold in the key that says that a new shoe is in play; refused while marked vigorish is open."""
    if state.phase is not Phase.WAGERS_OPEN:
        return record(state, IrregularityKind.KEY_OUT_OF_TURN, at, "new shoe: a round is being played")
    if state.vigorish:
        where = ", ".join(str(position) for position, _ in state.vigorish)
        return record(state, IrregularityKind.VIGORISH_OPEN, at, f"new shoe refused: vigorish is owed at {where}")
    return replace(state, shoe=Shoe(number=state.shoe.number + 1))


def compare_untold_result(state: TableState, at: Timestamp) -> TableState:
    """Fold in that a hand was turned: with both open, the shoe's result may be told and is compared."""
    result = state.shoe.untold_result
    if result is None or lies_face_down(state.round):
        return state
    return _compare(replace(state, shoe=replace(state.shoe, untold_result=None)), result, at)


def _hear_result(state: TableState, event: ShoeResultReported) -> TableState:
    """Record a result of the shoe's that is not ours: what the cards come to. A voided round has none."""
    if state.round.voided:
        return state
    if not lies_face_down(state.round):
        return _compare(state, event.result, event.at)
    if state.round.initial_deal_complete:
        return replace(state, shoe=replace(state.shoe, untold_result=event.result))
    # Which result is not said of cards that lie face down (T48).
    detail = "the shoe reports a result, and the initial deal is not complete"
    return record(state, IrregularityKind.SHOE_RESULT_DIFFERS, event.at, detail)


def _compare(state: TableState, result: ShoeResult | UnseenResult, at: Timestamp) -> TableState:
    if not hands_are_complete(state):
        detail = f"the shoe reports {result}, and {in_words(state)}"
        return record(state, IrregularityKind.SHOE_RESULT_DIFFERS, at, detail)
    hands = known_hands(hand_as_seen(state.round, House.PLAYER), hand_as_seen(state.round, House.BANKER))
    assert isinstance(hands, tuple)  # noqa: S101 - complete hands are known
    ours = final_hands(*hands).winner
    if result is _RESULTS[ours]:
        return state
    detail = f"the shoe reports {result}, and the cards come to {ours.replace('_', ' ')}"
    return record(state, IrregularityKind.SHOE_RESULT_DIFFERS, at, detail)
