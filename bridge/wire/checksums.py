"""Checksums, by the names that the manuals use."""

from functools import reduce
from operator import xor


def _reflected_table(polynomial: int) -> tuple[int, ...]:
    table = []
    for byte in range(256):
        remainder = byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (polynomial if remainder & 1 else 0)
        table.append(remainder)
    return tuple(table)


_A001 = _reflected_table(0xA001)
_8408 = _reflected_table(0x8408)
_1021 = 0x1021


def crc16_modbus(data: bytes) -> int:
    """Return the CRC-16/MODBUS: polynomial 8005 reflected (A001), start FFFF; 4B37 for ``123456789``."""
    return _reflected(data, _A001)


def crc16_mcrf4xx(data: bytes) -> int:
    """Return the CRC-16/MCRF4XX: polynomial 1021 reflected (8408), start FFFF; 6F91 for ``123456789``."""
    return _reflected(data, _8408)


def crc16_rapidradio(data: bytes) -> int:
    """Return the CRC of RapidRadio's readers; 4E98 for ``123456789``.

    Polynomial 1021, start FFFF, inverted at the end like CRC-16/GENIBUS; but each byte goes into the low half of
    the register, which makes it another one. Source: github ajxv/rrhfoem04-lib, docs/
    CommunicationProtocolExtracted.md.
    """
    crc = 0xFFFF
    for byte in data:
        crc = _shifted_out(crc ^ byte)
    return crc ^ 0xFFFF


def crc16_xmodem(data: bytes) -> int:
    """Return the CRC-16/XMODEM: polynomial 1021, start 0; 31C3 for ``123456789``."""
    crc = 0
    for byte in data:
        crc = _shifted_out(crc ^ byte << 8)
    return crc


def sum_to_zero(data: bytes) -> int:
    """Return ccTalk's simple checksum: the byte that makes the 8-bit sum of all bytes 0."""
    return -sum(data) & 0xFF


def bcc(data: bytes) -> int:
    """Return the block check character: all bytes XORed; 31 (hexadecimal) for ``123456789``."""
    return reduce(xor, data, 0)


def _shifted_out(crc: int) -> int:
    """Return a register of polynomial 1021 after eight bits, the most significant first."""
    for _ in range(8):
        crc = (crc << 1) ^ (_1021 if crc & 0x8000 else 0)
    return crc & 0xFFFF


def _reflected(data: bytes, table: tuple[int, ...]) -> int:
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc
