"""What happened at a table, in words: every event, and who it was that observed or said it."""

from collections.abc import Mapping
from typing import Final

from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CoinsReturned,
    Confirmation,
    ControllerEnabled,
    CountResolved,
    MeterAdjusted,
    OwnerDeclared,
    PayoutSignedOff,
    ResultOverridden,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
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
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.money import format_cents
from bridge.domain.names import LAMPS, RESULTS, WAGERS
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeResult, UnseenResult
from bridge.domain.shoe_events import (
    CardDrawnOutOfGame,
    CardRetransmitted,
    CutCardReached,
    ShoeFaultCleared,
    ShoeFaultReported,
    ShoeLockReported,
    ShoePresetChanged,
    ShoeReportLost,
    ShoeResultReported,
    ShoeStarted,
    ShoeStoodBy,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind
from bridge.words.values import ROLES, card_name

BRIDGE: Final = "the bridge"
RULES_WORKER: Final = "rules worker"

ACTS: Mapping[PayoutAct, str] = {
    PayoutAct.HAND_VERIFIED: "winning hand verified",
    PayoutAct.LAMP_VERIFIED: "win lamp seen lit",
    PayoutAct.VALIDATED: "payout validated",
    PayoutAct.REJECTED: "claim rejected",
    PayoutAct.DOCUMENTED: "documents of the award complete",
    PayoutAct.PAID: "award paid",
    PayoutAct.RESET: "meter reset",
}
"""What was done about a payout."""

_KEYS: Mapping[DealerKey, str] = {
    DealerKey.COUNT_AGREED: "count agreed",
    DealerKey.COUNT_DIFFERS: "count differs",
    DealerKey.HOLE_CARD_EXPOSED: "hole card exposed",
    DealerKey.BURN_CARD: "burn card",
    DealerKey.PLAYER_HAND_TURNED: "Player's Hand turned",
    DealerKey.BANKER_HAND_TURNED: "Banker's Hand turned",
    DealerKey.ROUND_COMPLETE: "round complete",
    DealerKey.NEW_SHOE: "new shoe",
}
_TARGETS: Mapping[DealTarget, str] = {
    DealTarget.UNSTATED: "",
    DealTarget.PLAYER: "for the Player's Hand",
    DealTarget.BANKER: "for the Banker's Hand",
    DealTarget.BURN: "to be burned",
    DealTarget.FIRST_OF_BURN_COUNT: "says how many are burned",
    DealTarget.BURN_COUNT: "of those to be burned",
}
_SHOE_RESULTS: Mapping[ShoeResult | UnseenResult, str] = {
    ShoeResult.PLAYER: "Player wins",
    ShoeResult.TIE: "tie hand",
    ShoeResult.BANKER: "Banker wins",
    ShoeResult.FORCED_END: "ended by force",
    UnseenResult.HIDDEN: "not to be told while cards lie face down",
}
_FAULTS: Mapping[ShoeFault, str] = {fault: fault.value.replace("_", " ") for fault in ShoeFault}
_DISABLED: Mapping[DisabledReason, str] = {reason: reason.value.replace("_", " ") for reason in DisabledReason}


def source(event: TableEvent) -> str:
    """Return who observed or said it: a device, a person with his role, or one of our processes."""
    match event:
        case PersonConfirmed(by=by, role=role):
            return f"{by}, {ROLES[role]}"
        case RoundSettled() | IndicatorRequested():
            return RULES_WORKER
        case BridgeStarted() | BridgeStopped() | ControllerDisabled() | GamingDayBegan():
            return BRIDGE
        case _:
            return event.device


def happened(event: TableEvent) -> str:
    """Return what happened, in a sentence without its end. A card that lies face down stays so."""
    match event:
        case DeviceReady():
            return "Device answers"
        case DeviceLost(reason=reason):
            return f"Device lost: {reason}"
        case CardDrawn(card=card, target=target, place=place):
            return f"Card drawn: {_dealt(card_name(card), target, place)}"
        case CardUnread(raw=raw, target=target, place=place):
            return f"Card not read: {_dealt(f'the reader said {raw}', target, place)}"
        case WagerPlaced(taken=taken) if taken:
            return f"Coin of {format_cents(taken)} taken, {_wager(event.position, event.wager)}"
        case WagerPlaced():
            return (
                f"Wager placed, {_wager(event.position, event.wager)}{_worth(event.amount, event.unknown_chips)}"
            )
        case WagerRemoved():
            return f"Wagering area emptied, {_wager(event.position, event.wager)}"
        case WagerAreaObserved(covered=False):
            return f"Wagering area seen empty, {_wager(event.position, event.wager)}"
        case WagerAreaObserved():
            worth = _worth(event.amount, event.unknown_chips)
            return f"Wagering area seen covered, {_wager(event.position, event.wager)}{worth}"
        case ChipTrayRead():
            return f"Chip tray read: {event.chips} chips{_worth(event.value, event.unknown_chips)}"
        case WagerReportLost(reason=reason):
            return f"Report of a wager lost: {reason}"
        case LockOutPressed():
            return "Lock-out pressed: no more bets"
        case DealerKeyPressed(key=key):
            return f"Key pressed: {_KEYS[key]}"
        case KeySwitchTurned(key=switch):
            return f"Key switch turned: {switch}"
        case HoleCardReaderUsed():
            return "Hole card looked at in its reader"
        case IndicatorReported(indicator=lamp, state=state):
            return f"{_lamp(lamp)} is {_lit(state)}"
        case IndicatorFailed(indicator=lamp, commanded=state):
            return f"{_lamp(lamp)} should be {_lit(state)} and is not"
        case IndicatorRequested(indicator=lamp, state=state):
            return f"{_lamp(lamp)} asked to be {_lit(state)}"
        case LockReported(engaged=engaged):
            return f"Hardware lock is {_engaged(engaged)}"
        case LockFailed(commanded=engaged):
            return f"Hardware lock should be {_engaged(engaged)} and is not"
        case RoundSettled():
            return _settled(event)
        case PersonConfirmed(confirmation=confirmation):
            return f"Confirmed: {confirmed(confirmation)}"
        case BridgeStarted(version=version):
            return f"Daemon started, version {version}"
        case BridgeStopped():
            return "Daemon stopped as it was told"
        case ControllerDisabled(reason=disabled, detail=detail):
            return f"Progressive controller disabled, {_DISABLED[disabled]}: {detail}"
        case GamingDayBegan(day=day):
            return f"Gaming day {day}"
        case CardDrawnOutOfGame(card=card, mode=mode):
            return f"Card drawn out of the game, the shoe being in mode {mode}: {card_name(card)}"
        case CardRetransmitted(card=card, target=target, place=place):
            return f"Card said again by the shoe: {_dealt(card_name(card), target, place)}"
        case CutCardReached():
            return "Cut card reached"
        case ShoeResultReported(result=result):
            pairs = [
                name
                for name, there in (("Player pair", event.player_pair), ("Banker pair", event.banker_pair))
                if there
            ]
            return f"Result as the shoe reckons it: {', '.join((_SHOE_RESULTS[result], *pairs))}"
        case ShoeFaultReported(fault=fault, code=code, error_mode=mode):
            return f"Fault of the shoe: {_FAULTS[fault]} (code {code}){', now in error mode' if mode else ''}"
        case ShoeFaultCleared(fault=fault, code=code):
            return f"Fault of the shoe cleared: {_FAULTS[fault]} (code {code})"
        case ShoeLockReported(locked=locked):
            return f"Shoe {'locked' if locked else 'unlocked'} by its key"
        case ShoeStarted():
            return "Shoe started"
        case ShoeStoodBy():
            return "Shoe waits for the next round"
        case ShoePresetChanged(preset=preset, value=value):
            return f"Setting {preset} of the shoe changed to {value}"
        case ShoeReportLost(reason=reason):
            return f"Report of the shoe lost: {reason}"


def confirmed(said: Confirmation) -> str:
    """Return what a person said; whether the table took it, it says by what follows."""
    match said:
        case RoundVoided(reason=why):
            return _because("round voided", why)
        case AmountDeclared():
            return f"{_wager(said.position, said.wager)} is {format_cents(said.amount)}"
        case VigorishCollected():
            return f"marked vigorish collected, {_at(said.position)}"
        case CoinsReturned():
            return f"coins of {format_cents(said.amount)} given back, {_at(said.position)}"
        case CountResolved(reason=why):
            return _because("difference of the count settled", why)
        case CardIdentified():
            return f"card {said.order} of the round is the {card_name(said.card)}"
        case PayoutSignedOff(reason=why):
            return _because(f"{ACTS[said.act]}, {_at(said.position)}", why)
        case ResultOverridden(reason=why):
            paid = f"paid {format_cents(said.paid)}, wager returned {format_cents(said.stake_returned)}"
            return _because(f"{_wager(said.position, said.wager)} {RESULTS[said.result]}, {paid}", why)
        case ControllerEnabled(reason=DisabledReason.WRONG_CONFIGURATION, why=why):
            return _because("what is filed and configured now accepted", why)
        case ControllerEnabled(why=why):
            return _because(f"progressive controller enabled after {_DISABLED[said.reason]}", why)
        case MeterAdjusted(text=why):
            change = f"{said.reason.value.replace('_', ' ')} of {said.amount} in pool {said.pool}"
            return _because(f"meter {said.progressive} changed, {change}", why)
        case OwnerDeclared():
            return f"{said.owner} plays {_at(said.position)}"


def _settled(event: RoundSettled) -> str:
    """Return what a settlement says of the round that it answers."""
    parts = [
        *(f"{_at(position)} waits for the hole card" for position in event.deferred),
        *(f"{_at(position)} cannot be decided" for position in event.undecided),
        *(f"{_at(awaited.position)} awaits: {ACTS[awaited.act]}" for awaited in event.awaiting),
        *(f"vigorish of {_cents(owed)} marked, {_at(position)}" for position, owed in event.vigorish_marked),
    ]
    if event.complete:
        parts.append("complete")
    answered = f"Settled as of record {event.answers}"
    return f"{answered}: {'; '.join(parts)}" if parts else answered


def _because(what: str, why: str) -> str:
    return f"{what}: {why}" if why else what


def _at(position: BettingPosition) -> str:
    return f"position {position}"


def _wager(position: BettingPosition, kind: WagerKind) -> str:
    return f"{_at(position)}, {WAGERS[kind]}"


def _worth(amount: WagerAmount, unknown_chips: tuple[str, ...]) -> str:
    known = "" if isinstance(amount, UnknownAmount) else f": {format_cents(amount)}"
    return f"{known}; in no register: {', '.join(unknown_chips)}" if unknown_chips else known


def _cents(amount: WagerAmount) -> str:
    return "an unknown amount" if isinstance(amount, UnknownAmount) else format_cents(amount)


def _dealt(what: str, target: DealTarget, place: int) -> str:
    return ", ".join(part for part in (what, _TARGETS[target], f"card {place} of it" if place else "") if part)


def _lamp(indicator: Indicator) -> str:
    return f"Lamp “{LAMPS[indicator.lamp]}” of {_at(indicator.position)}"


def _lit(state: LampState) -> str:
    return "lit" if state is LampState.ON else "dark"


def _engaged(engaged: bool) -> str:  # noqa: FBT001 - a lock is engaged or not
    return "engaged" if engaged else "released"
