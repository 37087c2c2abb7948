"""Packets of the Alpha Sign Communications Protocol, as either end of the line writes and reads them.

A packet is at least five NUL, by which the sign finds the speed; SOH, one character for the type of sign and
two for its address; STX, a command and its data; ETX and a checksum, which may be left out; EOT. The checksum
is the sum of all bytes from STX to ETX in four hexadecimal digits. Sources: Alpha Sign Communications Protocol
(9708-8061F); github lancereinsmith/alphasignpy, docs/protocol-reference.md; github msparks/alphasign.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import assert_never

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError

NUL = 0x00
SOH = 0x01
STX = 0x02
ETX = 0x03
EOT = 0x04
ACK = 0x06
NAK = 0x15
AUTOBAUD = bytes(5)
CHECKSUM_LENGTH = 4
PRIORITY = "0"
"""The label of the text that hides all others while there is one."""
ALL_SIGNS = "00"
STATUS_ALWAYS = 0x40
"""Set in every status, so that no status looks like a control character."""
STATUS_CHECKSUM = 0x10
STATUS_BITS: Mapping[int, str] = MappingProxyType(
    {
        0x20: "unknown command or label",
        STATUS_CHECKSUM: "wrong checksum",
        0x08: "more than its buffer holds",
        0x04: "too long a pause in the packet",
        0x02: "framing",
        0x01: "parity",
    }
)
_ESC = b"\x1b"
_COLOUR = b"\x1c"
_CALL = b"\x10"
_HEX = frozenset(b"0123456789ABCDEF")
_TEXT_ALWAYS = b"FF00"
"""The times at which a text is shown: from always on."""
_STRING_UNUSED = b"0000"
_FILE_LENGTH = 11
_LAY_OUT = b"$"
_SOFT_RESET = b","
_ACKNOWLEDGE = b"s"


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet whose checksum, if it has one, was right."""

    type_code: str
    address: str
    """Two hexadecimal digits, ``00`` for every sign; ``?`` stands for any digit."""
    command: bytes
    """The letter of the command, and its data."""


@dataclass(frozen=True, slots=True)
class WriteText:
    """A text file; without ``content`` the file is emptied, which ends a priority text."""

    label: str
    position: int = 0
    mode: str = ""
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class WriteString:
    """A string file: texts call it, and show at once what is written to it."""

    label: str
    content: bytes


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """Room for one file."""

    label: str
    is_string: bool
    size: int


@dataclass(frozen=True, slots=True)
class LayOutMemory:
    """Room for these files and no others; what the sign held before is gone."""

    files: tuple[MemoryFile, ...]


