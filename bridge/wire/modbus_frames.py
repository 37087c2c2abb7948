"""Frames of Modbus RTU, as either end of the line writes and reads them.

A frame is unit, function, data, CRC-16/MODBUS with its low byte first. On the line a pause of 3.5
characters ends a frame; a computer cannot hear that pause, so both ends count instead: the function,
and for some functions a byte count, say how long a frame is. Source: MODBUS Application Protocol
Specification V1.1b3, section 6, and MODBUS over Serial Line V1.02, section 2.5.1.

Wire addresses count from 0. Channels count from 1, as printed on the terminals of a module.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum

from bridge.wire.checksums import crc16_modbus
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError

FRAME_LENGTH_MIN = 4
"""Unit, function and CRC around no data at all."""
FRAME_LENGTH_MAX = 256
"""Serial Line V1.02, section 2.3: the longest frame there is."""
BROADCAST = 0
"""The unit that every module hears and none answers."""
EXCEPTION_BIT = 0x80
"""Set in the function of a reply that refuses the request."""
EXCEPTION_LENGTH = 5
"""Unit, function, exception code, CRC."""
COIL_ON, COIL_OFF = 0xFF00, 0x0000
"""The values of a single coil."""
_FUNCTION_AT = 1


class Function(IntEnum):
    """The functions that the bridge and its simulated modules speak."""

    READ_COILS = 1
    READ_DISCRETE_INPUTS = 2
    READ_HOLDING_REGISTERS = 3
    READ_INPUT_REGISTERS = 4
    WRITE_SINGLE_COIL = 5
    WRITE_MULTIPLE_COILS = 15
    WRITE_MULTIPLE_REGISTERS = 16


class ExceptionCode(IntEnum):
    """Why a unit refuses a request."""

    ILLEGAL_FUNCTION = 1
    ILLEGAL_DATA_ADDRESS = 2
    ILLEGAL_DATA_VALUE = 3
    DEVICE_FAILURE = 4
    ACKNOWLEDGE = 5
    DEVICE_BUSY = 6


READS_REGISTERS = frozenset({Function.READ_HOLDING_REGISTERS, Function.READ_INPUT_REGISTERS})
_READS = READS_REGISTERS | {Function.READ_COILS, Function.READ_DISCRETE_INPUTS}
_COUNTED_WRITES = frozenset({Function.WRITE_MULTIPLE_COILS, Function.WRITE_MULTIPLE_REGISTERS})
_WRITES = _COUNTED_WRITES | {Function.WRITE_SINGLE_COIL}


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame whose CRC was right. ``function`` may be one that ``Function`` does not list."""

    unit: int
    function: int
    data: bytes

    @property
    def is_exception(self) -> bool:
        """Say whether this is the reply of a unit that refuses."""
        return self.function & EXCEPTION_BIT != 0


def encode_frame(unit: int, function: int, data: bytes) -> bytes:
    """Return the bytes of a frame, CRC included."""
    body = bytes((unit, function)) + data
    return body + crc16_modbus(body).to_bytes(2, "little")


def decode_frame(raw: bytes) -> Frame:
    """Return what a whole frame says; raise ``FrameError``, or ``ChecksumError`` for a wrong CRC."""
    if not FRAME_LENGTH_MIN <= len(raw) <= FRAME_LENGTH_MAX:
        raise FrameError(f"a Modbus frame has {FRAME_LENGTH_MIN} to {FRAME_LENGTH_MAX} bytes", raw)
    body, got = raw[:-2], int.from_bytes(raw[-2:], "little")
    expected = crc16_modbus(body)
    if got != expected:
        raise ChecksumError(raw, expected=f"{expected:04X}", got=f"{got:04X}")
    return Frame(body[0], body[1], body[2:])


def request_length(buffer: bytes) -> int | None:
    """Return how long the request at the start of ``buffer`` is, or None while it cannot be told yet.

    For the unit's end of the line. Raises ``UnknownMessageError`` for a function whose length is not
    known: the only way on is to wait until the line is quiet.
    """
    if len(buffer) <= _FUNCTION_AT:
        return None
    function = buffer[_FUNCTION_AT]
    if function in _COUNTED_WRITES:
        return _counted(buffer, at=6)
    if function in _READS or function == Function.WRITE_SINGLE_COIL:
        return 8
    raise UnknownMessageError(f"function {function} is not one that is spoken here", buffer)


def reply_length(buffer: bytes) -> int | None:
    """Return how long the reply at the start of ``buffer`` is, or None while it cannot be told yet.

    For the master's end of the line. Raises ``UnknownMessageError`` like ``request_length``.
    """
    if len(buffer) <= _FUNCTION_AT:
        return None
    function = buffer[_FUNCTION_AT]
    if function & EXCEPTION_BIT:
        return EXCEPTION_LENGTH
    if function in _READS:
        return _counted(buffer, at=2)
    if function in _WRITES:
        return 8
    raise UnknownMessageError(f"function {function} is not one that is spoken here", buffer)


def _counted(buffer: bytes, *, at: int) -> int | None:
    if len(buffer) <= at:
        return None
    length = at + 1 + buffer[at] + 2
    if length > FRAME_LENGTH_MAX:
        raise FrameError(
            f"a byte count of {buffer[at]} makes a frame longer than {FRAME_LENGTH_MAX} bytes", buffer
        )
    return length


def encode_read(unit: int, function: Function, start: int, count: int) -> bytes:
    """Return a request for ``count`` coils, inputs or registers from the wire address ``start``."""
    return encode_frame(unit, function, start.to_bytes(2, "big") + count.to_bytes(2, "big"))


def encode_write_coil(unit: int, address: int, *, on: bool) -> bytes:
    """Return a request that sets the coil at a wire address."""
    value = COIL_ON if on else COIL_OFF
    return encode_frame(unit, Function.WRITE_SINGLE_COIL, address.to_bytes(2, "big") + value.to_bytes(2, "big"))


def encode_write_coils(unit: int, count: int, active: Collection[int], *, start: int = 0) -> bytes:
    """Return a request that sets the channels 1 to ``count``: those in ``active`` on, the others off.

    Channel 1 is the coil at the wire address ``start``.
    """
    mask = pack_channels(active, count)
    data = start.to_bytes(2, "big") + count.to_bytes(2, "big") + bytes((len(mask),)) + mask
    return encode_frame(unit, Function.WRITE_MULTIPLE_COILS, data)


def pack_channels(active: Collection[int], count: int) -> bytes:
    """Return the bits of channels 1 to ``count``: channel 1 is bit 0 of the first byte, unused bits are 0."""
    bits = sum(1 << (channel - 1) for channel in range(1, count + 1) if channel in active)
    return bits.to_bytes((count + 7) // 8, "little")


def unpack_channels(data: bytes, count: int) -> frozenset[int]:
    """Return which of the channels 1 to ``count`` are set; bits beyond ``count`` are padding."""
    bits = int.from_bytes(data, "little")
    return frozenset(channel for channel in range(1, count + 1) if bits >> (channel - 1) & 1)
