"""A Delcom USB indicator with a switch, as the computer sees it through its feature reports.

The behaviour is that of the maker's sample and of public drivers: pins are active low; presses are counted once
counting is switched on, and reading the count sets it to 0; a press may beep or put out the LEDs by itself. Power
lost is LEDs out and counting off. The stream carries reports as records (``hid_reports``).
"""

from collections.abc import Callable

from bridge.wire.delcom_reports import (
    CLEAR_ON_PRESS,
    DEVICE,
    LEDS_MAX,
    PORTS,
    PRESSES,
    SWITCH_PIN,
    Command,
    Identity,
    Order,
    Ports,
    Presses,
    read_order,
    write_identity,
    write_ports,
    write_presses,
)
from bridge.wire.errors import FrameError
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from simulators.device import Channels, Reaction, Signal, Utterance

COUNT_MAX = 0xFFFFFFFF
BEEPER = LEDS_MAX + 1


class DelcomButton:
    """One button: the switch is its input, LEDs and beeper are its outputs."""

    def __init__(self, *, serial_number: int = 1, active_low: bool = True, numbered_answers: bool = False) -> None:
        self.inputs = Channels(1)
        self.outputs = Channels(BEEPER)
        self.presses = 0
        """What it would answer now; to be set by whoever wants to see it overflow."""
        self.brown_out_above: int | None = None
        """How many LEDs at full power the cable carries before the device resets; None for a short one."""
        self.hanging = False
        """True for a device that answers nothing, and is still on the bus."""
        self._identity = Identity(serial_number=serial_number, firmware=58, day=5, month=11, year=2019)
        self._active_low = active_low
        self._numbered = numbered_answers
        self._brightness = dict.fromkeys(range(LEDS_MAX), 80)
        self._counting = False
        self._clear_on_press = False
        self._reader = ReportReader()
        self._polls = 0
        self._polled = Signal()
        self.inputs.also_notify(Reaction(self._switched))

    async def until_polled(self, times: int) -> None:
        """Wait until the ports were asked for, and answered, so many more times."""
        target = self._polls + times
        await self._polled.until(lambda: self._polls >= target)

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Take note of nothing: a button never speaks unasked."""

    def tap(self) -> None:
        """Press the switch and let it go at once."""
        self.inputs.set(1, active=True)
        self.inputs.set(1, active=False)

    def power_cycle(self) -> None:
        """Start afresh: nothing is lit, nothing is counted."""
        self._reader.forget()
        self.presses = 0
        self._counting = self._clear_on_press = False
        self._brightness = dict.fromkeys(range(LEDS_MAX), 80)
        self.outputs.replace(frozenset())

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Do what feature reports say, and answer those that are asked for."""
        reports, _ = self._reader.receive_data(data)
        said = []
        for report in reports:
            if report.kind is ReportKind.FEATURE:
                self._take(report.data)
            elif report.kind is ReportKind.FEATURE_REQUEST and report.data and not self.hanging:
                number = report.data[0]
                answer = self._answer(number)
                if answer:
                    numbered = bytes((number,)) + answer if self._numbered else answer
                    said.append(Utterance(pack(Report(ReportKind.FEATURE, numbered))))
        return tuple(said)

    def _take(self, data: bytes) -> None:
        try:
            self._obey(read_order(data))
        except FrameError:
            return  # a device stalls, and goes on as it was

    def _obey(self, order: Order) -> None:
        match order.command:
            case Command.LEDS:
                raised, low = _channels(order.high), _channels(order.low)
                self.outputs.replace((self.outputs.active - raised) | low)
                self._brown_out()
            case Command.BRIGHTNESS if order.low in self._brightness:
                self._brightness[order.low] = order.high
            case Command.COUNT_PRESSES:
                self._counting = order.low & 1 << SWITCH_PIN != 0
            case Command.ON_PRESS:
                self._clear_on_press = order.low & CLEAR_ON_PRESS != 0
            case Command.BEEPER:
                self.outputs.set(BEEPER, active=order.low == 1)
            case _:
                pass

    def _answer(self, number: int) -> bytes:
        if number == PORTS:
            self._polls += 1
            self._polled.notify()
            down = bool(self.inputs.active) is self._active_low
            lit = frozenset(channel - 1 for channel in self.outputs.active if channel != BEEPER)
            return write_ports(Ports(low_inputs=frozenset({SWITCH_PIN} if down else ()), lit=lit))
        if number == PRESSES:
            counted, self.presses = self.presses, 0
            return write_presses(Presses(count=min(counted, COUNT_MAX), overflown=counted > COUNT_MAX))
        return write_identity(self._identity) if number == DEVICE else b""

    def _switched(self) -> None:
        if self.inputs.active:
            self.presses += self._counting
            if self._clear_on_press:
                self.outputs.replace(self.outputs.active & {BEEPER})

    def _brown_out(self) -> None:
        full = [
            channel
            for channel in self.outputs.active
            if channel != BEEPER and self._brightness[channel - 1] == 100  # noqa: PLR2004 - per cent
        ]
        if self.brown_out_above is not None and len(full) > self.brown_out_above:
            self.power_cycle()


def _channels(operand: int) -> frozenset[int]:
    return frozenset(pin + 1 for pin in range(LEDS_MAX) if operand >> pin & 1)
