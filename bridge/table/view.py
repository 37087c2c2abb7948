"""The table as everybody may see it, and what somebody has to do next."""

from bridge.domain.indicators import LampState
from bridge.domain.rounds import CountCheck
from bridge.domain.setup import IndicatorOutput
from bridge.domain.table_view import LampReport, LampView, NextTask, Phase, TableView, Task, WagerArea
from bridge.table.acceptance import area_status, closing_reasons, lamps_wanted, lock_wanted
from bridge.table.closing import blockers
from bridge.table.dealing import unread_that_matters
from bridge.table.state import TableState, has_wagers_to_settle, outputs_of


def view(state: TableState) -> TableView:
    """Return the public view of a table's state."""
    return TableView(
        table=state.setup.table,
        round_number=state.round.number,
        phase=state.phase,
        locked=lock_wanted(state),
        acceptance_closed_by=closing_reasons(state),
        areas=tuple(
            WagerArea(position=area.position, wager=area.wager, status=area_status(state, area))
            for area in state.areas
        ),
        lamps=_lamps(state),
        irregularities=state.irregularities,
        tasks=(*_urgent(state), *_next(state)),
        lost_devices=tuple(sorted(state.lost)),
    )


def _lamps(state: TableState) -> tuple[LampView, ...]:
    wanted, reported = lamps_wanted(state), dict(state.reported)
    wired = {
        indicator
        for _, role in outputs_of(state.setup)
        if isinstance(role, IndicatorOutput)
        for indicator in role.indicators
    }
    return tuple(
        LampView(
            indicator=indicator,
            wanted=LampState.ON if indicator in wanted else LampState.OFF,
            reported=LampReport(reported[indicator]) if indicator in reported else LampReport.UNKNOWN,
        )
        for indicator in sorted(wired | wanted)
    )


def _urgent(state: TableState) -> tuple[NextTask, ...]:
    """Return what wants an answer in whatever phase."""
    tasks = []
    if state.lost:
        tasks.append(NextTask(task=Task.REPAIR_DEVICE, detail=", ".join(sorted(state.lost))))
    if state.round.count_check is CountCheck.DIFFERED:
        tasks.append(NextTask(task=Task.RESOLVE_COUNT))
    if unread := unread_that_matters(state):
        orders = ", ".join(str(card.order) for card in unread)
        tasks.append(NextTask(task=Task.IDENTIFY_CARD, detail=f"card {orders} of the round"))
    if state.settled.awaiting_validation:
        tasks.append(NextTask(task=Task.VALIDATE_PAYOUT, positions=state.settled.awaiting_validation))
    if state.settled.awaiting_documents:
        tasks.append(NextTask(task=Task.DOCUMENT_AWARD, positions=state.settled.awaiting_documents))
    return tuple(tasks)


def _next(state: TableState) -> tuple[NextTask, ...]:
    """Return what the phase asks of the dealer."""
    match state.phase:
        case Phase.WAGERS_OPEN:
            return (NextTask(task=Task.PLACE_WAGERS),)
        case Phase.NO_MORE_BETS:
            return (NextTask(task=Task.COUNT_CHIPS),)
        case Phase.DEALING if not blockers(state):
            return (NextTask(task=Task.COMPLETE_ROUND),)
        case Phase.DEALING:
            return (NextTask(task=Task.DEAL),)
        case Phase.SIDE_WAGERS:
            return (NextTask(task=Task.SETTLE_SIDE_WAGERS), NextTask(task=Task.AWAIT_SETTLEMENT))
        case Phase.HOLE_CARD_EXPOSED:
            return (
                NextTask(task=Task.SETTLE_DEFERRED_WAGERS, positions=state.settled.deferred),
                NextTask(task=Task.AWAIT_SETTLEMENT),
            )
        case Phase.HOLE_REVEAL_REQUIRED:
            return (NextTask(task=Task.EXPOSE_HOLE_CARD, positions=state.settled.deferred),)
        case Phase.PLAY:
            return _in_play(state)
        case Phase.COUNT_DIFFERS | Phase.MANUAL | Phase.AWARD_HELD:
            return ()


def _in_play(state: TableState) -> tuple[NextTask, ...]:
    if not blockers(state):
        return (NextTask(task=Task.CONTINUE_HAND), NextTask(task=Task.COMPLETE_ROUND))
    if state.settled.deferred:
        return (
            NextTask(task=Task.CONTINUE_HAND),
            NextTask(task=Task.EXPOSE_HOLE_CARD, positions=state.settled.deferred),
        )
    waits = has_wagers_to_settle(state) and not state.settled.complete and not state.settled.awaiting_validation
    awaited = (NextTask(task=Task.AWAIT_SETTLEMENT),) if waits else ()
    return (NextTask(task=Task.CONTINUE_HAND), *awaited)
