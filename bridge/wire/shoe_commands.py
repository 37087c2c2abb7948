"""Commands to an Angel Eye II-EX shoe, and what it answers. Nothing here is sent unless a profile allows it.

A command is STX, ``OP``, two letters, two digits, ETX and the block check. The one example that a source
gives as the maker's has STX in its check, while the text is said to leave it out; so it is a setting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from bridge.wire.checksums import bcc
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.shoe_frames import ACK, CHECK_LENGTH, ETX, NAK, STX

COMMAND_LENGTH = 10
FAULT_CODE_MAX = 63
_OPERATION = b"OP"
BCC_REFUSED = 0x02
NAK_REASONS: Mapping[int, str] = MappingProxyType(
    {
        0x01: "overrun, framing or parity error: compare the serial settings of both ends",
        BCC_REFUSED: "the shoe computes another BCC: set cmd_bcc_includes_stx otherwise than it is",
        0x03: "no ETX arrived",
        0x11: "format or length",
        0x12: "address",
        0x13: "command",
        0x14: "type",
        0x21: "busy; send it again later",
        0x22: "it is writing; send it again later",
        0xFF: "for another reason",
    }
)


class CommandType(StrEnum):
    """What the shoe can be told."""

    LOCK = "LK"
    CANCEL_FAULT = "EC"
    CONFIRM_GAME = "GP"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeCommand:
    """One command; its two digits are data."""

    type: CommandType
    data: str

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for a command that no source lists."""
        allowed = {
            CommandType.LOCK: ("01", "02"),
            CommandType.CANCEL_FAULT: tuple(f"{code:02}" for code in range(FAULT_CODE_MAX + 1)),
            CommandType.CONFIRM_GAME: ("00",),
        }
        if self.data not in allowed[self.type]:
            raise ValueError(f"{self.type} {self.data}: {self.type} takes {', '.join(allowed[self.type])}")

    def __str__(self) -> str:
        return f"{self.type} {self.data}"


LOCK = ShoeCommand(type=CommandType.LOCK, data="02")
UNLOCK = ShoeCommand(type=CommandType.LOCK, data="01")
CONFIRM_GAME = ShoeCommand(type=CommandType.CONFIRM_GAME, data="00")


def cancel_fault(code: int) -> ShoeCommand:
    """Return the command that cancels a fault; raise ``ValueError`` for a code that the shoe cannot have."""
    return ShoeCommand(type=CommandType.CANCEL_FAULT, data=f"{code:02}")


def encode_command(command: ShoeCommand, *, includes_stx: bool) -> bytes:
    """Return the bytes of a command."""
    body = _OPERATION + f"{command.type}{command.data}".encode("ascii") + bytes((ETX,))
    return bytes((STX,)) + body + _check(body, includes_stx=includes_stx)


def decode_command(raw: bytes, *, includes_stx: bool) -> ShoeCommand:
    """Return the command of a whole frame; raise ``FrameError`` for anything else."""
    if len(raw) != COMMAND_LENGTH or raw[:3] != bytes((STX,)) + _OPERATION or raw.find(ETX) != COMMAND_LENGTH - 3:
        raise FrameError("not one command from STX to the check after ETX", raw)
    expected, got = _check(raw[1:-CHECK_LENGTH], includes_stx=includes_stx), raw[-CHECK_LENGTH:]
    if got != expected:
        raise ChecksumError(raw, expected=expected.decode("ascii"), got=repr(got)[1:])
    text = raw[3:7].decode("latin-1")
    try:
        return ShoeCommand(type=CommandType(text[:2]), data=text[2:])
    except ValueError:
        raise UnknownMessageError(f"a command {text!a}, which no source lists", raw) from None


def decode_answer(raw: bytes) -> str:
    """Return why a command was refused, or nothing if it was carried out; raise ``FrameError`` for no answer."""
    if raw == bytes((ACK,)):
        return ""
    if len(raw) != 2 or raw[0] != NAK:  # noqa: PLR2004 - NAK and its code
        raise FrameError("not an ACK, nor a NAK and its code", raw)
    code = raw[1]
    return f"NAK {code:02X}: {NAK_REASONS.get(code, 'a code that no source lists')}"


def _check(from_operation_to_etx: bytes, *, includes_stx: bool) -> bytes:
    return f"{bcc(from_operation_to_etx) ^ (STX if includes_stx else 0):02X}".encode("ascii")
