from crccheck.crc import Crc16Genibus, Crc16Mcrf4XX
from hypothesis import given, strategies as st
from pymodbus.framer.rtu import FramerRTU

from bridge.wire.checksums import (
    bcc,
    crc16_mcrf4xx,
    crc16_modbus,
    crc16_rapidradio,
    crc16_xmodem,
    sum_to_zero,
)


def test_check_value_of_crc16_modbus() -> None:
    assert crc16_modbus(b"123456789") == 0x4B37


@given(st.binary(max_size=300))
def test_crc16_modbus_is_that_of_pymodbus(data: bytes) -> None:
    swapped = crc16_modbus(data).to_bytes(2, "little")
    assert int.from_bytes(swapped, "big") == FramerRTU.compute_CRC(data)


@given(st.binary(min_size=1, max_size=64), st.data())
def test_crc16_modbus_notices_any_single_bit(data: bytes, draw: st.DataObject) -> None:
    bit = draw.draw(st.integers(0, 8 * len(data) - 1))
    spoilt = bytearray(data)
    spoilt[bit // 8] ^= 1 << bit % 8
    assert crc16_modbus(bytes(spoilt)) != crc16_modbus(data)


def test_check_value_of_bcc() -> None:
    assert bcc(b"") == 0
    assert bcc(b"123456789") == 0x31


@given(st.binary(min_size=1, max_size=64), st.data())
def test_bcc_notices_any_single_bit_and_not_the_same_bit_of_two_bytes(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data) - 1))
    mask = 1 << draw.draw(st.integers(0, 7))
    spoilt = bytearray(data) + data[:1]
    spoilt[at] ^= mask
    assert bcc(bytes(spoilt)) != bcc(data + data[:1])
    spoilt[-1] ^= mask
    assert bcc(bytes(spoilt)) == bcc(data + data[:1])


def test_the_crc_of_cctalk_has_its_published_check_value() -> None:
    assert crc16_xmodem(b"123456789") == 0x31C3
    assert crc16_xmodem(b"") == 0


@given(st.binary(max_size=300))
def test_the_simple_checksum_of_cctalk_makes_the_sum_0(data: bytes) -> None:
    assert (sum(data) + sum_to_zero(data)) % 256 == 0


def test_check_value_of_crc16_mcrf4xx() -> None:
    assert crc16_mcrf4xx(b"123456789") == 0x6F91


@given(st.binary(max_size=300))
def test_crc16_mcrf4xx_is_that_of_a_public_library(data: bytes) -> None:
    assert crc16_mcrf4xx(data) == Crc16Mcrf4XX.calc(data)


def bit_by_bit(data: bytes) -> int:
    """The CRC of RapidRadio's readers as their document describes it, on a register of sixteen separate bits."""
    register = [1] * 16
    for byte in data:
        for place in range(8):
            register[place] ^= byte >> place & 1
        for _ in range(8):
            out = register.pop()
            register.insert(0, 0)
            for place in (0, 5, 12):
                register[place] ^= out
    return sum((1 - bit) << place for place, bit in enumerate(register))


def test_check_value_of_crc16_rapidradio() -> None:
    assert crc16_rapidradio(b"123456789") == bit_by_bit(b"123456789") == 0x4E98
    assert crc16_rapidradio(b"\x03\xf0\x00") == 0x892F
    assert Crc16Genibus.calc(b"\x03\xf0\x00") == 0x79F2, "the textbook's is another one"


@given(st.binary(max_size=100))
def test_crc16_rapidradio_is_that_of_the_document(data: bytes) -> None:
    assert crc16_rapidradio(data) == bit_by_bit(data)
