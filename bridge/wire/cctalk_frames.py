"""Packets of ccTalk, as either end of the line writes and reads them.

A packet is destination, number of data bytes, source, header, data, checksum. A request has the header of
what is asked, a reply the header 0, a refusal 5 or 6. With CRC framing the place of the source holds the low
byte of the CRC and the last byte its high byte, so a packet does not say whom it comes from. Source: ccTalk
Generic Specification 4.x, parts 1 and 2.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from bridge.wire.checksums import crc16_xmodem, sum_to_zero
from bridge.wire.errors import ChecksumError, FrameError

HOST = 1
"""The address of the master; devices have addresses from 2 on."""
AROUND_DATA = 5
"""Destination, length, source, header and checksum."""
PACKET_LENGTH_MAX = AROUND_DATA + 255
_LENGTH_AT = 1


class Header(IntEnum):
    """What is asked, or what kind of answer it is."""

    REPLY = 0
    NAK = 5
    BUSY = 6
    COIN_ID = 184
    MASTER_INHIBIT = 227
    SET_MASTER_INHIBIT = 228
    BUFFERED_CREDIT = 229
    INHIBITS = 230
    SET_INHIBITS = 231
    SOFTWARE_REVISION = 241
    SERIAL_NUMBER = 242
    PRODUCT_CODE = 244
    EQUIPMENT_CATEGORY = 245
    MANUFACTURER = 246
    POLLING_PRIORITY = 249
    SIMPLE_POLL = 254


ANSWERS = frozenset({Header.REPLY, Header.NAK, Header.BUSY})


class Check(StrEnum):
    """How the packets of a device are checked."""

    SUM = "sum"
    CRC16 = "crc16"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """A packet whose check was right. ``header`` may be one that ``Header`` does not list."""

    destination: int
    source: int
    """0 where the framing does not say."""
    header: int
    data: bytes = b""


def encode_packet(packet: Packet, check: Check = Check.SUM) -> bytes:
    """Return the bytes of a packet."""
    start = bytes((packet.destination, len(packet.data)))
    end = bytes((packet.header,)) + packet.data
    if check is Check.CRC16:
        crc = crc16_xmodem(start + end)
        return start + bytes((crc & 0xFF,)) + end + bytes((crc >> 8,))
    body = start + bytes((packet.source,)) + end
    return body + bytes((sum_to_zero(body),))


def decode_packet(raw: bytes, check: Check = Check.SUM) -> Packet:
    """Return what a whole packet says; raise ``FrameError``, or ``ChecksumError`` for a wrong check."""
    if packet_length(raw) != len(raw):
        raise FrameError("not one ccTalk packet of the length that its second byte states", raw)
    destination, _, source, header = raw[:4]
    data = raw[4:-1]
    if check is Check.CRC16:
        expected, got = crc16_xmodem(raw[:2] + raw[3:-1]), raw[2] | raw[-1] << 8
        if expected != got:
            raise ChecksumError(raw, expected=f"{expected:04X}", got=f"{got:04X}")
        return Packet(destination=destination, source=0, header=header, data=data)
    expected = sum_to_zero(raw[:-1])
    if expected != raw[-1]:
        raise ChecksumError(raw, expected=f"{expected:02X}", got=f"{raw[-1]:02X}")
    return Packet(destination=destination, source=source, header=header, data=data)


def packet_length(buffer: bytes) -> int | None:
    """Return how long the packet at the start of ``buffer`` is, or None while it cannot be told yet."""
    return AROUND_DATA + buffer[_LENGTH_AT] if len(buffer) > _LENGTH_AT else None
