"""What a packet to a meter sign means, and what the sign answers, in one line.

to Z00: text A, position 26, mode b: {colour C}TEST
to Z00: priority text cleared
to Z00: string M: $12,345.67
to Z00: memory for text A of 64 bytes, string M of 32 bytes, and nothing else
refused: wrong checksum
"""

from typing import assert_never

from bridge.wire.alpha_frames import (
    ACK,
    NAK,
    PRIORITY,
    STATUS_ALWAYS,
    Acknowledge,
    Command,
    LayOutMemory,
    MemoryFile,
    SoftReset,
    WriteString,
    WriteText,
    decode_command,
    decode_packet,
    status_text,
)
from bridge.wire.errors import FrameError
from bridge.wire.spec import DeviceSpec

_ANSWER_LENGTH = 2
_COLOUR = 0x1C
_CALL = 0x10
_PRINTED = range(0x20, 0x7F)


def explain(raw: bytes, spec: DeviceSpec) -> str:  # noqa: ARG001 - what a frame says is the same for every model
    """Say what one whole packet, or answer, means; raise ``FrameError`` for anything else."""
    if raw[:1] in {bytes((ACK,)), bytes((NAK,))}:
        if len(raw) != _ANSWER_LENGTH or not raw[1] & STATUS_ALWAYS:
            raise FrameError("an answer is ACK or NAK and a status with bit 6 set", raw)
        return f"{'accepted' if raw[0] == ACK else 'refused'}: {status_text(raw[1])}"
    packet = decode_packet(raw)
    to = f"to {packet.type_code}{packet.address}"
    if len(packet.command) == 1:
        return f"{to}: command {packet.command.decode('ascii', errors='backslashreplace')} without data"
    return f"{to}: {_said(decode_command(packet.command))}"


def _said(command: Command) -> str:
    match command:
        case WriteText(label=label, content=b""):
            return "priority text cleared" if label == PRIORITY else f"text {label} cleared"
        case WriteText(label=label, position=position, mode=mode, content=content):
            name = "priority text" if label == PRIORITY else f"text {label}"
            return f"{name}, position {position:02X}, mode {mode}: {_content(content)}"
        case WriteString(label=label, content=content):
            return f"string {label}: {_content(content)}"
        case LayOutMemory(files=()):
            return "memory cleared"
        case LayOutMemory(files=files):
            return f"memory for {', '.join(map(_file, files))}, and nothing else"
        case SoftReset():
            return "soft reset"
        case Acknowledge(wanted=wanted):
            return "answer every packet" if wanted else "answer no packet"
        case _:
            assert_never(command)


def _file(file: MemoryFile) -> str:
    return f"{'string' if file.is_string else 'text'} {file.label} of {file.size} bytes"


def _content(content: bytes) -> str:
    said, rest = "", content
    while rest:
        byte, argument = rest[0], rest[1:2].decode("ascii", errors="backslashreplace")
        if byte in {_COLOUR, _CALL} and argument:
            said += f"{{{'colour' if byte == _COLOUR else 'string'} {argument}}}"
            rest = rest[2:]
        else:
            said += chr(byte) if byte in _PRINTED else f"{{{byte:02X}}}"
            rest = rest[1:]
    return said
