"""The payouts of a round: what each waits for, and the acts by which people carry it out (§ 633b.18(h), T52).

The rules worker says which positions wait for what. What was signed off since then counts at once, because the
life of an award is the same table everywhere.
"""

from dataclasses import replace

from bridge.domain.awards import AWARD_LIFE, AwaitedAct, PayoutAct, award_status, next_act
from bridge.domain.confirmations import PayoutSignedOff
from bridge.domain.events import PersonConfirmed
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.rounds import SignOff
from bridge.domain.wagers import BettingPosition
from bridge.table.state import TableState

_AFTER_DOCUMENTS = (PayoutAct.PAID, PayoutAct.RESET)
_WAITS = {
    PayoutAct.HAND_VERIFIED: "for its hand to be verified",
    PayoutAct.LAMP_VERIFIED: "for its win lamp to be verified",
    PayoutAct.VALIDATED: "to be validated",
    PayoutAct.DOCUMENTED: "for its documents to be complete",
    PayoutAct.PAID: "to be paid",
    PayoutAct.RESET: "for its meter to be reset",
}
"""What a payout waits for, by the act that comes next; nothing waits to be rejected."""


def awaited(state: TableState) -> tuple[AwaitedAct, ...]:
    """Return the next act of each position whose payout is not over."""
    nexts = ((one.position, _next(one, state.round.acts_at(one.position))) for one in state.settled.awaiting)
    return tuple(AwaitedAct(position=position, act=act) for position, act in nexts if act is not None)


def positions_awaiting(state: TableState, act: PayoutAct) -> tuple[BettingPosition, ...]:
    """Return the positions whose payout waits for one act."""
    return tuple(one.position for one in awaited(state) if one.act is act)


def cards_held(state: TableState) -> bool:
    """Return whether the cards of an award have to stay on the table, because it is not documented (R40)."""
    return any(
        one.act not in _AFTER_DOCUMENTS and not _is_at_fixed_odds(one, state.round.acts_at(one.position))
        for one in awaited(state)
    )


def sign_off(state: TableState, event: PersonConfirmed, act: PayoutSignedOff) -> TableState | str:
    """Return the state with an act signed off, or why it is refused; the first word stands (T54)."""
    done = state.round.acts_at(act.position)
    if act.act in done:
        return state
    refusal = _refusal(state, act, done)
    if refusal:
        return refusal
    signed = SignOff(position=act.position, act=act.act, by=event.by, at=event.at, reason=act.reason)
    return replace(state, round=replace(state.round, sign_offs=(*state.round.sign_offs, signed)))


def _refusal(state: TableState, act: PayoutSignedOff, done: tuple[PayoutAct, ...]) -> str:
    waiting = next((one for one in awaited(state) if one.position == act.position), None)
    if waiting is None:
        return f"no payout at position {act.position} asks for it"
    possible = {PayoutAct.VALIDATED} if _is_at_fixed_odds(waiting, done) else AWARD_LIFE[award_status(done)].keys()
    if act.act not in possible:
        return f"the payout at position {act.position} waits {_WAITS[waiting.act]}"
    if act.act is PayoutAct.REJECTED and not act.reason.strip():
        return "a rejection needs a reason"
    if act.act is PayoutAct.LAMP_VERIFIED:
        return _dark(state, act.position)
    return ""


def _dark(state: TableState, position: BettingPosition) -> str:
    """Return why the win lamp of a position is not taken for lit: its device has to say so (R36, T49)."""
    wanted = sorted(
        lamp for lamp in state.win_lamps if lamp.position == position and lamp.lamp is not Lamp.ENVY_BONUS
    )
    lit = {indicator for indicator, reported in state.reported if reported is LampState.ON}
    if not wanted:
        return f"no win lamp of position {position} is lit yet"
    dark = [lamp for lamp in wanted if lamp not in lit]
    return f"{_lamps(dark)} of position {position} is not reported lit; repair the lamp" if dark else ""


def _lamps(lamps: list[Indicator]) -> str:
    return " and ".join(f"lamp {indicator.lamp}" for indicator in lamps)


def _next(told: AwaitedAct, done: tuple[PayoutAct, ...]) -> PayoutAct | None:
    """Return the act that a payout waits for, by what was told of it and what was done since."""
    if told.act not in done and PayoutAct.REJECTED not in done:
        return told.act
    return next_act(award_status(done)) if PayoutAct.HAND_VERIFIED in done else None


def _is_at_fixed_odds(waiting: AwaitedAct, done: tuple[PayoutAct, ...]) -> bool:
    """Return whether a payout has no life but its validation: an award is verified before that."""
    return waiting.act is PayoutAct.VALIDATED and PayoutAct.HAND_VERIFIED not in done
