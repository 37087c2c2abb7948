"""What a shoe that knows the game reports besides cards drawn in the game. Facts, as the shoe states them."""

import logging

from bridge.domain.events import TableEvent
from bridge.domain.identity import Timestamp
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
from bridge.drivers.line import LineDevice
from bridge.wire.messages import (
    CardOutOfGame,
    CardStatedAgain,
    CommandAnswered,
    CutCardSeen,
    FaultStated,
    KeyTurned,
    PresetChanged,
    ReportLost,
    ResultStated,
    UnitStandingBy,
    UnitStarted,
    WireMessage,
)

_log = logging.getLogger(__name__)


def shoe_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return the event of a report, if the device has the role of reading the table's cards."""
    if isinstance(message, CommandAnswered):
        _log_answer(message, device)
    if not device.wiring.card_readings:
        return ()
    event = _event(message, device, at)
    return () if event is None else (event,)


def _event(message: WireMessage, device: LineDevice, at: Timestamp) -> TableEvent | None:
    shoe = device.device
    match message:
        case CardOutOfGame(card=card, mode=mode):
            return CardDrawnOutOfGame(at=at, device=shoe, card=card, mode=mode)
        case CardStatedAgain(card=card, target=target, place=place):
            return CardRetransmitted(at=at, device=shoe, card=card, target=target, place=place)
        case CutCardSeen():
            return CutCardReached(at=at, device=shoe)
        case ResultStated(result=result, player_pair=player_pair, banker_pair=banker_pair):
            return ShoeResultReported(
                at=at, device=shoe, result=result, player_pair=player_pair, banker_pair=banker_pair
            )
        case FaultStated(fault=fault, code=code, active=True, error_mode=error_mode):
            return ShoeFaultReported(at=at, device=shoe, fault=fault, code=code, error_mode=error_mode)
        case FaultStated(fault=fault, code=code):
            return ShoeFaultCleared(at=at, device=shoe, fault=fault, code=code)
        case KeyTurned(locked=locked):
            return ShoeLockReported(at=at, device=shoe, locked=locked)
        case UnitStarted():
            return ShoeStarted(at=at, device=shoe)
        case UnitStandingBy():
            return ShoeStoodBy(at=at, device=shoe)
        case PresetChanged(preset=preset, value=value):
            return ShoePresetChanged(at=at, device=shoe, preset=preset, value=value)
        case ReportLost(reason=reason):
            return ShoeReportLost(at=at, device=shoe, reason=reason)
        case _:
            return None


def _log_answer(message: CommandAnswered, device: LineDevice) -> None:
    if message.accepted:
        _log.info("device %s: command %s accepted", device.device, message.command)
    else:
        _log.warning("device %s: command %s not accepted: %s", device.device, message.command, message.reason)
