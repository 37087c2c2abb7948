"""Say in one line what a Modbus frame means, for the examples of a profile and for people.

The language; channels count from 1, register addresses are hexadecimal, register values decimal:

    unit 1 request read_discrete_inputs: 1-8
    unit 1 reply read_discrete_inputs: 6 on              several: ``1, 6 on``; none: ``none on``
    unit 1 request write_multiple_coils: 1-8, 2, 7 on    none: ``1-8, none on``
    unit 1 reply write_multiple_coils: 1-8
    unit 1 write_single_coil: 6 on                       request and reply are the same bytes
    unit 1 write_single_coil: address 0200 value 0007    an address that is no output of the model
    unit 1 request read_holding_registers: 8 from 1000
    unit 1 reply read_holding_registers: 0, 0, 0, 0, 0, 0, 0, 0
    unit 1 request write_multiple_registers: 1, 1 from 1000
    unit 1 reply write_multiple_registers: 2 from 1000
    unit 1 refuses write_single_coil: illegal data value

Channel 1 is where the profile has it (``inputs_from``, ``outputs_from``); what lies before it is told like
registers, as ``8 from 0000``. A reply that carries bits does not say which channel the first bit is: it is taken
to be channel 1, which is what the bridge asks for.
"""

from typing import assert_never

from bridge.wire.errors import FrameError, UnknownMessageError
from bridge.wire.modbus_frames import (
    COIL_OFF,
    COIL_ON,
    EXCEPTION_BIT,
    READS_REGISTERS,
    ExceptionCode,
    Frame,
    Function,
    decode_frame,
    unpack_channels,
)
from bridge.wire.modbus_map import map_of
from bridge.wire.spec import DeviceSpec

_ADDRESS_AND_COUNT = 4


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Return the line for one whole frame; raise ``FrameError`` for bytes that are none."""
    frame = decode_frame(raw)
    try:
        function = Function(frame.function & ~EXCEPTION_BIT)
    except ValueError:
        raise UnknownMessageError(f"function {frame.function} is not one that is spoken here", raw) from None
    if frame.is_exception:
        return f"unit {frame.unit} refuses {function_name(function)}: {_refusal(frame, raw)}"
    match function:
        case (
            Function.READ_COILS
            | Function.READ_DISCRETE_INPUTS
            | Function.READ_HOLDING_REGISTERS
            | Function.READ_INPUT_REGISTERS
        ):
            said = _read(function, frame.data, _first_at(function, spec))
        case Function.WRITE_SINGLE_COIL:
            said = _single_coil(frame.data, _first_at(function, spec), spec.outputs)
        case Function.WRITE_MULTIPLE_COILS | Function.WRITE_MULTIPLE_REGISTERS:
            said = _write(function, frame.data, _first_at(function, spec))
        case _:
            assert_never(function)
    if said is None:
        raise FrameError(f"neither a request nor a reply of {function_name(function)}", raw)
    return f"unit {frame.unit} {said}"


def function_name(function: int) -> str:
    """Return the name of a function as it is printed: ``read_coils``; its number if it has none here."""
    try:
        return Function(function).name.lower()
    except ValueError:
        return f"function {function}"


def exception_name(code: int) -> str:
    """Return the meaning of an exception code: ``illegal data value``; its number if it has none here."""
    try:
        return ExceptionCode(code).name.lower().replace("_", " ")
    except ValueError:
        return f"exception {code}"


def _refusal(frame: Frame, raw: bytes) -> str:
    if len(frame.data) != 1:
        raise FrameError("a refusal has one byte of reason", raw)
    return exception_name(frame.data[0])


def _first_at(function: Function, spec: DeviceSpec) -> int:
    """Return the wire address of channel 1 of what a function reads or writes."""
    places = map_of(spec)
    return places.inputs_from if function is Function.READ_DISCRETE_INPUTS else places.outputs_from


def _read(function: Function, data: bytes, first_at: int) -> str | None:
    name = function_name(function)
    registers = function in READS_REGISTERS
    if data and data[0] == len(data) - 1 and not (registers and data[0] % 2):
        return f"reply {name}: {_values(data[1:]) if registers else _on(data[1:], 8 * data[0])}"
    if len(data) == _ADDRESS_AND_COUNT:
        return f"request {name}: {_range(data, first_at, registers=registers)}"
    return None


def _write(function: Function, data: bytes, first_at: int) -> str | None:
    name = function_name(function)
    registers = function is Function.WRITE_MULTIPLE_REGISTERS
    if len(data) == _ADDRESS_AND_COUNT:
        return f"reply {name}: {_range(data, first_at, registers=registers)}"
    if len(data) <= _ADDRESS_AND_COUNT:
        return None
    start, count = _address_and_count(data)
    values = data[_ADDRESS_AND_COUNT + 1 :]
    if not len(values) == data[_ADDRESS_AND_COUNT] == (2 * count if registers else (count + 7) // 8):
        return None
    if registers:
        return f"request {name}: {_values(values)} from {start:04X}"
    first = max(1, start - first_at + 1)
    return f"request {name}: {_range(data, first_at, registers=False)}, {_on(values, count, first=first)}"


def _single_coil(data: bytes, first_at: int, outputs: int) -> str | None:
    if len(data) != _ADDRESS_AND_COUNT:
        return None
    address, value = _address_and_count(data)
    if 0 <= address - first_at < outputs and value in {COIL_ON, COIL_OFF}:
        return f"write_single_coil: {address - first_at + 1} {'on' if value == COIL_ON else 'off'}"
    return f"write_single_coil: address {address:04X} value {value:04X}"


def _address_and_count(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[:2], "big"), int.from_bytes(data[2:4], "big")


def _range(data: bytes, first_at: int, *, registers: bool) -> str:
    start, count = _address_and_count(data)
    if registers or start < first_at:
        return f"{count} from {start:04X}"
    return f"{start - first_at + 1}-{start - first_at + count}"


def _values(data: bytes) -> str:
    return ", ".join(str(int.from_bytes(data[at : at + 2], "big")) for at in range(0, len(data), 2))


def _on(data: bytes, count: int, *, first: int = 1) -> str:
    channels = ", ".join(str(first - 1 + channel) for channel in sorted(unpack_channels(data, count)))
    return f"{channels or 'none'} on"
