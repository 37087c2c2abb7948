"""The lock-out: the dealer's button, and the outputs that lock the wagering devices (§ 633b.18(d)(2)).

Accepting a late wager is the worse error (T43), so doubt counts as locked: a button found held down was
pressed, one that is still held when the next round opens is pressed in that too, and of a button and a chip seen
in the same look at the inputs, the button came first.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from bridge.domain.commands import SetLock
from bridge.domain.events import LockFailed, LockOutPressed, LockReported, TableEvent
from bridge.domain.identity import Timestamp
from bridge.domain.setup import LockOutButton, LockOutput
from bridge.drivers.line import LineDevice
from bridge.wire.messages import (
    InputChanged,
    OutputFailed,
    OutputReported,
    SetOutput,
    UnitAnswering,
    WireMessage,
)


class HeldButtons:
    """The lock-out buttons of one line that are held down now: stuck, or kept down by somebody's hand."""

    def __init__(self, devices: Mapping[int, LineDevice]) -> None:
        self._devices = devices
        self._held: dict[int, frozenset[int]] = {}

    def observe(self, message: WireMessage) -> None:
        """Take note of what a device of the line says of its inputs."""
        match message:
            case UnitAnswering(address=address, active_inputs=held):
                self._held[address] = held
            case InputChanged(address=address, channel=channel, active=active):
                held = self._held.get(address, frozenset())
                self._held[address] = held | {channel} if active else held - {channel}
            case _:
                pass

    def pressed_again(self, at: Timestamp) -> Iterator[TableEvent]:
        """Yield a press of each, for a new one could not be seen."""
        for address, held in self._held.items():
            if address in self._devices:
                yield from _presses(held, self._devices[address], at)


def lock_out_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return presses of the button, and what the lock outputs read back. Letting the button go is no event."""
    match message:
        case InputChanged(channel=channel, active=True):
            return _presses(frozenset((channel,)), device, at)
        case UnitAnswering(active_inputs=held):
            return _presses(held, device, at)
        case OutputReported(channel=channel, active=engaged):
            return _reports(channel, device, at, engaged=engaged)
        case OutputFailed(channel=channel, commanded=commanded):
            failed = LockFailed(at=at, device=device.device, commanded=commanded)
            return (failed,) if _is_lock(channel, device) else ()
        case _:
            return ()


def lock_orders(command: SetLock, devices: Iterable[LineDevice]) -> tuple[SetOutput, ...]:
    """Return the order for every lock output of these devices."""
    return tuple(
        SetOutput(address=device.unit.address, channel=channel, active=command.engaged)
        for device in devices
        for channel, role in device.wiring.outputs
        if isinstance(role, LockOutput)
    )


def presses_first(messages: Iterable[WireMessage], devices: Mapping[int, LineDevice]) -> tuple[WireMessage, ...]:
    """Return messages of one look at a line, with the lock-out button before what was seen together with it."""
    return tuple(
        message
        for _, together in groupby(messages, _seen_together)
        for message in sorted(together, key=lambda message: not _is_press(message, devices))
    )


def _seen_together(message: WireMessage) -> tuple[bool, int]:
    return isinstance(message, InputChanged), message.address


def _is_press(message: WireMessage, devices: Mapping[int, LineDevice]) -> bool:
    device = devices.get(message.address)
    return (
        device is not None
        and isinstance(message, InputChanged)
        and message.active
        and any(
            channel == message.channel and isinstance(role, LockOutButton)
            for channel, role in device.wiring.inputs
        )
    )


def _presses(held: frozenset[int], device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    return tuple(
        LockOutPressed(at=at, device=device.device)
        for channel, role in device.wiring.inputs
        if isinstance(role, LockOutButton) and channel in held
    )


def _reports(channel: int, device: LineDevice, at: Timestamp, *, engaged: bool) -> tuple[TableEvent, ...]:
    return (LockReported(at=at, device=device.device, engaged=engaged),) if _is_lock(channel, device) else ()


def _is_lock(channel: int, device: LineDevice) -> bool:
    return any(output == channel and isinstance(role, LockOutput) for output, role in device.wiring.outputs)
