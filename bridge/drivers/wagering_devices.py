"""Wagering devices: an area that is covered or empty, or a slot that takes a coin and does not give it back."""

import logging

from bridge.domain.events import TableEvent, WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.identity import Timestamp
from bridge.domain.setup import WagerSensor
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
    back.
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
            placed = tuple(
                WagerPlaced(at=at, device=device.device, position=sensor.position, wager=sensor.wager)
                for channel, sensor in sensors
                if channel == coin
            )
            if not placed:
                _log.error("device %s took a coin %d, which is no wager at this table", device.device, coin)
            return placed
        case CoinNotAccepted(code=code, reason=reason):
            _log.warning("device %s did not take a coin: %d, %s", device.device, code, reason)
            return ()
        case ReportLost(reason=reason) if any(sensors):
            _log.error("device %s: %s", device.device, reason)
            return ()
        case _:
            return ()
