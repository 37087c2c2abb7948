"""What still stands between a round and its end. A round closes when nothing of it is owed any more (T46)."""

from dataclasses import replace

from bridge.domain.awards import PayoutAct
from bridge.domain.identity import RoundNumber, Timestamp
from bridge.domain.money import Cents
from bridge.domain.rounds import CountCheck
from bridge.domain.table_view import Phase
from bridge.domain.wagers import BettingPosition, WagerAmount, plus
from bridge.table.hands import unread_that_matters
from bridge.table.payouts import positions_awaiting
from bridge.table.phases import Trigger
from bridge.table.state import Settled, TableState, cards_of, follow, has_wagers_to_settle, new_round

_OVER = (Phase.PLAY, Phase.RESULT, Phase.VOIDED)
"""Phases in which a round may end, once nothing of it is owed."""
_NOT_DONE = {
    PayoutAct.HAND_VERIFIED: "winning hand not verified",
    PayoutAct.LAMP_VERIFIED: "win lamp not verified",
    PayoutAct.VALIDATED: "payout not validated",
    PayoutAct.DOCUMENTED: "award not documented",
    PayoutAct.PAID: "award not paid",
    PayoutAct.RESET: "meter not reset",
}


def blockers(state: TableState) -> tuple[str, ...]:
    """Return why the round cannot close yet, in the words of a display; empty if it can."""
    if _nobody_played(state):
        return ()
    settled = state.settled
    found = []
    if state.phase not in _OVER:
        found.append(f"its phase is {state.phase.replace('_', ' ')}")
    if not state.round.voided and state.round.count_check in (CountCheck.AWAITED, CountCheck.DIFFERED):
        found.append("the count of chips is not settled")
    if not state.round.voided and unread_that_matters(state):
        found.append("a card is not identified")
    if has_wagers_to_settle(state) and not settled.complete:
        for what, positions in (
            ("deferred wager", settled.deferred),
            ("undecided wager", settled.undecided),
            *((words, positions_awaiting(state, act)) for act, words in _NOT_DONE.items()),
        ):
            if positions:
                found.append(f"{what} at {', '.join(str(position) for position in positions)}")
        if not found:
            found.append("the rules worker has not settled it")
    return tuple(found)


def close_round(state: TableState, at: Timestamp) -> TableState:
    """Open the next round. Chips still lying in an acknowledged area need to be placed anew (T45), coins too."""
    state = follow(state, Trigger.ROUND_CLOSED)
    return replace(
        state,
        round=new_round(state.setup, RoundNumber(state.round.number + 1), at),
        areas=tuple(area.emptied() if area.taken else replace(area, fresh=False) for area in state.areas),
        settled=Settled(),
        shoe=replace(state.shoe, untold_result=None),
        vigorish=_owed(state),
        burn_expected=False,
        hole_card_expected=False,
        win_lamps=frozenset(),
        irregularities=(),
    )


def _owed(state: TableState) -> tuple[tuple[BettingPosition, WagerAmount], ...]:
    """Return the ledger of marked vigorish with that of the round that ends, by position."""
    owed = dict(state.vigorish)
    for position, amount in state.settled.vigorish_marked:
        owed[position] = plus(owed.get(position, Cents(0)), amount)
    return tuple(sorted(owed.items()))


def _nobody_played(state: TableState) -> bool:
    """Locked with an empty layout, as every round must be (R24), and no card dealt."""
    return state.phase is Phase.DEALING and not state.round.accepted and not cards_of(state.round)
