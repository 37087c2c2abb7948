"""Say in one line what a report of a Delcom indicator means, for the examples of a profile and for people.

An answer is written with the number of what was asked before it. The language; LEDs count from 1, as the outputs
of the profile do:

    order LEDs: 1 on, 2, 3 off             none of either is left out
    order flashing: 2 on, 1, 3 off
    order synchronise: 1, 2, 3
    order brightness of LED 1: 80 %
    order count presses: of the switch     ``of pins 0, 3`` of others, ``of nothing``
    order beeper: on, pitch 4              off
    order on a press: beep, put out LEDs   ``nothing``
    ports: switch pressed, 1, 3 lit        ``switch up, none lit``; with active_low off the other way round
    presses: 3                             ``presses: 3, and more than could be counted``
    device 12345678: firmware 58 of 2019-11-05
"""

from typing import assert_never

from bridge.wire.delcom_reports import (
    BEEP_ON_PRESS,
    CLEAR_ON_PRESS,
    COMMAND,
    DEVICE,
    LONG_COMMAND,
    PORTS,
    PRESSES,
    SWITCH_PIN,
    Command,
    Order,
    read_identity,
    read_order,
    read_ports,
    read_presses,
)
from bridge.wire.errors import FrameError
from bridge.wire.spec import DeviceSpec


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Return the line for one whole report; raise ``FrameError`` for bytes that are none."""
    if not raw:
        raise FrameError("a report begins with its number", raw)
    number, answer = raw[0], raw[1:]
    if number in {COMMAND, LONG_COMMAND}:
        return f"order {_order(read_order(raw))}"
    if number == PORTS:
        ports = read_ports(answer)
        pressed = (SWITCH_PIN in ports.low_inputs) is (spec.parameters["active_low"] is True)
        return f"ports: switch {'pressed' if pressed else 'up'}, {_leds(ports.lit) or 'none'} lit"
    if number == PRESSES:
        presses = read_presses(answer)
        return f"presses: {presses.count}{', and more than could be counted' * presses.overflown}"
    if number == DEVICE:
        device = read_identity(answer)
        dated = f"{device.year}-{device.month:02}-{device.day:02}"
        return f"device {device.serial_number}: firmware {device.firmware} of {dated}"
    raise FrameError(f"a device has no report {number} that is known here", raw)


def _order(order: Order) -> str:
    low, high = _pins(order.low), _pins(order.high)
    match order.command:
        case Command.LEDS:
            return f"LEDs: {_either(low, 'on', high, 'off')}"
        case Command.FLASHING:
            return f"flashing: {_either(high, 'on', low, 'off')}"
        case Command.SYNCHRONISE:
            return f"synchronise: {_leds(low) or 'none'}"
        case Command.BRIGHTNESS:
            return f"brightness of LED {order.low + 1}: {order.high} %"
        case Command.COUNT_PRESSES:
            return f"count presses: {_counted(low)}"
        case Command.BEEPER:
            return f"beeper: on, pitch {order.high}" if order.low else "beeper: off"
        case Command.ON_PRESS:
            said = [
                what
                for bit, what in ((BEEP_ON_PRESS, "beep"), (CLEAR_ON_PRESS, "put out LEDs"))
                if order.low & bit
            ]
            return f"on a press: {', '.join(said) or 'nothing'}"
        case _:
            assert_never(order.command)


def _either(first: frozenset[int], one: str, second: frozenset[int], other: str) -> str:
    said = [f"{_leds(pins)} {what}" for pins, what in ((first, one), (second, other)) if pins]
    return ", ".join(said) or "none"


def _counted(pins: frozenset[int]) -> str:
    if pins == {SWITCH_PIN}:
        return "of the switch"
    return f"of pins {', '.join(map(str, sorted(pins)))}" if pins else "of nothing"


def _leds(pins: frozenset[int]) -> str:
    return ", ".join(str(pin + 1) for pin in sorted(pins))


def _pins(operand: int) -> frozenset[int]:
    return frozenset(pin for pin in range(8) if operand >> pin & 1)
