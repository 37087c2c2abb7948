"""Lamps: which output is ordered for them, and what their outputs read back (T49)."""

from collections.abc import Iterable, Iterator

from bridge.domain.commands import SetIndicator
from bridge.domain.events import IndicatorFailed, IndicatorReported, TableEvent
from bridge.domain.identity import Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.setup import IndicatorOutput
from bridge.drivers.line import LineDevice
from bridge.wire.messages import OutputFailed, OutputReported, SetOutput, WireMessage


class LampOutputs:
    """The lamps of some devices. Several lamps on one output light together: it is on if any of them is."""

    def __init__(self, devices: Iterable[LineDevice]) -> None:
        self._outputs = tuple(
            (device.unit.address, channel, role.indicators)
            for device in devices
            for channel, role in device.wiring.outputs
            if isinstance(role, IndicatorOutput)
        )
        self._lit: set[Indicator] = set()

    def orders(self, command: SetIndicator) -> tuple[SetOutput, ...]:
        """Return the order for every output that serves the lamp; none if it is not here."""
        if command.state is LampState.ON:
            self._lit.add(command.indicator)
        else:
            self._lit.discard(command.indicator)
        return tuple(
            SetOutput(address=address, channel=channel, active=not self._lit.isdisjoint(indicators))
            for address, channel, indicators in self._outputs
            if command.indicator in indicators
        )


def indicator_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return what an output's reading says of each lamp that it serves."""
    match message:
        case OutputReported(channel=channel, active=active):
            return tuple(
                IndicatorReported(at=at, device=device.device, indicator=indicator, state=_state(active=active))
                for indicator in _served_by(channel, device)
            )
        case OutputFailed(channel=channel, commanded=commanded):
            return tuple(
                IndicatorFailed(
                    at=at, device=device.device, indicator=indicator, commanded=_state(active=commanded)
                )
                for indicator in _served_by(channel, device)
            )
        case _:
            return ()


def _served_by(channel: int, device: LineDevice) -> Iterator[Indicator]:
    for output, role in device.wiring.outputs:
        if output == channel and isinstance(role, IndicatorOutput):
            yield from role.indicators


def _state(*, active: bool) -> LampState:
    return LampState.ON if active else LampState.OFF
