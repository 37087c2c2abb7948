"""Reports of a BlinkStick, which are all features: colours of its LEDs, and its mode.

    01 R G B                 LED 1
    05 channel index R G B   one LED, counted from 0
    06 channel G R B ...     LEDs 1 to 8; 07, 08 and 09 are 16, 32 and 64
    04 mode                  2 is LEDs one by one
    81 count                 how many LEDs there are

The number of a report stands in the control transfer; its first byte repeats it on one operating system, and
is 0 on another, in the maker's own driver, so a device does not look at it. Source: github
arvydas/blinkstick-python, blinkstick/blinkstick.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, assert_never

from bridge.wire.errors import FrameError, UnknownMessageError
from bridge.wire.spec import DeviceSpec

LEDS_MAX = 64
MODE_REPORT = 0x04
MODE_LENGTH = 2
LED_BY_LED = 2
"""The mode in which every LED has a colour of its own."""
COUNT_REPORT = 0x81
FIRST_LED_REPORT = 0x01
ONE_LED_REPORT = 0x05
STRIP_HEAD = 2
"""Report number and channel before the colours."""
_COLOUR_LENGTH = 3
STRIP_REPORTS: Mapping[int, int] = MappingProxyType({0x06: 8, 0x07: 16, 0x08: 32, 0x09: 64})
"""How many LEDs each report has."""
_LENGTHS: Mapping[int, int] = MappingProxyType(
    {FIRST_LED_REPORT: 4, ONE_LED_REPORT: 6, MODE_REPORT: MODE_LENGTH, COUNT_REPORT: 2}
    | {report: STRIP_HEAD + _COLOUR_LENGTH * leds for report, leds in STRIP_REPORTS.items()}
)


class Colour(NamedTuple):
    """What an LED shines in, 0 to 255 each."""

    red: int
    green: int
    blue: int

    def __str__(self) -> str:
        return f"{self.red:02X}{self.green:02X}{self.blue:02X}"


DARK = Colour(0, 0, 0)


@dataclass(frozen=True, slots=True)
class SetLeds:
    """Colours from one LED on, which counts from 1."""

    first: int
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode of the device."""

    number: int


@dataclass(frozen=True, slots=True)
class LedCount:
    """How many LEDs the device has."""

    leds: int


BlinkStickReport = SetLeds | Mode | LedCount


def strip_report(leds: int) -> int:
    """Return the number of the report that has so many LEDs, 1 to 64."""
    return next(report for report, room in STRIP_REPORTS.items() if leds <= room)


def report_length(report: int) -> int:
    """Return how long a report is, its number included."""
    return _LENGTHS[report]


def encode_strip(colours: Sequence[Colour]) -> bytes:
    """Return the report that gives each LED, from the first on, its colour; LEDs beyond are dark."""
    report = strip_report(len(colours))
    shown = b"".join(bytes((colour.green, colour.red, colour.blue)) for colour in colours)
    return bytes((report, 0)) + shown.ljust(report_length(report) - STRIP_HEAD, b"\x00")


def strip_colours(raw: bytes) -> tuple[Colour, ...]:
    """Return the colours of a report of many LEDs, the first LED first."""
    shown = (raw[at : at + _COLOUR_LENGTH] for at in range(STRIP_HEAD, len(raw), _COLOUR_LENGTH))
    return tuple(Colour(red, green, blue) for green, red, blue in shown)


def decode_report(report: int, raw: bytes) -> BlinkStickReport:
    """Return what a whole report of a number says, either way; raise ``FrameError`` for anything else."""
    if report not in _LENGTHS:
        raise UnknownMessageError(f"report {report:02X} is not one of colours, mode or count", raw)
    if len(raw) != _LENGTHS[report]:
        raise FrameError(f"report {report:02X} has {_LENGTHS[report]} bytes", raw)
    if report == MODE_REPORT:
        return Mode(raw[1])
    if report == COUNT_REPORT:
        return LedCount(raw[1])
    if report == FIRST_LED_REPORT:
        return SetLeds(1, (Colour(*raw[1:]),))
    if raw[1]:
        raise UnknownMessageError(f"channel {raw[1]}: only the first is spoken to", raw)
    if report == ONE_LED_REPORT:
        return SetLeds(raw[2] + 1, (Colour(*raw[3:]),))
    return SetLeds(1, strip_colours(raw))


def explain(raw: bytes, spec: DeviceSpec) -> str:  # noqa: ARG001 - what a report says is the same for every model
    """Say what one whole report means; raise ``FrameError`` for bytes that are none.

    A report with 0 instead of its number, as one operating system shows it, is known by its length.
    """
    by_length = {length: report for report, length in _LENGTHS.items() if report != COUNT_REPORT}
    report = (raw[0] or by_length.get(len(raw), 0)) if raw else 0
    said = decode_report(report, raw)
    match said:
        case SetLeds(first=first, colours=(colour,)):
            return f"LED {first}: {colour}"
        case SetLeds(colours=colours):
            lit = ", ".join(f"{led} {colour}" for led, colour in enumerate(colours, start=1) if colour != DARK)
            return f"LEDs 1-{len(colours)}: {lit or 'all dark'}"
        case Mode(number=number):
            return f"mode {number}{': LEDs one by one' if number == LED_BY_LED else ''}"
        case LedCount(leds=leds):
            return f"{leds} LEDs"
        case _:
            assert_never(said)
