from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU
from pymodbus.pdu.bit_message import ReadDiscreteInputsRequest, WriteMultipleCoilsRequest

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.modbus_frames import (
    FRAME_LENGTH_MAX,
    Frame,
    Function,
    decode_frame,
    encode_frame,
    encode_read,
    encode_write_coils,
    pack_channels,
    reply_length,
    request_length,
    unpack_channels,
)

CHANNELS = st.frozensets(st.integers(1, 40))


@given(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=FRAME_LENGTH_MAX - 4))
def test_what_is_written_is_read_back(unit: int, function: int, data: bytes) -> None:
    assert decode_frame(encode_frame(unit, function, data)) == Frame(unit, function, data)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_never_do_worse_than_a_frame_error(raw: bytes) -> None:
    for read in (decode_frame, request_length, reply_length):
        with suppress(FrameError):
            read(raw)


@given(st.binary(min_size=2, max_size=12), st.data())
def test_a_spoilt_bit_is_noticed(data: bytes, draw: st.DataObject) -> None:
    raw = bytearray(encode_frame(1, 2, data))
    bit = draw.draw(st.integers(0, 8 * len(raw) - 1))
    raw[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ChecksumError):
        decode_frame(bytes(raw))


@pytest.mark.parametrize("length", [0, 3, FRAME_LENGTH_MAX + 1])
def test_a_frame_has_its_limits(length: int) -> None:
    with pytest.raises(FrameError, match="a Modbus frame has 4 to 256 bytes"):
        decode_frame(bytes(length))


REQUESTS = [
    encode_read(1, Function.READ_COILS, 0, 8),
    encode_read(1, Function.READ_DISCRETE_INPUTS, 0, 8),
    encode_read(1, Function.READ_HOLDING_REGISTERS, 0x1000, 8),
    encode_frame(1, Function.WRITE_SINGLE_COIL, bytes.fromhex("0005FF00")),
    encode_write_coils(1, 8, {1, 8}),
    encode_frame(1, Function.WRITE_MULTIPLE_REGISTERS, bytes.fromhex("1000000204 0000 0001")),
]
REPLIES = [
    encode_frame(1, Function.READ_COILS, b"\x01\x20"),
    encode_frame(1, Function.READ_DISCRETE_INPUTS, b"\x02\x20\x01"),
    encode_frame(1, Function.READ_HOLDING_REGISTERS, b"\x04\x00\x00\x00\x01"),
    encode_frame(1, Function.WRITE_SINGLE_COIL, bytes.fromhex("0005FF00")),
    encode_frame(1, Function.WRITE_MULTIPLE_COILS, bytes.fromhex("00000008")),
    encode_frame(1, Function.WRITE_MULTIPLE_REGISTERS, bytes.fromhex("10000002")),
    encode_frame(1, 0x80 | Function.READ_COILS, b"\x02"),
    encode_frame(1, 0xFF, b"\x01"),
]


@pytest.mark.parametrize("raw", REQUESTS, ids=lambda raw: raw.hex())
def test_a_request_says_how_long_it_is(raw: bytes) -> None:
    assert request_length(raw) == request_length(raw + b"\x01\x02") == len(raw)
    lengths = [request_length(raw[:count]) for count in range(len(raw))]
    known = [length for length in lengths if length is not None]
    assert lengths == [None] * (len(lengths) - len(known)) + [len(raw)] * len(known)


@pytest.mark.parametrize("raw", REPLIES, ids=lambda raw: raw.hex())
def test_a_reply_says_how_long_it_is(raw: bytes) -> None:
    assert reply_length(raw) == reply_length(raw + b"\x01\x02") == len(raw)
    lengths = [reply_length(raw[:count]) for count in range(len(raw))]
    known = [length for length in lengths if length is not None]
    assert lengths == [None] * (len(lengths) - len(known)) + [len(raw)] * len(known)


def test_an_unknown_function_has_no_length() -> None:
    with pytest.raises(UnknownMessageError, match="function 43 is not one that is spoken here"):
        request_length(b"\x01\x2b")
    with pytest.raises(UnknownMessageError, match="function 43 is not one that is spoken here"):
        reply_length(b"\x01\x2b")


def test_a_byte_count_cannot_make_anybody_wait_for_more_than_a_frame() -> None:
    with pytest.raises(FrameError, match="a byte count of 255 makes a frame longer than 256 bytes"):
        reply_length(b"\x01\x02\xff")
    with pytest.raises(FrameError, match="a byte count of 248 makes a frame longer than 256 bytes"):
        request_length(bytes.fromhex("010F00000008F8"))


def test_an_exception_is_told_from_an_answer() -> None:
    assert decode_frame(encode_frame(1, 0x82, b"\x02")).is_exception
    assert not decode_frame(encode_frame(1, 0x02, b"\x01\x00")).is_exception


@given(CHANNELS, st.integers(1, 40))
def test_channels_survive_packing(active: frozenset[int], count: int) -> None:
    packed = pack_channels(active, count)
    assert len(packed) == (count + 7) // 8
    assert unpack_channels(packed, count) == {channel for channel in active if channel <= count}


def test_padding_is_no_channel() -> None:
    assert unpack_channels(b"\xff", 3) == {1, 2, 3}


@given(st.integers(1, 247), st.integers(1, 40), CHANNELS)
def test_pymodbus_reads_our_requests(unit: int, count: int, active: frozenset[int]) -> None:
    framer = FramerRTU(DecodePDU(is_server=True))
    raw = encode_read(unit, Function.READ_DISCRETE_INPUTS, 0, count)
    used, request = framer.handleFrame(raw, 0, 0)
    assert used == len(raw)
    assert isinstance(request, ReadDiscreteInputsRequest)
    assert (request.dev_id, request.address, request.count) == (unit, 0, count)
    raw = encode_write_coils(unit, count, active)
    used, request = framer.handleFrame(raw, 0, 0)
    assert used == len(raw)
    assert isinstance(request, WriteMultipleCoilsRequest)
    assert request.bits[:count] == [channel in active for channel in range(1, count + 1)]
