"""Frames of RapidRadio RRHFOEM04 readers, as either end writes and reads them.

    request    length command command data crc crc
    answer     length command command error error data crc crc

The length counts everything but the CRC, which has its high byte first. Over USB a frame stands at the beginning
of a HID report of 64 bytes, without a report number; the firmware does not clear what follows it. Over TCP it
stands alone. Source: github ajxv/rrhfoem04-lib, docs/CommunicationProtocolExtracted.md and src/rrhfoem04.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from bridge.wire.checksums import crc16_rapidradio
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError

REPORT_LENGTH = 64
CRC_LENGTH = 2
UID_LENGTH = 8
PAGE = 7
"""How many chips one report has room for."""
NO_ERROR = b"\x00\x00"
FAILURE = b"\xff\xff"
"""No chip, or no success: the reader has no other error."""
_HEAD = 3
"""Length and command."""
_ERROR_LENGTH = 2


class ReaderCommand(IntEnum):
    """What a reader can be asked that tells of ISO 15693 chips, and whether it is there."""

    INFO = 0xF000
    BEEP = 0xF001
    NEXT_FRAME = 0xF002
    SINGLE_SLOT_INVENTORY = 0x1001
    SLOTS_16_INVENTORY = 0x1002
    FULL_INVENTORY = 0x1F01


FLAGS: Mapping[ReaderCommand, bytes] = MappingProxyType(
    {
        ReaderCommand.SINGLE_SLOT_INVENTORY: b"\x26",
        ReaderCommand.SLOTS_16_INVENTORY: b"\x06",
        ReaderCommand.FULL_INVENTORY: b"\x06",
    }
)
"""The flags of ISO 15693 that go with an inventory; the other commands have no data."""
INVENTORIES = frozenset(FLAGS)


@dataclass(frozen=True, slots=True)
class RapidRadioFrame:
    """A frame whose CRC was right. ``command`` may be one that ``ReaderCommand`` does not list."""

    command: int
    data: bytes
    """With the error at its beginning, if it is an answer."""


def encode_frame(frame: RapidRadioFrame) -> bytes:
    """Return the bytes of a frame."""
    body = frame.command.to_bytes(2) + frame.data
    raw = bytes((1 + len(body),)) + body
    return raw + crc16_rapidradio(raw).to_bytes(CRC_LENGTH)


def encode_request(command: ReaderCommand) -> bytes:
    """Return the bytes of a request."""
    return encode_frame(RapidRadioFrame(command, FLAGS.get(command, b"")))


def frame_length(buffer: bytes) -> int | None:
    """Return how long the frame at the start of ``buffer`` is, or None while that is not known.

    Raises ``FrameError`` where no frame begins.
    """
    if not buffer:
        return None
    if buffer[0] < _HEAD:
        raise FrameError(f"a length of {buffer[0]}, which no frame has", buffer[:1])
    return buffer[0] + CRC_LENGTH


def decode_frame(raw: bytes) -> RapidRadioFrame:
    """Return what a frame says, whatever stands after it; raise ``FrameError``, or ``ChecksumError``."""
    length = frame_length(raw)
    if length is None or length > len(raw):
        raise FrameError("a frame that breaks off", raw)
    end = length - CRC_LENGTH
    expected, got = crc16_rapidradio(raw[:end]), int.from_bytes(raw[end:length])
    if got != expected:
        raise ChecksumError(raw[:length], expected=f"{expected:04X}", got=f"{got:04X}")
    return RapidRadioFrame(int.from_bytes(raw[1:_HEAD]), raw[_HEAD:end])


def encode_uids(uids: tuple[str, ...]) -> bytes:
    """Return the UIDs as a frame lists them, each with its low byte first."""
    return b"".join(bytes.fromhex(uid)[::-1] for uid in uids)


def decode_uids(listed: bytes) -> tuple[str, ...]:
    """Return the UIDs that a frame lists; raise ``UnknownMessageError`` for a list that does not come out even."""
    if len(listed) % UID_LENGTH:
        raise UnknownMessageError("a list of chips in which one breaks off", listed)
    return tuple(listed[at : at + UID_LENGTH][::-1].hex().upper() for at in range(0, len(listed), UID_LENGTH))


def explain_rapidradio(raw: bytes) -> str:
    """Say what one frame means, request or answer; raise ``FrameError`` for anything else."""
    frame = decode_frame(raw)
    if frame.command not in set(ReaderCommand):
        raise UnknownMessageError(f"command {frame.command:04X} is not one that is spoken here", raw)
    command = ReaderCommand(frame.command)
    name = command.name.lower().replace("_", " ")
    if frame.data == FLAGS.get(command, b""):
        return f"request: {name}"
    error, data = frame.data[:_ERROR_LENGTH], frame.data[_ERROR_LENGTH:]
    if error == FAILURE:
        return f"{name}: no chip, or failed"
    if error != NO_ERROR:
        raise UnknownMessageError(f"error {error.hex().upper()} is not one that the reader has", raw)
    if command not in INVENTORIES:
        return f"{name}: {data.hex(' ').upper() or 'done'}"
    uids = decode_uids(data[1:])
    return f"{name}: {', '.join(uids) or 'no chips'}; {data[0]} in all" if data else f"{name}: no chips"
