"""Say in one line what a report of an X-keys panel means, for the examples of a profile and for people.

The language; keys and lamps count as the channels of the profile do:

    panel 10: 1, 7 active, 116203 ms            none: ``none active``; asked for: ``panel 10 answers: ...``
    panel 10: 1 active, program switch, 116203 ms
    panel 10: firmware 17, product 1029
    tell the state                              generate data
    tell firmware and product
    lamp 1 on                                   off, flashing; by its place where no key is: ``lamp at 60 on``
    green indicator flashing                    red; others by number: ``indicator 5 on``
    blue lamps at 255                           red; all at once
    flash rate 127
    intensity 100, 100
    write the unit id 42 to EEPROM
    write the lamps at power-up to EEPROM
    restart
"""

from enum import IntEnum
from typing import assert_never

from bridge.wire.errors import FrameError, LineSetupError, UnknownMessageError
from bridge.wire.spec import DeviceSpec
from bridge.wire.xkeys_reports import (
    GREEN_LED,
    OUTPUT_LENGTH,
    RED_LED,
    Command,
    Descriptor,
    Layout,
    Mode,
    PanelState,
    layout_of,
    light,
    read_input,
)

_FIRST_COMMAND = 0xB0


class NeverSent(IntEnum):
    """Commands that are read here, and that the bridge never sends."""

    FLASH_RATE = 0xB4
    INTENSITY = 0xBB
    UNIT_ID = 0xBD
    SAVE_LAMPS = 0xC7
    RESTART = 0xEE


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Return the line for one whole report; raise ``FrameError`` for bytes that are none.

    An output report has 35 bytes, or 36 with the 0 before it that stands for a report without number.
    """
    try:
        layout = layout_of(spec)
    except LineSetupError as error:
        raise FrameError(str(error), raw) from error
    if len(raw) == OUTPUT_LENGTH:
        return _output(raw, layout)
    if len(raw) == 1 + OUTPUT_LENGTH and not raw[0] and raw[1] >= _FIRST_COMMAND and not _is_descriptor(raw[1:]):
        return _output(raw[1:], layout)
    said = read_input(raw, layout)
    match said:
        case PanelState():
            keys = ", ".join(map(str, sorted(said.active))) or "none"
            switch = ", program switch" if said.program_switch else ""
            return (
                f"panel {said.unit_id}{' answers' * said.answered}: {keys} active{switch}, {said.timestamp_ms} ms"
            )
        case Descriptor():
            return f"panel {said.unit_id}: firmware {said.firmware}, product {said.product}"
        case _:
            assert_never(said)


def _is_descriptor(raw: bytes) -> bool:
    """Say whether this is the answer to a question, and not the question, which has nothing behind it."""
    return raw[0] == Command.DESCRIPTOR and any(raw[1:])


def _output(raw: bytes, layout: Layout) -> str:
    command, first, second, *_ = raw
    match command:
        case Command.GENERATE:
            return "tell the state"
        case Command.DESCRIPTOR:
            return "tell firmware and product"
        case Command.INDICATOR:
            led = {GREEN_LED: "green indicator", RED_LED: "red indicator"}.get(first, f"indicator {first}")
            return f"{led} {_mode(second, raw)}"
        case Command.BACKLIGHT:
            return f"{_lamp(first, layout)} {_mode(second, raw)}"
        case Command.BACKLIGHTS:
            return f"{'red' if first else 'blue'} lamps at {second}"
        case NeverSent.FLASH_RATE:
            return f"flash rate {first}"
        case NeverSent.INTENSITY:
            return f"intensity {first}, {second}"
        case NeverSent.UNIT_ID:
            return f"write the unit id {first} to EEPROM"
        case NeverSent.SAVE_LAMPS:
            return "write the lamps at power-up to EEPROM"
        case NeverSent.RESTART:
            return "restart"
        case _:
            raise UnknownMessageError(f"command {command:02X} is not one that is known here", raw)


def _lamp(place: int, layout: Layout) -> str:
    keys = layout.lamps - 2 * layout.indicators
    for lamp in range(1, keys + 1):
        if light(lamp, Mode.OFF, layout)[1] == place:
            return f"lamp {lamp}"
    return f"lamp at {place}"


def _mode(value: int, raw: bytes) -> str:
    try:
        return Mode(value).name.lower()
    except ValueError:
        raise FrameError(f"a lamp is off, on or flashing, and not {value}", raw) from None
