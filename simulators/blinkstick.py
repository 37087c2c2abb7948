"""A BlinkStick: LEDs on USB, which are told their colours and say them when asked.

What travels are records of feature reports. A real device refuses a report that it has not with a stall, which
ends the transfer; here it is met with silence. It looks at the number in the control transfer, not at the first
byte of the report.
"""

from collections.abc import Callable
from typing import assert_never

from bridge.wire.blinkstick_reports import (
    COUNT_REPORT,
    DARK,
    FIRST_LED_REPORT,
    LED_BY_LED,
    MODE_REPORT,
    STRIP_REPORTS,
    Colour,
    LedCount,
    Mode,
    SetLeds,
    decode_report,
    encode_strip,
)
from bridge.wire.errors import FrameError
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from simulators.device import Channels, NoSuchChannelError, Signal, Utterance


class BlinkStick:
    """One device: a ``SimulatedLine`` with LEDs to look at."""

    def __init__(self, leds: int = 8, *, mode: int = LED_BY_LED) -> None:
        self.inputs = Channels(0)
        self.outputs = Channels(leds)
        """Which LEDs shine, in whatever colour."""
        self.mode = mode
        """Kept over a loss of power, like a name that somebody gave the device."""
        self._colours = [DARK] * leds
        self._stuck: dict[int, Colour] = {}
        self._reader = ReportReader()
        self._reads = 0
        self._read = Signal()

    @property
    def colours(self) -> tuple[Colour, ...]:
        """What the LEDs shine in, the first one first."""
        return tuple(self._stuck.get(led, colour) for led, colour in enumerate(self._colours, start=1))

    async def until_polled(self, times: int) -> None:
        """Wait until the LEDs were read back so many more times."""
        target = self._reads + times
        await self._read.until(lambda: self._reads >= target)

    def stick(self, led: int, colour: Colour = DARK) -> None:
        """Let an LED be broken: it stays in one colour whatever it is told."""
        if not 1 <= led <= len(self._colours):
            raise NoSuchChannelError(f"LED {led}: this device has LEDs 1 to {len(self._colours)}")
        self._stuck[led] = colour
        self._shine()

    def set_by_another(self, led: int, colour: Colour) -> None:
        """Let another program set the colour of an LED."""
        self._colours[led - 1] = colour
        self._shine()

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Take note of nothing: the device never speaks unasked."""

    def power_cycle(self) -> None:
        """Lose power and get it back: every LED is dark."""
        self._reader.forget()
        self._colours = [DARK] * len(self._colours)
        self._shine()

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Take records from the host; return the features that it asks for."""
        reports, _ = self._reader.receive_data(data)
        answers = (self._take(report) for report in reports)
        return tuple(
            Utterance(pack(Report(ReportKind.FEATURE, answer))) for answer in answers if answer is not None
        )

    def _take(self, report: Report) -> bytes | None:
        match report.kind:
            case ReportKind.FEATURE if report.data:
                self._obey(report.data)
            case ReportKind.FEATURE_REQUEST if report.data:
                return self._feature(report.data[0])
            case _:
                pass
        return None

    def _obey(self, data: bytes) -> None:
        try:
            told = decode_report(data[0], data)
        except FrameError:
            return
        match told:
            case SetLeds(first=first, colours=colours):
                room = len(self._colours) - first + 1
                for led, colour in enumerate(colours[: max(0, room)], start=first):
                    self._colours[led - 1] = colour
                self._shine()
            case Mode(number=number):
                self.mode = number
            case LedCount():
                pass  # how many there are is soldered here
            case _:
                assert_never(told)

    def _feature(self, report: int) -> bytes | None:
        if report == MODE_REPORT:
            return bytes((report, self.mode))
        if report == COUNT_REPORT:
            return bytes((report, len(self._colours)))
        if report == FIRST_LED_REPORT:
            return bytes((report, *self.colours[0]))
        if report in STRIP_REPORTS:
            room = STRIP_REPORTS[report]
            self._reads += 1
            self._read.notify()
            shown = [*self.colours, *[DARK] * room][:room]
            return encode_strip(shown)
        return None

    def _shine(self) -> None:
        self.outputs.replace(frozenset(led for led, colour in enumerate(self.colours, start=1) if colour != DARK))