@dataclass(frozen=True, slots=True)
class SoftReset:
    """Start again, with the memory as it is."""


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Answer every packet from now on, or none."""

    wanted: bool


Command = WriteText | WriteString | LayOutMemory | SoftReset | Acknowledge


def encode_packet(type_code: str, address: str, command: bytes, *, checksum: bool) -> bytes:
    """Return the bytes of a packet."""
    body = bytes((STX,)) + command
    if checksum:
        body += bytes((ETX,))
        body += _sum(body)
    return AUTOBAUD + bytes((SOH,)) + f"{type_code}{address}".encode("ascii") + body + bytes((EOT,))


def decode_packet(raw: bytes) -> Packet:
    """Return what a whole packet says; raise ``FrameError``, or ``ChecksumError``."""
    packet = raw.lstrip(bytes((NUL,)))
    if len(raw) - len(packet) < len(AUTOBAUD) or packet[:1] != bytes((SOH,)) or packet[4:5] != bytes((STX,)):
        raise FrameError("no packet: five NUL, SOH, type and address of the sign, STX", raw)
    if not packet.endswith(bytes((EOT,))) or packet.count(STX) != 1 or packet.count(EOT) != 1:
        raise FrameError("not one command from STX to EOT", raw)
    command, etx, got = packet[5:-1].partition(bytes((ETX,)))
    if etx:
        expected = _sum(bytes((STX,)) + command + etx)
        if len(got) != CHECKSUM_LENGTH or not _HEX.issuperset(got):
            raise FrameError("no checksum of four hexadecimal digits between ETX and EOT", raw)
        if got != expected:
            raise ChecksumError(raw, expected=expected.decode("ascii"), got=got.decode("ascii"))
    if not command:
        raise FrameError("a packet without a command", raw)
    type_code, *address = (chr(byte) for byte in packet[1:4])
    return Packet(type_code, "".join(address), command)


def encode_command(command: Command) -> bytes:
    """Return the letter of a command, and its data."""
    match command:
        case WriteText(label=label, content=b""):
            return b"A" + label.encode("ascii")
        case WriteText(label=label, position=position, mode=mode, content=content):
            return b"A" + label.encode("ascii") + _ESC + bytes((position,)) + mode.encode("ascii") + content
        case WriteString(label=label, content=content):
            return b"G" + label.encode("ascii") + content
        case LayOutMemory(files=files):
            return b"E" + _LAY_OUT + b"".join(map(_encode_file, files))
        case SoftReset():
            return b"E" + _SOFT_RESET
        case Acknowledge(wanted=wanted):
            return b"E" + _ACKNOWLEDGE + (b"1" if wanted else b"0")
        case _:
            assert_never(command)


def decode_command(command: bytes) -> Command:
    """Return what a command says; raise ``UnknownMessageError`` for one that the bridge never sends."""
    letter, data = command[:1], command[1:]
    match letter, data[:1]:
        case b"A", label if label:
            return _decode_text(command, _label(label), data[1:])
        case b"G", label if label:
            return WriteString(_label(label), data[1:])
        case b"E", b"$":
            return LayOutMemory(tuple(_decode_files(command, data[1:])))
        case b"E", b"," if len(data) == 1:
            return SoftReset()
        case b"E", b"s" if data[1:] in {b"0", b"1"}:
            return Acknowledge(data[1:] == b"1")
        case _:
            raise UnknownMessageError("a command that is not one of those a meter sign is sent", command)


def in_colour(colour: str, content: bytes) -> bytes:
    """Return content in a colour, by the character that stands for it."""
    return _COLOUR + colour.encode("ascii") + content


def call_string(label: str) -> bytes:
    """Return what a text holds in the place of a string file."""
    return _CALL + label.encode("ascii")


def status_text(status: int) -> str:
    """Say what a sign complains of."""
    found = [meaning for bit, meaning in STATUS_BITS.items() if status & bit]
    return ", ".join(found) or "no error"


def _decode_text(command: bytes, label: str, data: bytes) -> WriteText:
    if not data:
        return WriteText(label)
    if data[:1] != _ESC or len(data) <= len(_ESC) + 2:
        raise UnknownMessageError("a text without ESC, position, mode and content", command)
    return WriteText(label, data[1], chr(data[2]), data[3:])


def _encode_file(file: MemoryFile) -> bytes:
    kind, rest = (b"BL", _STRING_UNUSED) if file.is_string else (b"AU", _TEXT_ALWAYS)
    return file.label.encode("ascii") + kind + f"{file.size:04X}".encode("ascii") + rest


def _decode_files(command: bytes, data: bytes) -> Sequence[MemoryFile]:
    files = []
    for at in range(0, len(data), _FILE_LENGTH):
        entry = data[at : at + _FILE_LENGTH]
        kind, size, times = entry[1:3], entry[3:7], entry[7:]
        is_string = kind == b"BL"
        expected = _STRING_UNUSED if is_string else _TEXT_ALWAYS
        if kind not in {b"AU", b"BL"} or times != expected or not _HEX.issuperset(size):
            raise UnknownMessageError("memory for a file that is neither a text nor a string", command)
        files.append(MemoryFile(_label(entry), is_string, int(size, 16)))
    return files


def _label(data: bytes) -> str:
    return chr(data[0])


def _sum(body: bytes) -> bytes:
    return f"{sum(body) & 0xFFFF:04X}".encode("ascii")
