"""A line of Modbus RTU input and output modules, polled by the bridge.

Several units may share the line (``polled_units``). What a frame says is printed in the language of
``modbus_text``. Frames: ``modbus_frames``; what one unit is asked and what its answers mean: ``modbus_unit``.
"""

from collections.abc import Mapping, Sequence

from bridge.wire.modbus_frames import (
    FRAME_LENGTH_MAX,
    ExceptionCode,
    Frame,
    Function,
    decode_frame,
    encode_frame,
    pack_channels,
    reply_length,
    request_length,
    unpack_channels,
)
from bridge.wire.modbus_map import REGISTER_BITS, InputKind
from bridge.wire.modbus_requests import ModbusRequest
from bridge.wire.modbus_text import explain
from bridge.wire.modbus_unit import ModbusUnit
from bridge.wire.polled_units import (
    QUIET,
    READ_BACK,
    REPLY_TIMEOUT,
    RETRIES,
    SILENT_POLL,
    PolledUnits,
    line_timing,
)
from bridge.wire.spec import ParameterRule, Parity, ProtocolFamily, SerialSettings, Unit

__all__ = [
    "FAMILY",
    "ExceptionCode",
    "Frame",
    "Function",
    "ModbusLine",
    "decode_frame",
    "encode_frame",
    "explain",
    "pack_channels",
    "reply_length",
    "request_length",
    "unpack_channels",
]

WIRE_ADDRESS_MAX = 0xFFFF
PARAMETERS: Mapping[str, ParameterRule] = {
    "poll_period_ms": ParameterRule(
        default=10,
        meaning="time between two polls of a unit's inputs; longer if the line is slower",
        maximum=10_000,
    ),
    "debounce_polls": ParameterRule(
        default=2, meaning="how many polls in a row must agree that an input changed", minimum=1, maximum=20
    ),
    "active_low": ParameterRule(default=False, meaning="an input is active while its bit is 0"),
    "inputs_are": ParameterRule(
        default=InputKind.DISCRETE_INPUTS.value,
        meaning="what inputs are read as: discrete inputs by function 2, registers by function 3 or 4",
        choices=tuple(kind.value for kind in InputKind),
    ),
    "inputs_from": ParameterRule(
        default=0,
        meaning="the wire address of input 1, or of its register, counted from 0",
        maximum=WIRE_ADDRESS_MAX,
    ),
    "register_inputs": ParameterRule(
        default=REGISTER_BITS,
        meaning="how many inputs a register holds, the first in its lowest bit; 1 if each has a register",
        minimum=1,
        maximum=REGISTER_BITS,
    ),
    "outputs_from": ParameterRule(
        default=0,
        meaning="the wire address of the coil that is output 1, counted from 0",
        maximum=WIRE_ADDRESS_MAX,
    ),
    "write_one_by_one": ParameterRule(
        default=False, meaning="write one coil at a time (function 5), for a board that lacks function 15"
    ),
    "read_back_ms": READ_BACK,
    "reply_timeout_ms": REPLY_TIMEOUT,
    "retries": RETRIES,
    "silent_poll_ms": SILENT_POLL,
    "check_output_modes": ParameterRule(
        default=True,
        meaning="refuse a module whose outputs follow its inputs (registers from 1000 hexadecimal on)",
    ),
    "quiet_ms": QUIET,
    "frame_gap_us": ParameterRule(
        default=0,
        meaning="silence to keep between an answer and the next request, for modules that lose requests "
        "without it; 3.5 characters are 3646 at 9600 baud",
        maximum=100_000,
    ),
}


class ModbusLine(PolledUnits[ModbusRequest, Function]):
    """The bridge's end of a Modbus line: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        gap_us = max((int(unit.spec.parameters["frame_gap_us"]) for unit in units), default=0)
        timing = line_timing(units, gap_us=gap_us)
        super().__init__([ModbusUnit(unit) for unit in units], timing, FRAME_LENGTH_MAX)


FAMILY = ProtocolFamily(
    name="modbus_rtu",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(1, 248),
    serial=SerialSettings(baud=9600, data_bits=8, parity=Parity.NONE, stop_bits=1),
    codec=ModbusLine,
    explain=explain,
)
