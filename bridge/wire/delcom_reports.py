"""Feature reports of Delcom USB indicators with a switch, as either end of the cable writes and reads them.

A device is told what to do by the features 101 (8 bytes) and 102 (16 bytes): the number, a command, its low and
its high operand. It is asked by the features 100 (its ports), 8 (presses counted since it was last asked) and 10
(what it is); the answers do not begin with their number, though one public note shows some that do. Pin 0 of port
0 is the switch, port 1 has the LEDs. Pins are active low: an LED that is on, and a switch that is pressed, is a 0.
Sources: delcom/DelcomWebHID, a C++ header confirmed on firmware 58, SouthsideSoftware/delcom-indicator.
"""

from dataclasses import dataclass
from enum import IntEnum

from bridge.wire.errors import FrameError, UnknownMessageError

COMMAND, LONG_COMMAND = 101, 102
PORTS, PRESSES, DEVICE = 100, 8, 10
ANSWER_LENGTH = 8
_LENGTHS = {COMMAND: 8, LONG_COMMAND: 16}
LEDS_MAX = 3
LED_PINS = 0b1111
"""The pins of port 1 that can flash; flashing is switched off at all of them."""
SWITCH_PIN = 0
OVERFLOW = 0xFF
_DAYS, _MONTHS = range(1, 32), range(1, 13)


class Command(IntEnum):
    """What a device may be told."""

    LEDS = 12
    """Low operand: pins to pull low, which lights an LED; high operand: pins to raise."""
    FLASHING = 20
    """Low operand: pins that are to be steady; high operand: pins that are to flash."""
    SYNCHRONISE = 25
    BRIGHTNESS = 34
    """Low operand: the pin; high operand: per cent."""
    COUNT_PRESSES = 38
    """Low operand: the pins of port 0 whose events are counted."""
    BEEPER = 70
    """Low operand: on or off; high operand: pitch. Its repetitions are in the long form."""
    ON_PRESS = 72
    """Low operand: bit 7 beeps at a press, bit 6 puts out every LED at one."""


BEEP_ON_PRESS, CLEAR_ON_PRESS = 0x80, 0x40


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What the pins show."""

    low_inputs: frozenset[int]
    """Pins of port 0 that are pulled low, from 0."""
    lit: frozenset[int]
    """LEDs that are on: pins of port 1, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presses:
    """How often the switch was pressed since the last time it was asked; asking sets it to 0."""

    count: int
    overflown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a device is."""

    serial_number: int
    firmware: int
    day: int
    month: int
    year: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A command with its operands."""

    command: Command
    low: int
    high: int


def write_order(command: Command, low: int = 0, high: int = 0) -> bytes:
    """Return the feature report of a command."""
    return bytes((COMMAND, command, low, high)).ljust(_LENGTHS[COMMAND], b"\x00")


def write_beeper(*, on: bool, pitch: int) -> bytes:
    """Return the feature report that lets the beeper sound until it is switched off; pitch in 256 us."""
    return bytes((LONG_COMMAND, Command.BEEPER, on, pitch if on else 0)).ljust(_LENGTHS[LONG_COMMAND], b"\x00")


def read_order(data: bytes) -> Order:
    """Return what a feature report to a device says; raise ``FrameError`` for bytes that are none."""
    if not data or len(data) != _LENGTHS.get(data[0]):
        raise FrameError("an order has 8 bytes and begins with 65, or 16 and begins with 66", data)
    if data[1] not in list(Command):
        raise UnknownMessageError(f"command {data[1]} is not one that is known here", data)
    return Order(command=Command(data[1]), low=data[2], high=data[3])


def read_ports(answer: bytes) -> Ports:
    """Return what the answer to feature 100 says."""
    _check(answer)
    return Ports(low_inputs=_low_pins(answer[0]), lit=_low_pins(answer[1]))


def write_ports(ports: Ports) -> bytes:
    """Return the answer to feature 100; for the device's end of the cable."""
    return bytes((_raised(ports.low_inputs), _raised(ports.lit), 0, 0xFF)).ljust(ANSWER_LENGTH, b"\x00")


def read_presses(answer: bytes) -> Presses:
    """Return what the answer to feature 8 says."""
    _check(answer)
    return Presses(count=int.from_bytes(answer[:4], "little"), overflown=answer[4] == OVERFLOW)


def write_presses(presses: Presses) -> bytes:
    """Return the answer to feature 8; for the device's end of the cable."""
    counted = presses.count.to_bytes(4, "little")
    return (counted + bytes((OVERFLOW if presses.overflown else 0,))).ljust(ANSWER_LENGTH, b"\x00")


def read_identity(answer: bytes) -> Identity:
    """Return what the answer to feature 10 says; raise ``FrameError`` if it has no firmware of a day in a year."""
    _check(answer)
    firmware, day, month, year = answer[4:]
    if not firmware or day not in _DAYS or month not in _MONTHS:
        raise FrameError("a firmware is of a version, a day and a month", answer)
    number = int.from_bytes(answer[:4], "little")
    return Identity(serial_number=number, firmware=firmware, day=day, month=month, year=2000 + year)


def write_identity(identity: Identity) -> bytes:
    """Return the answer to feature 10; for the device's end of the cable."""
    dated = bytes((identity.firmware, identity.day, identity.month, identity.year - 2000))
    return identity.serial_number.to_bytes(4, "little") + dated


def _check(answer: bytes) -> None:
    if len(answer) != ANSWER_LENGTH:
        raise FrameError(f"an answer has {ANSWER_LENGTH} bytes", answer)


def _low_pins(port: int) -> frozenset[int]:
    return frozenset(pin for pin in range(8) if not port >> pin & 1)


def _raised(low: frozenset[int]) -> int:
    return 0xFF & ~sum(1 << pin for pin in low)
