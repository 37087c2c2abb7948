"""Wagering devices: an area that is covered or empty, or a slot that takes a coin and does not give it back."""

import logging

from bridge.domain.events import (
    TableEvent,
    WagerAreaObserved,
    WagerPlaced,
    WagerRemoved,
    WagerReportLost,
)
from bridge.domain.identity import Timestamp
from bridge.domain.setup import CoinSlot, WagerSensor
from bridge.drivers.line import LineDevice
from bridge.wire.messages import (
    CoinAccepted,
    CoinNotAccepted,
    InputChanged,
    ReportLost,
    UnitAnswering,
    WireMessage,
)

_log = logging.getLogger(__name__)


def wager_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return edges when an input changes, and the level of every sensor when its device is found (T45, T46).

    A coin is an edge without a level: it is placed when it is taken, and an acceptor that is found takes nothing
    back. Of what it took and cannot tell, or what is no wager here, at least that is told: it is somebody's money.
    """
    sensors = ((channel, role) for channel, role in device.wiring.inputs if isinstance(role, WagerSensor))
    match message:
        case UnitAnswering(active_inputs=covered, shows_levels=True):
            return tuple(
                WagerAreaObserved(
                    at=at,
                    device=device.device,
                    position=sensor.position,
                    wager=sensor.wager,
                    covered=channel in covered,
                )
                for channel, sensor in sensors
            )
        case InputChanged(channel=changed, active=active):
            edge = WagerPlaced if active else WagerRemoved
            return tuple(
                edge(at=at, device=device.device, position=sensor.position, wager=sensor.wager)
                for channel, sensor in sensors
                if channel == changed
            )
        case CoinAccepted(coin=coin):
            return _taken(coin, device, at)
        case CoinNotAccepted(code=code, reason=reason):
            _log.warning("device %s did not take a coin: %d, %s", device.device, code, reason)
            return ()
        case ReportLost(reason=reason) if _slots(device):
            return (WagerReportLost(at=at, device=device.device, reason=reason),)
        case _:
            return ()


def _slots(device: LineDevice) -> tuple[tuple[int, CoinSlot], ...]:
    return tuple((channel, role) for channel, role in device.wiring.inputs if isinstance(role, CoinSlot))


def _taken(coin: int, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    for channel, slot in _slots(device):
        if channel == coin:
            placed = WagerPlaced(
                at=at,
                device=device.device,
                position=slot.position,
                wager=slot.wager,
                amount=slot.amount,
                taken=slot.amount,
            )
            return (placed,)
    reason = f"it took a coin {coin}, which is no wager at this table"
    return (WagerReportLost(at=at, device=device.device, reason=reason),)
