"""A BlinkStick: a strip of lamps on USB, one output for each LED, in a colour that means on and one for off.

All LEDs are written in one feature report and read back at once, and every so often besides. Reports, and the
records that they travel in: ``blinkstick_reports``, ``hid_reports``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from bridge.wire.blinkstick_reports import (
    DARK,
    LED_BY_LED,
    LEDS_MAX,
    MODE_REPORT,
    Colour,
    encode_strip,
    explain,
    report_length,
    strip_colours,
    strip_report,
)
from bridge.wire.errors import LineSetupError
from bridge.wire.hid_reports import RECORD_HEAD, Report, ReportKind, ask_feature, pack
from bridge.wire.messages import (
    FaultCause,
    FrameFault,
    Order,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.outputs import OutputBank
from bridge.wire.polling import Answered, Discarded, LineTiming, PolledLine, Unanswered, Verdict
from bridge.wire.spec import ParameterRule, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "LampStrip", "explain"]

_QUIET_US = 5_000
_HELD_MAX = 2 * (RECORD_HEAD + 2 + 3 * LEDS_MAX)
"""Two of the longest records: an answer, and one that nobody waits for any more."""


def _part(default: int, meaning: str) -> ParameterRule:
    return ParameterRule(default=default, meaning=meaning, maximum=255)


PARAMETERS: Mapping[str, ParameterRule] = {
    "on_red": _part(0, "how much red is in a lamp that is on"),
    "on_green": _part(255, "how much green is in a lamp that is on"),
    "on_blue": _part(0, "how much blue is in a lamp that is on"),
    "off_red": _part(0, "how much red is in a lamp that is off"),
    "off_green": _part(0, "how much green is in a lamp that is off"),
    "off_blue": _part(0, "how much blue is in a lamp that is off"),
    "check_mode": ParameterRule(
        default=True, meaning="refuse a device in which the LEDs are not set one by one (mode 2)"
    ),
    "read_back_ms": ParameterRule(
        default=500,
        meaning="time between two read-backs of lamps that nobody switched",
        minimum=10,
        maximum=60_000,
    ),
    "reply_timeout_ms": ParameterRule(
        default=250, meaning="how long the device may take to answer", minimum=1, maximum=10_000
    ),
    "retries": ParameterRule(
        default=2,
        meaning="requests in a row without a usable answer until the device is silent; writes that do not read "
        "back until a lamp has failed",
        minimum=1,
        maximum=20,
    ),
    "silent_poll_ms": ParameterRule(
        default=500, meaning="time until a silent device is asked again", minimum=1, maximum=60_000
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureRequest:
    """One feature that the device is asked for, after it was perhaps told another."""

    address: int
    report: int
    tell: bytes = b""

    @property
    def data(self) -> bytes:
        """The records to send."""
        told = pack(Report(ReportKind.FEATURE, self.tell)) if self.tell else b""
        return told + pack(ask_feature(self.report, report_length(self.report)))

    @property
    def answer_length(self) -> int:
        """How long the record of the answer is."""
        return RECORD_HEAD + report_length(self.report)

    def find_answer(self, received: bytes) -> slice | None:
        """Return where the record of the answer stands; a feature of another length is none."""
        head = ReportKind.FEATURE.value + report_length(self.report).to_bytes(RECORD_HEAD - 1)
        at = received.find(head)
        whole = 0 <= at <= len(received) - self.answer_length
        return slice(at, at + self.answer_length) if whole else None

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"the device was asked for report {self.report:02X}"
        if not received:
            return Verdict(cause=FaultCause.TIMEOUT, reason=f"{asked} and does not answer", answer_may_follow=True)
        reason = f"{asked}, and this is no answer to that"
        return Verdict(cause=FaultCause.JUNK, reason=reason, answer_may_follow=True)


class LampStrip:
    """The bridge's end of a BlinkStick: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a BlinkStick has its line to itself; this line has {len(units)} devices")
        spec, self._address = units[0].spec, units[0].address
        parameters = spec.parameters
        if not 1 <= spec.outputs <= LEDS_MAX:
            raise LineSetupError(
                f"profile {spec.profile} has {spec.outputs} outputs; a BlinkStick has 1 to 64 LEDs"
            )
        self._on, self._off = (
            Colour(*(int(parameters[f"{state}_{part}"]) for part in ("red", "green", "blue")))
            for state in ("on", "off")
        )
        if self._on == self._off:
            raise LineSetupError(
                f"on and off are both {self._on}: set on_red, on_green, on_blue to another colour"
            )
        self._name = f"lamps ({spec.profile})"
        self._leds = spec.outputs
        self._strip = strip_report(spec.outputs)
        self._check_mode = parameters["check_mode"] is True
        self._read_back_us = int(parameters["read_back_ms"]) * 1000
        self._silent_us = int(parameters["silent_poll_ms"]) * 1000
        self._retries = int(parameters["retries"])
        timing = LineTiming(
            character_us=0,
            reply_timeout_us=int(parameters["reply_timeout_ms"]) * 1000,
            quiet_us=_QUIET_US,
            gap_us=0,
        )
        self._line: PolledLine[FeatureRequest] = PolledLine(timing, _HELD_MAX)
        self._outputs = OutputBank(self._address, spec.outputs, self._retries)
        self._written: frozenset[int] | None = None
        """The lamps that were written as on; None until something was written."""
        self._in_service = False
        self._mode_checked = not self._check_mode
        self._said: UnitSilent | UnitRefused | None = None
        self._failures = 0
        self._ask_at_us = 0

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        return self._messages(self._line.receive(data, now_us), now_us)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: requests without an answer are given up."""
        return self._messages(self._line.wake(now_us), now_us)

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` if there is no such lamp."""
        if not isinstance(order, SetOutput):
            raise refusal(order, "a lamp")
        self._outputs.order(order)

    def data_to_send(self, now_us: int) -> bytes:
        """Return the next request, if something is due and the last one is answered."""
        free_us = self._line.free_at()
        if free_us is None or max(free_us, self._due_us()) > now_us:
            return b""
        return self._line.ask(self._request(now_us), now_us)

    def next_wakeup(self) -> int | None:
        """Return when something falls due; never None, since lamps are read back."""
        wakeup_us, free_us = self._line.next_wakeup(), self._line.free_at()
        if free_us is None:
            return wakeup_us
        due_us = max(free_us, self._due_us())
        return due_us if wakeup_us is None else min(due_us, wakeup_us)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget everything in flight; orders stay, and are carried out when the device is back."""
        self._line.reset()
        was_in_service = self._in_service
        self._leave_service()
        self._said = None
        self._failures = 0
        self._ask_at_us = 0
        if not was_in_service:
            return ()
        return (UnitSilent(address=self._address, reason=f"{self._name} is out of reach: its line is gone"),)

    def _due_us(self) -> int:
        at_once = self._in_service and (self._outputs.write_due or self._outputs.read_due)
        return 0 if at_once else self._ask_at_us

    def _request(self, now_us: int) -> FeatureRequest:
        if not self._mode_checked:
            return FeatureRequest(address=self._address, report=MODE_REPORT)
        self._ask_at_us = now_us + self._read_back_us
        if not (self._in_service and self._outputs.write_due):
            return FeatureRequest(address=self._address, report=self._strip)
        self._written = written = self._outputs.take_write()
        colours = [self._on if led in written else self._off for led in range(1, self._leds + 1)]
        return FeatureRequest(address=self._address, report=self._strip, tell=encode_strip(colours))

    def _messages(
        self, outcomes: Sequence[Answered[FeatureRequest] | Unanswered[FeatureRequest] | Discarded], now_us: int
    ) -> tuple[WireMessage, ...]:
        messages: list[WireMessage] = []
        for outcome in outcomes:
            match outcome:
                case Answered(request=request, raw=raw):
                    messages += self._answered(request.report, raw[RECORD_HEAD:], now_us)
                case Unanswered(cause=cause, reason=reason, raw=raw):
                    messages += self._unanswered(cause, reason, raw, now_us)
                case Discarded(address=address, cause=cause, reason=reason, raw=raw):
                    messages.append(FrameFault(address=address, cause=cause, reason=reason, raw=raw))
                case _:
                    assert_never(outcome)
        return tuple(messages)

    def _answered(self, report: int, raw: bytes, now_us: int) -> tuple[WireMessage, ...]:
        self._failures = 0
        if report == MODE_REPORT:
            return self._mode_read(raw[1], now_us)
        return self._strip_read(strip_colours(raw)[: self._leds])

    def _mode_read(self, number: int, now_us: int) -> tuple[WireMessage, ...]:
        self._mode_checked = number == LED_BY_LED
        if self._mode_checked:
            return ()
        reason = (
            f"{self._name} is in mode {number}, in which LEDs have no colours of their own: set it to mode "
            f"{LED_BY_LED} with its maker's program, which keeps it"
        )
        return self._out_of_service(UnitRefused(address=self._address, reason=reason), now_us)

    def _strip_read(self, colours: Sequence[Colour]) -> tuple[WireMessage, ...]:
        if self._in_service:
            lit = frozenset(led for led, colour in enumerate(colours, start=1) if self._is_on(led, colour))
            return self._outputs.read_back(lit)
        self._in_service = True
        self._said = None
        self._outputs.restore()
        return (UnitAnswering(address=self._address, active_inputs=frozenset()),)

    def _is_on(self, led: int, colour: Colour) -> bool:
        """Say whether a lamp is on. A colour that nobody ordered is never what was ordered."""
        if colour in {self._on, self._off}:
            return colour == self._on
        return colour != DARK if self._written is None else led not in self._written

    def _unanswered(self, cause: FaultCause, reason: str, raw: bytes, now_us: int) -> tuple[WireMessage, ...]:
        messages: list[WireMessage] = []
        if self._in_service or self._said is None:
            messages.append(FrameFault(address=self._address, cause=cause, reason=reason, raw=raw))
        if self._in_service:
            messages += self._outputs.unreadable()
        self._failures += 1
        if self._failures >= self._retries:
            reason = f"{self._name} does not answer: check that it is plugged in and that no other program has it"
            messages += self._out_of_service(UnitSilent(address=self._address, reason=reason), now_us)
        return tuple(messages)

    def _out_of_service(self, out: UnitSilent | UnitRefused, now_us: int) -> tuple[WireMessage, ...]:
        said, self._said = self._said, out
        self._leave_service()
        self._ask_at_us = now_us + self._silent_us
        return () if out == said else (out,)

    def _leave_service(self) -> None:
        self._in_service = False
        self._mode_checked = not self._check_mode
        self._outputs.forget()


FAMILY = ProtocolFamily(
    name="blinkstick",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(1),
    serial=SerialSettings(),
    codec=LampStrip,
    explain=explain,
)
