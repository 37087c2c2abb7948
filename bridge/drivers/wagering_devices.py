"""Wager sensors: a wagering area is covered, or empty."""

from bridge.domain.events import TableEvent, WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.identity import Timestamp
from bridge.domain.setup import WagerSensor
from bridge.drivers.line import LineDevice
from bridge.wire.messages import InputChanged, UnitAnswering, WireMessage


def wager_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return edges when an input changes, and the level of every sensor when its device is found (T45, T46)."""
    sensors = ((channel, role) for channel, role in device.wiring.inputs if isinstance(role, WagerSensor))
    match message:
        case UnitAnswering(active_inputs=covered):
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
        case _:
            return ()
