"""``evolve``: what an event means for the table. Total: any event in any phase gives a state.

What should not have happened is recorded as an irregularity, because the table did do it; only a broken
program raises.
"""

from bridge.domain.changing import replace
from bridge.domain.events import (
    BridgeStarted,
    BridgeStopped,
    CardDrawn,
    CardUnread,
    ChipTrayRead,
    ControllerDisabled,
    DealerKeyPressed,
    DeviceLost,
    DeviceReady,
    GamingDayBegan,
    HoleCardReaderUsed,
    IndicatorFailed,
    IndicatorReported,
    IndicatorRequested,
    KeySwitchTurned,
    LockFailed,
    LockOutPressed,
    LockReported,
    PersonConfirmed,
    RoundSettled,
    TableEvent,
    WagerAreaObserved,
    WagerPlaced,
    WagerRemoved,
    WagerReportLost,
)
from bridge.domain.identity import Sequence, first_round_number
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.table.acceptance import lock_out, owe_coin
from bridge.table.advance import advance
from bridge.table.controller import disable
from bridge.table.dealing import take_card
from bridge.table.key_switches import turn_key
from bridge.table.keys import press_key
from bridge.table.placing import observe, place, read_tray, remove
from bridge.table.shoe import hear_shoe
from bridge.table.sign_off import confirm
from bridge.table.state import (
    BridgeLife,
    Settled,
    TableState,
    all_devices,
    empty_areas,
    has_wagers_to_settle,
    record,
)
from bridge.table.wiring import lamps_of

_SIDE_WAGERS_UNSETTLED = (
    Phase.NO_MORE_BETS,
    Phase.COUNT_DIFFERS,
    Phase.DEALING,
    Phase.MANUAL,
    Phase.SIDE_WAGERS,
)


def evolve(state: TableState, event: TableEvent) -> TableState:
    """Return the state after an event."""
    state = _fold(state, event)
    return replace(advance(state), sequence=Sequence(state.sequence + 1))


def _fold(state: TableState, event: TableEvent) -> TableState:
    match event:
        case WagerPlaced():
            return place(state, event)
        case WagerRemoved():
            return remove(state, event)
        case WagerAreaObserved():
            return observe(state, event)
        case ChipTrayRead():
            return read_tray(state, event)
        case WagerReportLost():
            return record(state, IrregularityKind.WAGER_REPORT_LOST, event.at, f"{event.device}: {event.reason}")
        case LockOutPressed():
            return lock_out(state, event.at)
        case CardDrawn() | CardUnread():
            return take_card(state, event)
        case DealerKeyPressed():
            return press_key(state, event)
        case KeySwitchTurned():
            return turn_key(state, event)
        case HoleCardReaderUsed():
            return _hole_card_reader_used(state, event)
        case RoundSettled():
            return _settled(state, event)
        case IndicatorRequested():
            return _lamp_requested(state, event)
        case IndicatorReported():
            return _lamp_reported(state, event)
        case IndicatorFailed():
            detail = f"{event.indicator.lamp} at position {event.indicator.position} did not go {event.commanded}"
            return record(state, IrregularityKind.LAMP_FAILED, event.at, detail)
        case PersonConfirmed():
            return confirm(state, event)
        case DeviceReady():
            return replace(state, lost=state.lost - {event.device})
        case DeviceLost():
            return _device_lost(state, event)
        case BridgeStarted():
            return _started(state, event)
        case BridgeStopped():
            return replace(state, bridge=replace(state.bridge, running=False))
        case ControllerDisabled():
            return disable(state, event)
        case GamingDayBegan():
            return replace(state, gaming_day=event.day)
        case LockReported():
            return state
        case LockFailed():
            detail = f"{event.device}: the lock-out did not {'engage' if event.commanded else 'release'}"
            return record(state, IrregularityKind.LOCK_FAILED, event.at, detail)
        case _:
            return hear_shoe(state, event)


def _hole_card_reader_used(state: TableState, event: HoleCardReaderUsed) -> TableState:
    if state.phase in _SIDE_WAGERS_UNSETTLED and has_wagers_to_settle(state):
        return record(
            state,
            IrregularityKind.HOLE_CARD_READER_BEFORE_SETTLEMENT,
            event.at,
            "the hole-card reader was used while side wagers were still to be settled",
        )
    return state


def _settled(state: TableState, event: RoundSettled) -> TableState:
    if event.round_number != state.round.number or event.answers < state.settled.answers:
        return state
    return replace(state, settled=Settled.told_by(event))


def _lamp_requested(state: TableState, event: IndicatorRequested) -> TableState:
    """Take a wish for a win lamp of this round and layout. Acceptance is not the rules worker's to light."""
    here = event.round_number == state.round.number and event.indicator.position in state.setup.deal_order
    if not here or event.indicator.lamp is Lamp.WAGER_ACCEPTED:
        return state
    wanted = {event.indicator}
    return replace(
        state, win_lamps=state.win_lamps | wanted if event.state is LampState.ON else state.win_lamps - wanted
    )


def _lamp_reported(state: TableState, event: IndicatorReported) -> TableState:
    reported = dict(state.reported)
    reported[event.indicator] = event.state
    return replace(state, reported=tuple(sorted(reported.items())))


def _device_lost(state: TableState, event: DeviceLost) -> TableState:
    unknown = lamps_of(state.setup, event.device)
    reported = tuple((lamp, lit) for lamp, lit in state.reported if lamp not in unknown)
    trays = tuple(tray for tray in state.trays if tray.device != event.device)
    state = replace(state, lost=state.lost | {event.device}, reported=reported, trays=trays)
    return record(state, IrregularityKind.DEVICE_LOST, event.at, f"{event.device}: {event.reason}")


def _started(state: TableState, event: BridgeStarted) -> TableState:
    """Every device is unknown again; the round on the table is the one that was there (T53).

    What is filed and wired may have changed in between. A locked round keeps the submission it was locked
    under; the daemon refuses to go on with it under another one.
    """
    round_ = state.round
    if state.sequence == 0:
        round_ = replace(round_, number=first_round_number(event.at), opened_at=event.at)
    if not round_.locked:
        round_ = replace(round_, game=event.setup.game, submission_digest=event.setup.submission_digest)
    known = {(area.position, area.wager): area for area in state.areas}
    areas = tuple(known.pop((area.position, area.wager), area) for area in empty_areas(event.setup))
    for gone in known.values():
        if gone.taken:
            state = owe_coin(state, gone.position, gone.taken, event.at)
    return replace(
        state,
        setup=event.setup,
        areas=areas,
        lost=all_devices(event.setup),
        reported=(),
        trays=(),
        round=round_,
        bridge=BridgeLife(running=True, boot_id=event.boot_id),
    )
