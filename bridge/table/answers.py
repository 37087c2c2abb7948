"""What the table has to know of a settlement: where it stands, not what it pays."""

from dataclasses import replace

from bridge.domain.events import RoundSettled
from bridge.domain.identity import Sequence, Timestamp
from bridge.domain.settlements import DecidedWager, MeterShare, Settlement, StepAction
from bridge.table.state import Settled, TableState, early_wagers


def answer(
    settlement: Settlement, state: TableState, *, answers: Sequence, complete: bool, at: Timestamp
) -> RoundSettled:
    """Return the event that a settlement of the round after journal record ``answers`` is."""
    ended = {(outcome.position, outcome.kind) for outcome in settlement.outcomes}
    ended |= {(deferred.position, deferred.kind) for deferred in settlement.deferred}
    due = {(wager.position, wager.kind) for wager in early_wagers(state)}
    return RoundSettled(
        at=at,
        round_number=settlement.round_number,
        answers=answers,
        side_wagers_settled=state.round.initial_deal_complete and due <= ended,
        deferred=tuple(deferred.position for deferred in settlement.deferred),
        undecided=tuple(undecided.position for undecided in settlement.undecided),
        awaiting=settlement.awaiting,
        decided=tuple(
            DecidedWager(position=outcome.position, kind=outcome.kind)
            for outcome in settlement.outcomes
            if not isinstance(outcome.paid, MeterShare)
        ),
        complete=complete,
        vigorish_marked=tuple(
            (step.position, step.amount)
            for step in settlement.steps
            if step.action is StepAction.MARK_VIGORISH and not isinstance(step.amount, MeterShare)
        ),
    )


def is_news(event: RoundSettled, state: TableState) -> bool:
    """Return whether an answer tells the table anything; what it knows already need not be journalled again."""
    if event.round_number != state.round.number or event.answers < state.settled.answers:
        return False
    return replace(Settled.told_by(event), answers=state.settled.answers) != state.settled
