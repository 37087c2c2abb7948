"""The key switches at a table: each privilege has a lock of its own (§ 605a.7(a)(5), (6))."""

from bridge.domain.events import KeySwitchTurned, TableEvent
from bridge.domain.identity import Timestamp
from bridge.domain.setup import KeySwitchInput
from bridge.drivers.line import LineDevice
from bridge.wire.messages import InputChanged, WireMessage


def key_switch_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return turns. A switch found turned was not seen being turned, and says nothing."""
    match message:
        case InputChanged(channel=turned, active=True):
            return tuple(
                KeySwitchTurned(at=at, device=device.device, key=role.key)
                for channel, role in device.wiring.inputs
                if channel == turned and isinstance(role, KeySwitchInput)
            )
        case _:
            return ()
