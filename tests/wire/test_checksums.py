from hypothesis import given, strategies as st
from pymodbus.framer.rtu import FramerRTU

from bridge.wire.checksums import bcc, crc16_modbus, crc16_xmodem, sum_to_zero


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
