"""A Delcom indicator with its switch: what to ask it next, and what its answers mean.

It is asked for the presses that it has counted, then for its ports, in turn. The ports say whether the switch is
down and what is lit; the count tells of a press that was over between two looks. A press is told once: the count
is believed only where the ports have shown no change, neither now nor the time before, since a contact that
bounces is counted too. A counter that has overflown says that there were presses and not how many: one is told,
and that others are lost.

Answers do not say what they answer. So after a silence the device is asked what it is, which it answers in a way
that nothing else is answered, before anything else is believed.
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import assert_never

from bridge.wire.delcom_reports import (
    BEEP_ON_PRESS,
    DEVICE,
    LED_PINS,
    LEDS_MAX,
    PORTS,
    PRESSES,
    SWITCH_PIN,
    Command,
    Presses,
    read_ports,
    read_presses,
    write_beeper,
    write_order,
)
from bridge.wire.delcom_requests import DelcomRequest
from bridge.wire.errors import LineSetupError
from bridge.wire.messages import (
    InputChanged,
    ReportLost,
    SetOutput,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.outputs import OutputBank
from bridge.wire.polled_units import Urgency, Want
from bridge.wire.polling import Answered, Unanswered
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import Unit
from bridge.wire.unit_service import Out, UnitService

SWITCH = 1
"""The one input."""
BEEPER = LEDS_MAX + 1
"""The output after those of the LEDs."""


class Question(Enum):
    """What a device is asked."""

    DEVICE = auto()
    PRESSES = auto()
    PORTS = auto()


_NO_PRESSES = Presses(count=0, overflown=False)
_REPORTS = {Question.DEVICE: DEVICE, Question.PRESSES: PRESSES, Question.PORTS: PORTS}


class LightedButton:
    """The state of one device, as its answers tell it."""

    def __init__(self, unit: Unit) -> None:
        spec, parameters = unit.spec, unit.spec.parameters
        if spec.inputs > SWITCH or spec.outputs > BEEPER:
            raise LineSetupError(
                f"profile {spec.profile}: a device has one switch, {LEDS_MAX} LEDs and a beeper, output {BEEPER}"
            )
        self.address = unit.address
        self._name = f"button ({spec.profile})"
        self._has_switch = spec.inputs == SWITCH
        self._output_count = spec.outputs
        self._active_low = parameters["active_low"] is True
        self._numbered = parameters["numbered_answers"] is True
        self._poll_us = int(parameters["poll_period_ms"]) * 1000
        self._beeper_pitch = int(parameters["beeper_pitch"])
        self._set_up = (
            write_order(Command.COUNT_PRESSES, 1 << SWITCH_PIN),
            write_order(Command.ON_PRESS, BEEP_ON_PRESS if parameters["beep_on_press"] is True else 0),
            write_order(Command.FLASHING, LED_PINS),
            *(write_order(Command.BRIGHTNESS, pin, int(parameters["brightness"])) for pin in range(LEDS_MAX)),
        )
        retries = int(parameters["retries"])
        self._leds = OutputBank(unit.address, min(spec.outputs, LEDS_MAX), retries)
        self._beeping = False
        self._beeper_due = False
        self.service = UnitService(retries=retries, silent_us=int(parameters["silent_poll_ms"]) * 1000)
        self._known = b""
        """What the device has answered when it was asked what it is."""
        self._next = Question.DEVICE
        self._asked = Question.DEVICE
        self._poll_at_us = 0
        self._pressed = False
        self._presses = _NO_PRESSES
        """Counted since the ports were read last."""
        self._count_is_doubtful = False

    def order(self, order: SetOutput) -> None:
        """Take an order; raise ``OrderError`` for an output that the device has not."""
        if not 1 <= order.channel <= self._output_count:
            raise refusal(order, self._name, outputs=self._output_count)
        if order.channel == BEEPER:
            self._beeper_due = self._beeper_due or order.active is not self._beeping
            self._beeping = order.active
        else:
            self._leds.order(order)

    def wants(self) -> Iterator[Want[Question]]:
        """Say what the device is to be asked next."""
        if not self.service.in_service:
            yield Want(urgency=Urgency.ROUND, at_us=self.service.contact_us, question=self._next)
        elif self._next is not Question.PRESSES:
            yield Want(urgency=Urgency.CONFIRM, at_us=0, question=self._next)
        elif self._leds.write_due or self._beeper_due:
            yield Want(urgency=Urgency.WRITE, at_us=0, question=Question.PORTS)
        else:
            yield Want(urgency=Urgency.ROUND, at_us=self._poll_at_us, question=Question.PRESSES)

    def ask(self, want: Want[Question], now_us: int) -> DelcomRequest:
        """Return the question that is wanted, with the orders that are due before it."""
        self._asked = want.question
        orders: tuple[bytes, ...] = ()
        match want.question:
            case Question.PRESSES:
                self._poll_at_us = now_us + self._poll_us
                orders = () if self.service.in_service else self._set_up
            case Question.PORTS if self.service.in_service:
                orders = self._due_orders()
            case _:
                pass
        return DelcomRequest(
            address=self.address,
            question=_REPORTS[want.question],
            orders=orders,
            numbered=self._numbered,
            known=self._known if want.question is Question.DEVICE else b"",
        )

    def answered(self, answer: Answered[DelcomRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a question; return what is new."""
        del now_us
        self.service.answered()
        self.service.ask_at_once()
        data = answer.request.read(answer.raw)
        match self._asked:
            case Question.DEVICE:
                self._known = data
                self._next = Question.PRESSES
                return ()
            case Question.PRESSES:
                self._presses = read_presses(data)
                self._next = Question.PORTS
                return ()
            case Question.PORTS:
                return self._ports_read(data)
            case _:
                assert_never(self._asked)

    def unanswered(self, outcome: Unanswered[DelcomRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take that a question got no answer; whatever answers next, answers what the device is."""
        self._next = Question.DEVICE
        messages: tuple[WireMessage, ...] = self.service.news_of(outcome.fault(self.address))
        if self.service.in_service and self._asked is Question.PORTS:
            messages += self._leds.unreadable()
        if not self.service.failed():
            return messages
        reason = f"{self._name} does not answer: unplug it and plug it in again"
        return messages + self._leave(UnitSilent(address=self.address, reason=reason), now_us)

    def line_lost(self) -> tuple[UnitSilent, ...]:
        """Go out of service with the line: the device is unplugged, and another may come in its place."""
        self._forget()
        return self.service.lose_line(out_of_reach(self.address, self._name))

    def _due_orders(self) -> tuple[bytes, ...]:
        orders: tuple[bytes, ...] = ()
        if self._leds.write_due:
            on = self._leds.take_write()
            every = (1 << min(self._output_count, LEDS_MAX)) - 1
            lit = sum(1 << (channel - 1) for channel in on)
            orders += (write_order(Command.LEDS, lit, every & ~lit),)
        if self._beeper_due:
            self._beeper_due = False
            orders += (write_beeper(on=self._beeping, pitch=self._beeper_pitch),)
        return orders

    def _ports_read(self, data: bytes) -> tuple[WireMessage, ...]:
        ports = read_ports(data)
        pressed = self._has_switch and (SWITCH_PIN in ports.low_inputs) is self._active_low
        self._next = Question.PRESSES
        if not self.service.in_service:
            return self._contact(pressed=pressed)
        messages = self._switch_seen(pressed=pressed) if self._has_switch else ()
        lit = frozenset(pin + 1 for pin in ports.lit if pin < LEDS_MAX)
        return messages + self._leds.read_back(lit)

    def _switch_seen(self, *, pressed: bool) -> tuple[WireMessage, ...]:
        """Compare what the switch shows with what it showed, and both with the presses that were counted."""
        presses, self._presses = self._presses, _NO_PRESSES
        has_changed, was_doubtful = pressed is not self._pressed, self._count_is_doubtful
        self._pressed, self._count_is_doubtful = pressed, has_changed
        messages: tuple[WireMessage, ...] = ()
        if presses.overflown:
            reason = f"{self._name} has counted more presses than it can tell: poll it more often"
            messages = (ReportLost(address=self.address, reason=reason),)
        if has_changed:
            return (*messages, self._changed(active=pressed))
        if presses != _NO_PRESSES and not pressed and not was_doubtful:
            return (*messages, self._changed(active=True), self._changed(active=False))
        return messages

    def _contact(self, *, pressed: bool) -> tuple[WireMessage, ...]:
        """Go into service: all is known, and presses from before do not count."""
        self.service.enter()
        self._pressed = pressed
        self._presses = _NO_PRESSES
        self._count_is_doubtful = False
        self._leds.restore()
        self._beeper_due = self._output_count == BEEPER
        active = frozenset({SWITCH}) if pressed else frozenset[int]()
        return (UnitAnswering(address=self.address, active_inputs=active),)

    def _changed(self, *, active: bool) -> InputChanged:
        return InputChanged(address=self.address, channel=SWITCH, active=active)

    def _leave(self, out: Out, now_us: int) -> tuple[Out, ...]:
        self._forget()
        return self.service.leave(out, now_us)

    def _forget(self) -> None:
        """Begin anew with the question what the device is."""
        self._known = b""
        self._next = Question.DEVICE
        self._leds.forget()
