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


def crc16_modbus(data: bytes) -> int:
    """Return the CRC-16/MODBUS: polynomial 8005 reflected (A001), start FFFF; 4B37 for ``123456789``."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8) ^ _A001[(crc ^ byte) & 0xFF]
    return crc


def crc16_xmodem(data: bytes) -> int:
    """Return the CRC-16/XMODEM: polynomial 1021, start 0; 31C3 for ``123456789``."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def sum_to_zero(data: bytes) -> int:
    """Return ccTalk's simple checksum: the byte that makes the 8-bit sum of all bytes 0."""
    return -sum(data) & 0xFF


def bcc(data: bytes) -> int:
    """Return the block check character: all bytes XORed; 31 (hexadecimal) for ``123456789``."""
    return reduce(xor, data, 0)
