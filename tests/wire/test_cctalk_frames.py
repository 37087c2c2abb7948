import pytest
from hypothesis import given, strategies as st

from bridge.wire.cctalk_frames import Check, Packet, decode_packet, encode_packet, packet_length
from bridge.wire.errors import ChecksumError, FrameError
from tests.wire.acceptors import crc_packet, packet

ADDRESSES = st.integers(0, 255)
DATA = st.binary(max_size=40)


@given(ADDRESSES, ADDRESSES, st.integers(0, 255), DATA)
def test_a_packet_is_encoded_as_the_specification_adds_it_up(
    destination: int, source: int, header: int, data: bytes
) -> None:
    made = Packet(destination=destination, source=source, header=header, data=data)
    raw = encode_packet(made)
    assert raw == packet(destination, source, header, *data)
    assert sum(raw) % 256 == 0
    assert decode_packet(raw) == made
    assert packet_length(raw) == len(raw)


@given(ADDRESSES, st.integers(0, 255), DATA)
def test_with_a_crc_a_packet_does_not_say_whom_it_comes_from(destination: int, header: int, data: bytes) -> None:
    raw = encode_packet(Packet(destination=destination, source=1, header=header, data=data), Check.CRC16)
    assert raw == crc_packet(destination, header, *data)
    assert decode_packet(raw, Check.CRC16) == Packet(destination=destination, source=0, header=header, data=data)


@given(ADDRESSES, st.integers(0, 255), DATA, st.sampled_from(Check), st.data())
def test_one_wrong_bit_is_found(
    destination: int, header: int, data: bytes, check: Check, draw: st.DataObject
) -> None:
    raw = bytearray(encode_packet(Packet(destination=destination, source=1, header=header, data=data), check))
    raw[draw.draw(st.integers(0, len(raw) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
    with pytest.raises(FrameError):
        decode_packet(bytes(raw), check)


def test_a_wrong_checksum_is_told_with_the_right_one() -> None:
    with pytest.raises(ChecksumError, match="checksum FE, the bytes give FD: 01 00 02 00 FE"):
        decode_packet(bytes.fromhex("01000200FE"))
    with pytest.raises(ChecksumError, match="checksum 21B7, the bytes give 21B6"):
        decode_packet(bytes.fromhex("2800B7FE21"), Check.CRC16)


@pytest.mark.parametrize("raw", ["", "02", "02 00 01 E5", "02 00 01 E5 18 00", "02 01 01 E4 18"])
def test_bytes_of_another_length_than_they_state_are_no_packet(raw: str) -> None:
    with pytest.raises(FrameError, match="not one ccTalk packet"):
        decode_packet(bytes.fromhex(raw))


@given(st.binary(max_size=300), st.sampled_from(Check))
def test_arbitrary_bytes_are_a_packet_or_a_frame_error(raw: bytes, check: Check) -> None:
    try:
        found = decode_packet(raw, check)
    except FrameError:
        return
    assert len(found.data) == len(raw) - 5


def test_the_length_of_a_packet_is_its_second_byte() -> None:
    assert packet_length(b"") is None
    assert packet_length(b"\x01") is None
    assert packet_length(b"\x01\xff") == 260
