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


def bcc(data: bytes) -> int:
    """Return the block check character: all bytes XORed; 31 (hexadecimal) for ``123456789``."""
    return reduce(xor, data, 0)
