"""A floorperson says how a wager ended, in place of what was decided; that stays on the record (T50)."""

from dataclasses import replace

from bridge.domain.confirmations import ResultOverridden
from bridge.domain.events import PersonConfirmed
from bridge.domain.settlements import DecidedWager, Override, Result
from bridge.table.state import TableState


def override(state: TableState, event: PersonConfirmed, said: ResultOverridden) -> TableState | str:
    """Return the state with an override in it, or why it is refused. A later one on the same wager holds."""
    refusal = _refusal(state, said)
    if refusal:
        return refusal
    meant = Override(
        position=said.position,
        wager=said.wager,
        result=said.result,
        paid=said.paid,
        stake_returned=said.stake_returned,
        by=event.by,
        at=event.at,
        reason=said.reason,
    )
    before = [one for one in state.round.overrides if (one.position, one.wager) == (meant.position, meant.wager)]
    if before and replace(before[-1], by=meant.by, at=meant.at) == meant:
        return state  # a broker repeats (T54)
    return replace(state, round=replace(state.round, overrides=(*state.round.overrides, meant)))


def _refusal(state: TableState, said: ResultOverridden) -> str:
    if DecidedWager(position=said.position, kind=said.wager) not in state.settled.decided:
        return (
            f"{said.wager} at position {said.position} is not decided at fixed odds; an award is rejected instead"
        )
    if min(said.paid, said.stake_returned) < 0 or (said.result is Result.WIN and said.paid == 0):
        return "what is paid for a won wager is more than nothing, and no amount is negative"
    if said.result is not Result.WIN and said.paid:
        return f"a wager that ends as {said.result} is paid nothing"
    if said.result is Result.LOSE and said.stake_returned:
        return "a lost wager is not returned"
    return "" if said.reason.strip() else "an override needs a reason"
