"""Which wagers are recognised, when they are latched, and what lamps and lock follow from it.

Acceptance is the table's own and needs no broker (§ 633b.18(d)). Accepting a late wager is the worse
error, so whatever cannot be told is not accepted (T43, T46).
"""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.money import Cents, format_cents
from bridge.domain.rounds import CountCheck
from bridge.domain.table_view import IrregularityKind, Phase, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerAmount, WagerKind
from bridge.table.controller import progressive_closed_by
from bridge.table.phases import Trigger
from bridge.table.state import (
    STATES_KEPT,
    Area,
    TableState,
    change_area,
    follow,
    has_wagers_to_count,
    has_wagers_to_settle,
    record,
)
from bridge.table.wiring import devices_of_areas, devices_that_close


def closing_devices(state: TableState) -> tuple[DeviceId, ...]:
    """Return the lost devices without which nothing may be accepted anywhere: button and lock (T46)."""
    return tuple(device for device in devices_that_close(state.setup) if device in state.lost)


def closing_reasons(state: TableState) -> tuple[str, ...]:
    """Return why nothing new is recognised anywhere, in words of a display; empty if acceptance is open."""
    reasons = [f"{device} does not answer" for device in closing_devices(state)]
    if state.setup.window.refuse_outside and not rules_in_force(state):
        reasons.append(f"the rules submission is not in force on {state.gaming_day}")
    return tuple(reasons)


def is_open_to(state: TableState, kind: WagerKind) -> bool:
    """Return whether wagers of a kind are recognised at all; no progressive one is under a disabled controller."""
    return not closing_reasons(state) and not (state.disabled and state.setup.offer(kind).progressive)


def rules_in_force(state: TableState) -> bool:
    """Return whether the gaming day lies inside the effective dates of the rules submission (R49)."""
    return state.setup.window.holds(state.gaming_day)


def lock_wanted(state: TableState) -> bool:
    """Return whether the hardware lock-out, which holds the progressive wagers, has to be engaged."""
    return state.round.locked or bool(closing_reasons(state)) or bool(progressive_closed_by(state))


def area_is_served(state: TableState, position: BettingPosition, kind: WagerKind) -> bool:
    """Return whether sensor and, where the wager needs one, acceptance lamp of an area answer."""
    return devices_of_areas(state.setup)[position, kind].isdisjoint(state.lost)


def is_recognised(state: TableState, area: Area) -> bool:
    """Return whether the chip in an area counts at this moment of an unlocked round (R20, R22)."""
    offered = state.setup.offer(area.wager)
    fresh = area.fresh or not offered.acknowledged
    disabled = offered.progressive and bool(state.disabled)
    return area.covered and fresh and not disabled and _amount_fits(state, area) and _has_required(state, area)


def is_accepted(state: TableState, position: BettingPosition, kind: WagerKind) -> bool:
    """Return whether a wager was latched at lock-out."""
    return any((wager.position, wager.kind) == (position, kind) for wager in state.round.accepted)


@lru_cache(maxsize=STATES_KEPT)
def area_statuses(state: TableState) -> tuple[tuple[Area, WagerAreaStatus], ...]:
    """Return every area with what it means now."""
    if state.round.locked:
        accepted = {(wager.position, wager.kind) for wager in state.round.accepted}
        return tuple((area, _locked_status(area, accepted)) for area in state.areas)
    closed = bool(closing_reasons(state))
    shut = {one.kind for one in state.setup.offered if closed or (state.disabled and one.progressive)}
    return tuple((area, _open_status(state, area, closed=area.wager in shut)) for area in state.areas)


def _locked_status(area: Area, accepted: Collection[tuple[BettingPosition, WagerKind]]) -> WagerAreaStatus:
    if (area.position, area.wager) in accepted:
        return WagerAreaStatus.ACCEPTED
    return WagerAreaStatus.NOT_RECOGNISED if area.covered else WagerAreaStatus.NONE


def _open_status(state: TableState, area: Area, *, closed: bool) -> WagerAreaStatus:
    if is_recognised(state, area):
        return WagerAreaStatus.PLACED
    if closed or not area_is_served(state, area.position, area.wager):
        return WagerAreaStatus.CLOSED
    return WagerAreaStatus.NOT_RECOGNISED if area.covered else WagerAreaStatus.AWAITING


@lru_cache(maxsize=STATES_KEPT)
def lamps_wanted(state: TableState) -> frozenset[Indicator]:
    """Return the lamps that should be lit: acceptance by the table itself, wins as the rules worker asked."""
    lit = (WagerAreaStatus.PLACED, WagerAreaStatus.ACCEPTED)
    accepted = {
        Indicator(area.position, Lamp.WAGER_ACCEPTED)
        for area, status in area_statuses(state)
        if status in lit and state.setup.offer(area.wager).acknowledged
    }
    return state.win_lamps | accepted


