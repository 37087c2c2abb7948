from typing import Any

import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.rapidradio_frames import (
    RapidRadioFrame,
    ReaderCommand,
    decode_frame,
    decode_uids,
    encode_frame,
    encode_request,
    encode_uids,
    explain_rapidradio,
    frame_length,
)
from tests.test_frames import label, load
from tests.wire.chips import UID, UIDS
from tests.wire.test_checksums import bit_by_bit

FRAMES = st.builds(RapidRadioFrame, st.integers(0, 0xFFFF), st.binary(max_size=60))


def field_by_field(frame: RapidRadioFrame) -> bytes:
    """A frame as the document prints it, with the CRC of its description."""
    raw = bytes((3 + len(frame.data), frame.command // 256, frame.command % 256)) + frame.data
    crc = bit_by_bit(raw)
    return raw + bytes((crc // 256, crc % 256))


@given(FRAMES)
def test_a_frame_is_written_as_the_document_prints_it_and_read_back(frame: RapidRadioFrame) -> None:
    raw = field_by_field(frame)
    assert encode_frame(frame) == raw
    assert decode_frame(raw) == frame
    assert frame_length(raw) == len(raw)


@pytest.mark.parametrize("entry", load("rapidradio")["frames"], ids=label)
def test_a_known_frame_is_what_its_fields_make_it(entry: dict[str, Any]) -> None:
    raw = bytes.fromhex(entry["hex"])
    assert field_by_field(decode_frame(raw)) == raw
    if entry["direction"] == "host->device":
        assert encode_request(ReaderCommand(decode_frame(raw).command)) == raw


@given(FRAMES, st.binary(max_size=30))
def test_what_stands_after_a_frame_is_not_part_of_it(frame: RapidRadioFrame, left_over: bytes) -> None:
    assert decode_frame(encode_frame(frame) + left_over) == frame


@given(FRAMES, st.data())
def test_a_wrong_byte_is_noticed(frame: RapidRadioFrame, draw: st.DataObject) -> None:
    raw = bytearray(encode_frame(frame))
    raw[draw.draw(st.integers(1, len(raw) - 1))] ^= draw.draw(st.integers(1, 255))
    with pytest.raises(ChecksumError):
        decode_frame(bytes(raw))


def test_the_textbooks_crc_is_refused() -> None:
    with pytest.raises(ChecksumError, match="checksum 79F2, the bytes give 892F"):
        decode_frame(bytes.fromhex("03 F0 00 79 F2"))


@pytest.mark.parametrize("raw", [b"", b"\x02\x00\x00\x00", b"\x03\xf0\x00\x89"])
def test_what_is_no_frame_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError):
        decode_frame(raw)


@given(st.lists(UIDS, max_size=7).map(tuple))
def test_uids_are_listed_with_their_low_byte_first(uids: tuple[str, ...]) -> None:
    assert decode_uids(encode_uids(uids)) == uids


def test_a_list_in_which_a_chip_breaks_off_is_unknown() -> None:
    assert encode_uids((UID,)).hex(" ").upper() == "78 56 34 12 00 01 04 E0"
    with pytest.raises(UnknownMessageError, match="one breaks off"):
        decode_uids(bytes(9))


@pytest.mark.parametrize(
    ("command", "data", "says"),
    [
        (0xF000, b"", "request: info"),
        (0xF000, b"\x00\x00AB", "info: 41 42"),
        (0xF001, b"\x00\x00", "beep: done"),
        (0x1002, b"\x06", "request: slots 16 inventory"),
        (0x1002, b"\x00\x00", "slots 16 inventory: no chips"),
        (0x1002, b"\x00\x00\x00", "slots 16 inventory: no chips; 0 in all"),
        (0x1F01, b"\x00\x00\x09" + encode_uids((UID,)), f"full inventory: {UID}; 9 in all"),
        (0x1F01, b"\xff\xff", "full inventory: no chip, or failed"),
    ],
)
def test_a_frame_is_said_in_one_line(command: int, data: bytes, says: str) -> None:
    assert explain_rapidradio(encode_frame(RapidRadioFrame(command, data)).ljust(64, b"\x55")) == says


@pytest.mark.parametrize(
    ("command", "data"), [(0x2F01, b""), (0x1001, b"\x12\x34"), (0x1001, b"\x00\x00\x01\x02")]
)
def test_what_is_not_spoken_here_is_unknown(command: int, data: bytes) -> None:
    with pytest.raises(UnknownMessageError):
        explain_rapidradio(encode_frame(RapidRadioFrame(command, data)))


@given(st.binary(max_size=70))
def test_arbitrary_bytes_do_no_worse_than_a_frame_error(raw: bytes) -> None:
    try:
        explain_rapidradio(raw)
    except FrameError:
        return
