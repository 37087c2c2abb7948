"""What the dealer says with the keys. A key that makes no sense now is recorded and does nothing."""

from dataclasses import replace

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import DealerKeyPressed
from bridge.domain.identity import Timestamp
from bridge.domain.rounds import CountCheck, Game, House
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.table.baccarat_dealing import declare_complete, hands_are_complete, turn_hand
from bridge.table.blackjack_dealing import expose_hole_card
from bridge.table.closing import blockers, close_round
from bridge.table.phases import Trigger
from bridge.table.shoe import compare_untold_result, new_shoe
from bridge.table.state import TableState, follow, hole_card_is_read, record

_COUNT_OPEN = (CountCheck.AWAITED, CountCheck.DIFFERED)


def press_key(state: TableState, event: DealerKeyPressed) -> TableState:
    """Fold in a dealer key."""
    match event.key:
        case DealerKey.COUNT_AGREED:
            return _count_agreed(state, event.at)
        case DealerKey.COUNT_DIFFERS:
            return _count_differs(state, event.at)
        case DealerKey.HOLE_CARD_EXPOSED:
            return _hole_card_turned(state, event.at)
        case DealerKey.BURN_CARD:
            return replace(state, burn_expected=True)
        case DealerKey.PLAYER_HAND_TURNED:
            return compare_untold_result(turn_hand(state, House.PLAYER, event.at), event.at)
        case DealerKey.BANKER_HAND_TURNED:
            return compare_untold_result(turn_hand(state, House.BANKER, event.at), event.at)
        case DealerKey.ROUND_COMPLETE:
            return _complete(state, event.at)
        case DealerKey.NEW_SHOE:
            return new_shoe(state, event.at)


def _count_agreed(state: TableState, at: Timestamp) -> TableState:
    if state.round.count_check is not CountCheck.AWAITED:
        return _out_of_turn(state, at, "count agreed", "no count is awaited; a floorperson resolves a difference")
    state = replace(state, round=replace(state.round, count_check=CountCheck.AGREED))
    return follow(state, Trigger.COUNT_AGREED) if state.phase is Phase.NO_MORE_BETS else state


def _count_differs(state: TableState, at: Timestamp) -> TableState:
    if state.round.count_check not in _COUNT_OPEN:
        return _out_of_turn(state, at, "count differs", "no count is awaited")
    accepted = sum(state.setup.offer(wager.kind).acknowledged for wager in state.round.accepted)
    state = record(
        state, IrregularityKind.COUNT_DIFFERED, at, f"the dealer's count is not the {accepted} wagers accepted"
    )
    state = replace(state, round=replace(state.round, count_check=CountCheck.DIFFERED))
    return follow(state, Trigger.COUNT_DIFFERED) if state.phase is Phase.NO_MORE_BETS else state


def _hole_card_turned(state: TableState, at: Timestamp) -> TableState:
    blackjack = state.round.game is Game.BLACKJACK
    if not blackjack or not state.round.initial_deal_complete or state.round.hole_card_exposed:
        return _out_of_turn(state, at, "hole card exposed", "there is no hole card to expose")
    if state.round.voided:
        return _out_of_turn(state, at, "hole card exposed", "the round is voided, and its wagers are returned")
    if not hole_card_is_read(state.setup):
        return replace(state, hole_card_expected=True)
    return expose_hole_card(state)


def _complete(state: TableState, at: Timestamp) -> TableState:
    missing = blockers(state)
    if not missing:
        return close_round(state, at)
    if state.phase is Phase.PLAY and state.settled.deferred:
        return follow(state, Trigger.HOLE_CARD_MISSING)
    if state.phase is Phase.THIRD_CARDS and not hands_are_complete(state):
        return declare_complete(state, at)
    return _out_of_turn(state, at, "round complete", f"the round is not over: {'; '.join(missing)}")


def _out_of_turn(state: TableState, at: Timestamp, key: str, why: str) -> TableState:
    return record(state, IrregularityKind.KEY_OUT_OF_TURN, at, f"{key}: {why}")