def lock_out(state: TableState, at: Timestamp) -> TableState:
    """Latch what is recognised (R25) and close acceptance for the rest of the round; harmless when locked."""
    if state.phase is not Phase.WAGERS_OPEN:
        return state
    latched = [area for area in state.areas if is_recognised(state, area)]
    order = {position: place for place, position in enumerate(state.setup.deal_order)}
    kinds = {offered.kind: place for place, offered in enumerate(state.setup.offered)}
    latched.sort(key=lambda area: (order[area.position], kinds[area.wager]))
    accepted = tuple(
        Wager(position=area.position, kind=area.wager, amount=_amount(state, area)) for area in latched
    )
    state = replace(state, round=replace(state.round, locked=True, accepted=accepted))
    for area in state.areas:
        state = _record_doubts(state, area, at)
        if area.taken and not is_accepted(state, area.position, area.wager):
            state = owe_coin(state, area.position, area.taken, at)
            state = change_area(state, area.position, area.wager, Area.emptied)
    state = follow(state, Trigger.LOCKED_OUT)
    if has_wagers_to_settle(state) and not rules_in_force(state):
        window = state.setup.window
        state = record(
            state,
            IrregularityKind.RULES_NOT_IN_FORCE,
            at,
            f"gaming day {state.gaming_day} is outside {window.first_day} to {window.last_day}",
        )
    if not has_wagers_to_count(state):
        return follow(state, Trigger.NOTHING_TO_COUNT)
    return replace(state, round=replace(state.round, count_check=CountCheck.AWAITED))


def owe_coin(state: TableState, position: BettingPosition, amount: Cents, at: Timestamp) -> TableState:
    """Return the state in which a coin is owed to a position, because it was taken and is no wager."""
    owed = dict(state.coins_owed)
    owed[position] = Cents(owed.get(position, Cents(0)) + amount)
    state = replace(state, coins_owed=tuple(sorted(owed.items())))
    detail = f"{format_cents(amount)} was taken at position {position} and is no wager: return it"
    return record(state, IrregularityKind.COIN_NOT_A_WAGER, at, detail)


def _amount(state: TableState, area: Area) -> WagerAmount:
    """Return what the wager in an area is worth: the one amount that is filed, or what is known to lie there."""
    filed = state.setup.offer(area.wager).amount
    return area.amount if isinstance(filed, UnknownAmount) else filed


def _amount_fits(state: TableState, area: Area) -> bool:
    """Return whether an area may hold the one amount that is filed (T21); a chip in no register is no money."""
    filed = state.setup.offer(area.wager).amount
    if isinstance(filed, UnknownAmount):
        return True
    return not area.unknown_chips and area.amount in (filed, UnknownAmount.UNKNOWN)


def _has_required(state: TableState, area: Area) -> bool:
    required = state.setup.offer(area.wager).requires
    present = {other.wager for other in state.areas if other.position == area.position and other.covered}
    return not required or bool(present.intersection(required))


def _record_doubts(state: TableState, area: Area, at: Timestamp) -> TableState:
    where = f"{area.wager} at position {area.position}"
    if is_accepted(state, area.position, area.wager):
        if not area_is_served(state, area.position, area.wager):
            return record(
                state,
                IrregularityKind.WAGER_SEEN_BEFORE_SENSOR_LOST,
                at,
                f"{where} accepted as last seen; its devices do not answer, so count its chip with care",
            )
        return state
    if area.covered and state.disabled and state.setup.offer(area.wager).progressive:
        return record(
            state,
            IrregularityKind.WAGER_WHILE_DISABLED,
            at,
            f"{where} not accepted: the controller is disabled",
        )
    if area.covered and not _has_required(state, area):
        return record(
            state,
            IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER,
            at,
            f"{where} not accepted: it requires {' or '.join(state.setup.offer(area.wager).requires)}",
        )
    if area.covered and not _amount_fits(state, area):
        found = "what lies there is not known" if area.unknown_chips else f"{_in_words(area.amount)} lies there"
        filed = _in_words(state.setup.offer(area.wager).amount)
        return record(
            state,
            IrregularityKind.WAGER_AMOUNT_DIFFERS,
            at,
            f"{where} not accepted: {found}, and the wager is {filed}",
        )
    return state


def _in_words(amount: WagerAmount) -> str:
    return "unknown" if isinstance(amount, UnknownAmount) else format_cents(amount)
