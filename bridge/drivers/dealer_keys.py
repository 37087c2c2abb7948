"""The dealer's keys, besides the lock-out button."""

from bridge.domain.events import DealerKeyPressed, TableEvent
from bridge.domain.identity import Timestamp
from bridge.domain.setup import DealerKeyInput
from bridge.drivers.line import LineDevice
from bridge.wire.messages import InputChanged, WireMessage


def dealer_key_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return presses. A key found held down was not seen being pressed, and says nothing."""
    match message:
        case InputChanged(channel=pressed, active=True):
            return tuple(
                DealerKeyPressed(at=at, device=device.device, key=role.key)
                for channel, role in device.wiring.inputs
                if channel == pressed and isinstance(role, DealerKeyInput)
            )
        case _:
            return ()
