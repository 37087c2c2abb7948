"""A line of Modbus RTU input and output modules, polled by the bridge.

Several units share the line; each is polled in turn, orders go out before the next poll and are read
back at once. What a frame says is printed in the language of ``modbus_text``. Frames:
``modbus_frames``; what one unit is asked and what its answers mean: ``modbus_unit``.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import FrameFault, Order, SetOutput, WireMessage
from bridge.wire.modbus_frames import (
    FRAME_LENGTH_MAX,
    ExceptionCode,
    Frame,
    Function,
    decode_frame,
    encode_frame,
    pack_channels,
    reply_length,
    request_length,
    unpack_channels,
)
from bridge.wire.modbus_requests import ModbusRequest
from bridge.wire.modbus_text import explain
from bridge.wire.modbus_unit import ModbusUnit, Want
from bridge.wire.orders import refusal
from bridge.wire.polling import Answered, Discarded, LineTiming, PolledLine, Unanswered
from bridge.wire.spec import ParameterRule, Parity, ProtocolFamily, SerialSettings, Unit

__all__ = [
    "FAMILY",
    "ExceptionCode",
    "Frame",
    "Function",
    "ModbusLine",
    "decode_frame",
    "encode_frame",
    "explain",
    "pack_channels",
    "reply_length",
    "request_length",
    "unpack_channels",
]

PARAMETERS: Mapping[str, ParameterRule] = {
    "poll_period_ms": ParameterRule(
        default=10,
        meaning="time between two polls of a unit's inputs; longer if the line is slower",
        maximum=10_000,
    ),
    "debounce_polls": ParameterRule(
        default=2, meaning="how many polls in a row must agree that an input changed", minimum=1, maximum=20
    ),
    "active_low": ParameterRule(default=False, meaning="an input is active while its bit is 0"),
    "read_back_ms": ParameterRule(
        default=500, meaning="time between two read-backs of outputs that nobody wrote", minimum=10, maximum=60_000
    ),
    "reply_timeout_ms": ParameterRule(
        default=50,
        meaning="how long a unit may take to answer, time on the line not counted",
        minimum=1,
        maximum=10_000,
    ),
    "retries": ParameterRule(
        default=2,
        meaning="requests in a row without a usable answer until a unit is silent; writes that do not read "
        "back until an output has failed",
        minimum=1,
        maximum=20,
    ),
    "silent_poll_ms": ParameterRule(
        default=250,
        meaning="time until a silent unit is asked again, up to four times as long when it stays silent",
        minimum=1,
        maximum=60_000,
    ),
    "check_output_modes": ParameterRule(
        default=True,
        meaning="refuse a module whose outputs follow its inputs (registers from 1000 hexadecimal on)",
    ),
    "quiet_ms": ParameterRule(
        default=5, meaning="silence on the line after which unasked bytes have ended", minimum=1, maximum=1000
    ),
    "frame_gap_us": ParameterRule(
        default=0,
        meaning="silence to keep between an answer and the next request, for modules that lose requests "
        "without it; 3.5 characters are 3646 at 9600 baud",
        maximum=100_000,
    ),
}


class ModbusLine:
    """The bridge's end of a Modbus line: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = {unit.address: ModbusUnit(unit) for unit in units}
        if not units or len(self._units) != len(units):
            raise LineSetupError("a Modbus line needs at least one unit, and no two with the same address")
        self._line: PolledLine[ModbusRequest] = PolledLine(_timing(units), FRAME_LENGTH_MAX)
        self._silent_from_us = 0

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        return self._messages(self._line.receive(data, now_us), now_us)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: requests without an answer are given up."""
        return self._messages(self._line.wake(now_us), now_us)

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` if the line has no such output."""
        if not isinstance(order, SetOutput):
            raise refusal(order, "a module")
        unit = self._units.get(order.address)
        if unit is None:
            raise OrderError(f"no unit {order.address} on this line; it has {', '.join(map(str, self._units))}")
        unit.outputs.order(order)

    def data_to_send(self, now_us: int) -> bytes:
        """Return the next request, if the line is free and something is due."""
        free_us = self._line.free_at()
        if free_us is None or free_us > now_us:
            return b""
        due = [(want.urgency, at_us, unit, want) for at_us, unit, want in self._wants() if at_us <= now_us]
        if not due:
            return b""
        _, _, unit, want = min(due, key=lambda entry: entry[:2])
        if unit.known_to_be_out:
            self._silent_from_us = now_us + unit.silent_us
        return self._line.ask(unit.ask(want, now_us), now_us)

    def next_wakeup(self) -> int | None:
        """Return when something falls due; never None, since modules must be asked."""
        wakeup_us = self._line.next_wakeup()
        free_us = self._line.free_at()
        if free_us is None:
            return wakeup_us
        due_us = max(free_us, min(at_us for at_us, _, _ in self._wants()))
        return due_us if wakeup_us is None else min(due_us, wakeup_us)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget everything in flight; orders stay, and are carried out when the units are back."""
        self._line.reset()
        self._silent_from_us = 0
        return tuple(message for unit in self._units.values() for message in unit.line_lost())

    def _wants(self) -> list[tuple[int, ModbusUnit, Want]]:
        """List what the units want, and when: all those that are out share one pace, to spare the others."""
        return [
            (max(want.at_us, self._silent_from_us) if unit.known_to_be_out else want.at_us, unit, want)
            for unit in self._units.values()
            for want in unit.wants()
        ]

    def _messages(
        self, outcomes: Sequence[Answered[ModbusRequest] | Unanswered[ModbusRequest] | Discarded], now_us: int
    ) -> tuple[WireMessage, ...]:
        messages: list[WireMessage] = []
        for outcome in outcomes:
            match outcome:
                case Answered():
                    messages += self._units[outcome.request.address].answered(outcome, now_us)
                case Unanswered():
                    messages += self._units[outcome.request.address].unanswered(outcome, now_us)
                case Discarded(address=address, cause=cause, reason=reason, raw=raw):
                    messages.append(FrameFault(address=address, cause=cause, reason=reason, raw=raw))
                case _:
                    assert_never(outcome)
        return tuple(messages)


def _timing(units: Sequence[Unit]) -> LineTiming:
    """Take the most patient value where the models on a line differ."""

    def longest(parameter: str) -> int:
        return max(int(unit.spec.parameters[parameter]) for unit in units)

    return LineTiming(
        character_us=max(unit.spec.serial.character_us for unit in units),
        reply_timeout_us=longest("reply_timeout_ms") * 1000,
        quiet_us=longest("quiet_ms") * 1000,
        gap_us=longest("frame_gap_us"),
    )


FAMILY = ProtocolFamily(
    name="modbus_rtu",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(1, 248),
    serial=SerialSettings(baud=9600, data_bits=8, parity=Parity.NONE, stop_bits=1),
    codec=ModbusLine,
    explain=explain,
)
