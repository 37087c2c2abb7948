"""What somebody at the table has to do next, in the order in which it is asked for."""

from bridge.domain.awards import PayoutAct
from bridge.domain.controller import DisabledReason
from bridge.domain.money import format_cents
from bridge.domain.rounds import CountCheck, House
from bridge.domain.setup import Dealing
from bridge.domain.table_view import NextTask, Phase, Task
from bridge.rules.baccarat import NotTold, next_card
from bridge.table.baccarat_dealing import in_words
from bridge.table.closing import blockers
from bridge.table.controller import words
from bridge.table.hands import unread_that_matters
from bridge.table.payouts import awaited, positions_awaiting
from bridge.table.state import TableState, has_wagers_to_settle

TASK_OF_ACT = {
    PayoutAct.HAND_VERIFIED: Task.VERIFY_HAND,
    PayoutAct.LAMP_VERIFIED: Task.VERIFY_LAMP,
    PayoutAct.VALIDATED: Task.VALIDATE_PAYOUT,
    PayoutAct.DOCUMENTED: Task.DOCUMENT_AWARD,
    PayoutAct.PAID: Task.PAY_AWARD,
    PayoutAct.RESET: Task.RESET_METER,
}
"""What a payout waits for, as a task."""


def tasks(state: TableState) -> tuple[NextTask, ...]:
    """Return what wants an answer in whatever phase, then what the phase asks of the dealer."""
    return (*_urgent(state), *_next(state))


def _urgent(state: TableState) -> tuple[NextTask, ...]:
    found = []
    if state.lost:
        found.append(NextTask(task=Task.REPAIR_DEVICE, detail=", ".join(sorted(state.lost))))
    found += [
        NextTask(
            task=Task.ACCEPT_PARAMETERS
            if one.reason is DisabledReason.WRONG_CONFIGURATION
            else Task.ENABLE_CONTROLLER,
            detail=f"{words(one.reason)}: {one.detail}",
        )
        for one in state.disabled
    ]
    if state.coins_owed:
        owed = ", ".join(f"{format_cents(amount)} at position {position}" for position, amount in state.coins_owed)
        positions = tuple(position for position, _ in state.coins_owed)
        found.append(NextTask(task=Task.RETURN_COINS, positions=positions, detail=owed))
    if state.round.count_check is CountCheck.DIFFERED and not state.round.voided:
        found.append(NextTask(task=Task.RESOLVE_COUNT))
    if not state.round.voided and (unread := unread_that_matters(state)):
        orders = ", ".join(str(card.order) for card in unread)
        found.append(NextTask(task=Task.IDENTIFY_CARD, detail=f"card {orders} of the round"))
    for act, task in TASK_OF_ACT.items():
        if positions := positions_awaiting(state, act):
            found.append(NextTask(task=task, positions=positions))
    return tuple(found)


def _next(state: TableState) -> tuple[NextTask, ...]:
    match state.phase:
        case Phase.WAGERS_OPEN:
            return _between_rounds(state)
        case Phase.NO_MORE_BETS:
            return (NextTask(task=Task.COUNT_CHIPS),)
        case Phase.DEALING:
            return (NextTask(task=Task.DEAL if blockers(state) else Task.COMPLETE_ROUND),)
        case Phase.SIDE_WAGERS:
            return (
                *_turn_hands(state),
                NextTask(task=Task.SETTLE_SIDE_WAGERS),
                NextTask(task=Task.AWAIT_SETTLEMENT),
            )
        case Phase.HOLE_CARD_EXPOSED:
            return (
                NextTask(task=Task.SETTLE_DEFERRED_WAGERS, positions=state.settled.deferred),
                NextTask(task=Task.AWAIT_SETTLEMENT),
            )
        case Phase.HOLE_REVEAL_REQUIRED:
            return (NextTask(task=Task.EXPOSE_HOLE_CARD, positions=state.settled.deferred),)
        case Phase.PLAY:
            return _in_play(state)
        case Phase.THIRD_CARDS:
            return _third_cards(state)
        case Phase.RESULT:
            return _end(state, Task.COLLECT_AND_PAY)
        case Phase.VOIDED:
            return _end(state, Task.RETURN_WAGERS)
        case Phase.COUNT_DIFFERS | Phase.MANUAL | Phase.AWARD_HELD:
            return ()


def _between_rounds(state: TableState) -> tuple[NextTask, ...]:
    if not state.shoe.cut_card_reached:
        return (NextTask(task=Task.PLACE_WAGERS),)
    owing = tuple(position for position, _ in state.vigorish)
    collect = (NextTask(task=Task.COLLECT_VIGORISH, positions=owing),) if owing else ()
    return (*collect, NextTask(task=Task.CHANGE_SHOE))


def _in_play(state: TableState) -> tuple[NextTask, ...]:
    on = NextTask(task=Task.CONTINUE_HAND)
    if not blockers(state):
        return (on, NextTask(task=Task.COMPLETE_ROUND))
    if state.settled.deferred:
        return (on, NextTask(task=Task.EXPOSE_HOLE_CARD, positions=state.settled.deferred))
    return (on, *_awaited(state))


def _third_cards(state: TableState) -> tuple[NextTask, ...]:
    match next_card(state.round):
        case House():
            return (NextTask(task=Task.DEAL_THIRD_CARD, detail=in_words(state)),)
        case NotTold.AWAITS_DISCLOSURE:
            return _turn_hands(state)
        case _:
            return (NextTask(task=Task.RESOLVE_HANDS, detail=in_words(state)),)


def _turn_hands(state: TableState) -> tuple[NextTask, ...]:
    """Return the hands that lie face down, in the order in which they are turned."""
    if state.setup.dealing is Dealing.FACE_UP:
        return ()
    hands = [House.PLAYER, House.BANKER]
    down = [hand for hand in hands if any(not card.disclosed for card in state.round.hand_of(hand).cards)]
    return (NextTask(task=Task.TURN_HANDS, detail=", ".join(down)),) if down else ()


def _end(state: TableState, task: Task) -> tuple[NextTask, ...]:
    if not blockers(state):
        return (NextTask(task=task), NextTask(task=Task.COMPLETE_ROUND))
    return (NextTask(task=task), *_awaited(state))


def _awaited(state: TableState) -> tuple[NextTask, ...]:
    """Return the rules worker, if it is the one who is waited for."""
    waits = has_wagers_to_settle(state) and not state.settled.complete and not awaited(state)
    return (NextTask(task=Task.AWAIT_SETTLEMENT),) if waits else ()
