"""A strip of lamps: what to ask it next, and what its answers mean.

It is *in service* once it has said that its LEDs are set one by one, and what they show.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from bridge.wire.blinkstick_reports import (
    DARK,
    LED_BY_LED,
    LEDS_MAX,
    MODE_REPORT,
    Colour,
    encode_strip,
    strip_colours,
    strip_report,
)
from bridge.wire.blinkstick_requests import FeatureRequest
from bridge.wire.errors import LineSetupError
from bridge.wire.hid_reports import RECORD_HEAD
from bridge.wire.messages import SetOutput, UnitAnswering, UnitRefused, UnitSilent, WireMessage
from bridge.wire.outputs import OutputBank
from bridge.wire.polled_units import Urgency, Want
from bridge.wire.polling import Answered, Unanswered
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import Unit
from bridge.wire.unit_service import UnitService


class Question(Enum):
    """What a strip is asked."""

    MODE = auto()
    WRITE = auto()
    """What the LEDs show, after they were told what to show."""
    READ = auto()


class LampStrip:
    """The state of one strip, as its answers tell it."""

    def __init__(self, unit: Unit) -> None:
        spec, parameters = unit.spec, unit.spec.parameters
        if not 1 <= spec.outputs <= LEDS_MAX:
            raise LineSetupError(
                f"profile {spec.profile} has {spec.outputs} outputs; a BlinkStick has 1 to {LEDS_MAX} LEDs"
            )
        self._on, self._off = (
            Colour(*(int(parameters[f"{state}_{part}"]) for part in ("red", "green", "blue")))
            for state in ("on", "off")
        )
        if self._on == self._off:
            raise LineSetupError(
                f"on and off are both {self._on}: set on_red, on_green, on_blue to another colour"
            )
        self.address = unit.address
        self._name = f"lamps ({spec.profile})"
        self._leds = spec.outputs
        self._strip = strip_report(spec.outputs)
        self._check_mode = parameters["check_mode"] is True
        self._read_back_us = int(parameters["read_back_ms"]) * 1000
        retries = int(parameters["retries"])
        self.service = UnitService(retries=retries, silent_us=int(parameters["silent_poll_ms"]) * 1000)
        self._outputs = OutputBank(unit.address, spec.outputs, retries)
        self._written: frozenset[int] | None = None
        """The lamps that were written as on; None until something was written."""
        self._mode_checked = not self._check_mode
        self._read_back_at_us = 0

    def order(self, order: SetOutput) -> None:
        """Take an order; raise ``OrderError`` if there is no such lamp."""
        self._outputs.order(order)

    def wants(self) -> Iterator[Want[Question]]:
        """Say what the strip is to be asked next."""
        if not self.service.in_service:
            question = Question.READ if self._mode_checked else Question.MODE
            yield Want(urgency=Urgency.ROUND, at_us=self.service.contact_us, question=question)
        elif self._outputs.write_due:
            yield Want(urgency=Urgency.WRITE, at_us=0, question=Question.WRITE)
        elif self._outputs.read_due:
            yield Want(urgency=Urgency.VERIFY, at_us=0, question=Question.READ)
        else:
            yield Want(urgency=Urgency.ROUND, at_us=self._read_back_at_us, question=Question.READ)

    def ask(self, want: Want[Question], now_us: int) -> FeatureRequest:
        """Return the request for what is wanted."""
        if want.question is Question.MODE:
            return FeatureRequest(address=self.address, report=MODE_REPORT)
        self._read_back_at_us = now_us + self._read_back_us
        told = b""
        if want.question is Question.WRITE:
            self._written = written = self._outputs.take_write()
            told = encode_strip([self._on if led in written else self._off for led in range(1, self._leds + 1)])
        return FeatureRequest(address=self.address, report=self._strip, tell=told)

    def answered(self, answer: Answered[FeatureRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a request; return what is new."""
        self.service.answered()
        self.service.ask_at_once()
        report = answer.raw[RECORD_HEAD:]
        if answer.request.report == MODE_REPORT:
            return self._mode_read(report[1], now_us)
        return self._strip_read(strip_colours(report)[: self._leds])

    def unanswered(self, outcome: Unanswered[FeatureRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take that a request got no answer, or none that can be understood."""
        messages: tuple[WireMessage, ...] = self.service.news_of(outcome.fault(self.address))
        if self.service.in_service:
            messages += self._outputs.unreadable()
        if not self.service.failed():
            return messages
        self._forget()
        reason = f"{self._name} does not answer: check that it is plugged in and that no other program has it"
        return messages + self.service.leave(UnitSilent(address=self.address, reason=reason), now_us)

    def line_lost(self) -> tuple[UnitSilent, ...]:
        """Go out of service with the line; be asked at once when it is back."""
        self._forget()
        return self.service.lose_line(out_of_reach(self.address, self._name))

    def _mode_read(self, number: int, now_us: int) -> tuple[WireMessage, ...]:
        self._mode_checked = number == LED_BY_LED
        if self._mode_checked:
            return ()
        self._forget()
        reason = (
            f"{self._name} is in mode {number}, in which LEDs have no colours of their own: set it to mode "
            f"{LED_BY_LED} with its maker's program, which keeps it"
        )
        return self.service.leave(UnitRefused(address=self.address, reason=reason), now_us)

    def _strip_read(self, colours: Sequence[Colour]) -> tuple[WireMessage, ...]:
        if self.service.in_service:
            lit = frozenset(led for led, colour in enumerate(colours, start=1) if self._is_on(led, colour))
            return self._outputs.read_back(lit)
        self.service.enter()
        self._outputs.restore()
        return (UnitAnswering(address=self.address, active_inputs=frozenset()),)

    def _is_on(self, led: int, colour: Colour) -> bool:
        """Say whether a lamp is on. A colour that nobody ordered is never what was ordered."""
        if colour in {self._on, self._off}:
            return colour == self._on
        return colour != DARK if self._written is None else led not in self._written

    def _forget(self) -> None:
        """Begin anew with the question which mode the strip is in."""
        self._mode_checked = not self._check_mode
        self._outputs.forget()
