"""A device that somebody builds: inputs, outputs, cards, over a line protocol of our own.

No maker speaks this protocol; it is for devices without public documents and for adapters. Its document is in
``device_profiles/README.md``; its lines: ``generic_frames``. The device tells events, each until it is answered,
and is asked for its state all the time, so that nothing that is lost on the line stays lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bridge.wire.bounded_text import Damage, Reading, TextLines
from bridge.wire.errors import ChecksumError, FrameError, LineSetupError, UnknownMessageError
from bridge.wire.generic_frames import (
    LINE_LENGTH_MAX,
    Line,
    Mark,
    Verb,
    decode_line,
    encode_line,
    explain_line,
)
from bridge.wire.generic_unit import GenericUnit
from bridge.wire.messages import (
    EVIDENCE_MAX,
    FaultCause,
    FrameFault,
    Order,
    SetOutput,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.polled_units import RETRIES, SILENT_POLL
from bridge.wire.spec import READS_CARDS, DeviceSpec, ParameterRule, ProtocolFamily, SerialSettings, Unit

_ANSWERS_MAX = 32
"""Answers to events that wait to be written; a device that is not answered says its event again."""
_REASON_MAX = 40
"""What a line has room for, and a person at the other end needs."""

PARAMETERS: Mapping[str, ParameterRule] = {
    READS_CARDS: ParameterRule(default=False, meaning="the device reads cards"),
    "poll_ms": ParameterRule(
        default=250, meaning="time between two requests for the state", minimum=10, maximum=60_000
    ),
    "reply_timeout_ms": ParameterRule(
        default=200, meaning="how long the device may take to answer", minimum=10, maximum=10_000
    ),
    "retries": replace(RETRIES, default=3),
    "silent_poll_ms": replace(SILENT_POLL, default=500),
    "line_timeout_ms": ParameterRule(
        default=200,
        meaning="how long a line may take from its first character to its end",
        minimum=10,
        maximum=10_000,
    ),
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """The request that waits for its answer."""

    line: Line
    until_us: int


class GenericLine:
    """The bridge's end of the line: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a generic device has its line to itself; this line has {len(units)} devices")
        parameters = units[0].spec.parameters
        self._unit = GenericUnit(units[0])
        self._reply_us = int(parameters["reply_timeout_ms"]) * 1000
        self._line_us = int(parameters["line_timeout_ms"]) * 1000
        self._lines = TextLines(LINE_LENGTH_MAX)
        self._line_ends_us: int | None = None
        self._answers: list[bytes] = []
        self._asked: _Asked | None = None

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        messages = list(self.wake(now_us))
        found = self._lines.take(data)
        for one in found:
            messages += (self._fault(one),) if isinstance(one, Damage) else self._read(one.data, now_us)
        if not self._lines.held or any(isinstance(one, Reading) for one in found):
            self._line_ends_us = None
        if self._lines.held and self._line_ends_us is None:
            self._line_ends_us = now_us + self._line_us
        return tuple(messages)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: an answer is given up, and so is a line that gets no end."""
        messages: list[WireMessage] = []
        if self._line_ends_us is not None and now_us >= self._line_ends_us:
            self._line_ends_us = None
            half = self._lines.give_up()
            if half:
                messages.append(self._fault(Damage(FaultCause.TIMEOUT, "a line has begun and not ended", half)))
        if self._asked is not None and now_us >= self._asked.until_us:
            asked, self._asked = self._asked, None
            reason = f"{self._unit.name} does not answer {asked.line.verb}"
            out = UnitSilent(address=self._unit.address, reason=f"{self._unit.name} does not answer: {_ADVICE}")
            messages += self._unit.failed(self._fault(Damage(FaultCause.TIMEOUT, reason, b"")), out, now_us)
        return tuple(messages)

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` if the device has no such output."""
        if not isinstance(order, SetOutput):
            raise refusal(order, "a generic device")
        self._unit.outputs.order(order)

    def data_to_send(self, now_us: int) -> bytes:
        """Return answers to events, and the next request if the last one is answered."""
        data = b"".join(self._answers)
        self._answers.clear()
        if self._asked is None and now_us >= self._unit.due_us:
            request = self._unit.request(now_us)
            self._asked = _Asked(request, now_us + self._reply_us)
            data += encode_line(request)
        return data

    def next_wakeup(self) -> int | None:
        """Return when something falls due; never None, since the device is asked for its state."""
        due_us = self._unit.due_us if self._asked is None else self._asked.until_us
        return due_us if self._line_ends_us is None else min(due_us, self._line_ends_us)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget what is under way; orders stay, and are carried out when the device is back."""
        self._lines.give_up()
        self._line_ends_us = self._asked = None
        self._answers.clear()
        return self._unit.line_lost()

    def _read(self, raw: bytes, now_us: int) -> tuple[WireMessage, ...]:
        try:
            line = decode_line(raw)
        except FrameError as error:
            return (self._fault(Damage(_cause(error), error.reason, raw)),)
        if line.mark is Mark.EVENT:
            return self._event(line, raw)
        asked = self._asked
        if line.mark is Mark.REQUEST or asked is None or line.number != asked.line.number:
            what = "a request" if line.mark is Mark.REQUEST else "an answer that nobody waits for"
            return (self._fault(Damage(FaultCause.UNKNOWN, f"{self._unit.name} says {what}", raw)),)
        self._asked = None
        try:
            return self._unit.answered(asked.line.verb, line, now_us)
        except FrameError as error:
            reason = f"{self._unit.name} refuses {asked.line.verb}: {error.reason}"
            out = UnitRefused(address=self._unit.address, reason=reason)
            return self._unit.failed(self._fault(Damage(FaultCause.UNKNOWN, reason, raw)), out, now_us)

    def _event(self, event: Line, raw: bytes) -> tuple[WireMessage, ...]:
        try:
            messages = self._unit.event(event)
        except FrameError as error:
            self._answer(event, Verb.NO, error.reason[:_REASON_MAX])
            return (self._fault(Damage(FaultCause.UNKNOWN, f"{self._unit.name} says {error.reason}", raw)),)
        self._answer(event, Verb.OK)
        return messages

    def _answer(self, event: Line, verb: Verb, rest: str = "") -> None:
        if len(self._answers) < _ANSWERS_MAX:
            self._answers.append(encode_line(Line(Mark.ANSWER, event.number, verb, rest)))

    def _fault(self, damage: Damage) -> FrameFault:
        raw = damage.raw[:EVIDENCE_MAX]
        return FrameFault(address=self._unit.address, cause=damage.cause, reason=damage.reason, raw=raw)


_ADVICE = "check its power, the line and the speed of both ends"


def _cause(error: FrameError) -> FaultCause:
    match error:
        case ChecksumError():
            return FaultCause.CHECKSUM
        case UnknownMessageError():
            return FaultCause.UNKNOWN
        case _:
            return FaultCause.JUNK


def explain(raw: bytes, spec: DeviceSpec) -> str:  # noqa: ARG001 - what a line says is the same for every model
    """Say what one whole line means; raise ``FrameError`` for bytes that are none."""
    return explain_line(raw)


FAMILY = ProtocolFamily(
    name="generic_line",
    parameters=PARAMETERS,
    reads_cards=True,
    names_cards=True,
    addresses=range(1),
    serial=SerialSettings(baud=115_200),
    codec=GenericLine,
    explain=explain,
)
