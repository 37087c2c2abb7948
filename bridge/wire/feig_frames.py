"""Frames of FEIG OBID i-scan readers, as either end of the line writes and reads them.

    standard    length address control [status] data crc crc
    advanced    02 length length address control [status] data crc crc

The length counts everything, its high byte first; the CRC is CRC-16/MCRF4XX with its low byte first. Only an
answer has a status. A reader answers in the form that it is asked in. Sources: FEIG system manuals ID ISC.MR/PR101
(H60301-3e), MR200 (H40801-5e), MR102 (H01113-4e).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bridge.wire.checksums import crc16_mcrf4xx
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError

ANY_READER = 255
"""The address that every reader hears; it answers with its own."""
HOST_COMMAND = 0xB0
RF_RESET = 0x69
INVENTORY = 0x01
MODE_MORE = 0x80
"""Go on with the inventory whose chips did not fit into one answer."""
CRC_LENGTH = 2
FRAME_LENGTH_MAX = 512
"""Longer than any answer to an inventory: of many chips a reader lists some, and says that there are more."""
OK = 0x00
NO_TRANSPONDER = 0x01
MORE_DATA = 0x94
STATUS_TEXTS: Mapping[int, str] = MappingProxyType(
    {
        OK: "ok",
        NO_TRANSPONDER: "no transponder",
        0x02: "data false",
        0x03: "write error",
        0x04: "address error",
        0x05: "wrong transponder type",
        MORE_DATA: "more data",
        0x95: "error of the transponder",
    }
)
_STX = 0x02
_STANDARD_HEAD = 1
_ADVANCED_HEAD = 3
_BODY_MIN = 2
"""Address and control."""
_DATA_SET = 10
"""Type of transponder, DSFID and UID."""
_UID_AT = 2


@dataclass(frozen=True, slots=True)
class FeigFrame:
    """A frame whose CRC was right."""

    address: int
    control: int
    data: bytes
    """With the status at its beginning, if it is an answer."""
    advanced: bool


@dataclass(frozen=True, slots=True)
class Transponder:
    """One chip, as an inventory lists it."""

    kind: int
    uid: str


def encode_frame(frame: FeigFrame) -> bytes:
    """Return the bytes of a frame; raise ``ValueError`` for one that its form has no room for."""
    body = bytes((frame.address, frame.control)) + frame.data
    if frame.advanced:
        length = _ADVANCED_HEAD + len(body) + CRC_LENGTH
        raw = bytes((_STX,)) + length.to_bytes(2) + body
    else:
        raw = bytes((_STANDARD_HEAD + len(body) + CRC_LENGTH,)) + body
    return raw + crc16_mcrf4xx(raw).to_bytes(CRC_LENGTH, "little")


def frame_length(buffer: bytes) -> int | None:
    """Return how long the frame at the start of ``buffer`` is, or None while that is not known.

    Raises ``FrameError`` where no frame begins.
    """
    if not buffer:
        return None
    advanced = buffer[0] == _STX
    head = _ADVANCED_HEAD if advanced else _STANDARD_HEAD
    if len(buffer) < head:
        return None
    length = int.from_bytes(buffer[1:head]) if advanced else buffer[0]
    if not head + _BODY_MIN + CRC_LENGTH <= length <= FRAME_LENGTH_MAX:
        raise FrameError(f"a length of {length}, which no frame has", buffer[:head])
    return length


def decode_frame(raw: bytes) -> FeigFrame:
    """Return what a whole frame says; raise ``FrameError``, or ``ChecksumError`` for a wrong CRC."""
    if frame_length(raw) != len(raw):
        raise FrameError("the length is not that of the bytes", raw)
    expected, got = crc16_mcrf4xx(raw[:-CRC_LENGTH]), int.from_bytes(raw[-CRC_LENGTH:], "little")
    if got != expected:
        raise ChecksumError(raw, expected=f"{expected:04X}", got=f"{got:04X}")
    advanced = raw[0] == _STX
    body = raw[_ADVANCED_HEAD if advanced else _STANDARD_HEAD : -CRC_LENGTH]
    return FeigFrame(body[0], body[1], body[_BODY_MIN:], advanced)


def find_frames(received: bytes, of: bytes = b"") -> Iterator[tuple[slice, FeigFrame]]:
    """Find whole frames with a right CRC, anywhere in what arrived, and where they stand.

    ``of`` is the address and control byte of those that are looked for; without it all are.
    """
    for at in range(len(received)):
        head = _ADVANCED_HEAD if received[at] == _STX else _STANDARD_HEAD
        if not received.startswith(of, at + head):
            continue
        try:
            length = frame_length(received[at:])
            if length is not None and at + length <= len(received):
                yield slice(at, at + length), decode_frame(received[at : at + length])
        except FrameError:
            continue


def encode_transponders(transponders: tuple[Transponder, ...]) -> bytes:
    """Return the list of an inventory: how many, and each of them."""
    sets = (bytes((one.kind, 0)) + bytes.fromhex(one.uid) for one in transponders)
    return bytes((len(transponders),)) + b"".join(sets)


def decode_transponders(listed: bytes) -> tuple[Transponder, ...]:
    """Return the chips that an inventory lists.

    Raises ``UnknownMessageError`` for a list that does not come out even: transponders that are no chips have
    identities of another length.
    """
    if not listed or len(listed) != 1 + _DATA_SET * listed[0]:
        raise UnknownMessageError("a list of transponders that are not all ISO 15693 chips", listed)
    sets = (listed[at : at + _DATA_SET] for at in range(1, len(listed), _DATA_SET))
    return tuple(Transponder(one[0], one[_UID_AT:].hex().upper()) for one in sets)


def status_text(status: int) -> str:
    """Return the name of a status in the reader's manual."""
    return STATUS_TEXTS.get(status, f"status {status:02X}")


def explain_feig(raw: bytes) -> str:
    """Say what one whole frame means, request or answer; raise ``FrameError`` for anything else."""
    frame = decode_frame(raw)
    reader = f"reader {frame.address}"
    match frame.control, frame.data:
        case (control, b"") if control == RF_RESET:
            return f"to {reader}: RF reset"
        case (control, data) if control == RF_RESET and len(data) == 1:
            return f"{reader}: RF reset: {status_text(data[0])}"
        case (control, data) if control == HOST_COMMAND and data[:1] == bytes((INVENTORY,)) and len(data) == 2:  # noqa: PLR2004 - the command and its mode
            return f"to {reader}: inventory{', the rest' if data[1] & MODE_MORE else ''}"
        case (control, data) if control == HOST_COMMAND and data:
            return f"{reader}: {_explain_inventory(data)}"
        case _:
            raise UnknownMessageError(f"control byte {frame.control:02X} is not one that is spoken here", raw)


def _explain_inventory(data: bytes) -> str:
    if data[0] not in {OK, MORE_DATA}:
        return status_text(data[0])
    chips = ", ".join(one.uid for one in decode_transponders(data[1:]))
    return f"{chips or 'no chips'}{', and more' if data[0] == MORE_DATA else ''}"
