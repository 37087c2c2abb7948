from typing import Any

import pytest
from crccheck.crc import Crc16Mcrf4XX
from hypothesis import given, strategies as st

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.feig_frames import (
    FRAME_LENGTH_MAX,
    FeigFrame,
    Transponder,
    decode_frame,
    decode_transponders,
    encode_frame,
    encode_transponders,
    explain_feig,
    find_frames,
    frame_length,
    status_text,
)
from tests.test_frames import label, load
from tests.wire.chips import UID, UIDS, uid

KNOWN = load("feig")["frames"]
FRAMES = st.builds(FeigFrame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=60), st.booleans())


def field_by_field(frame: FeigFrame) -> bytes:
    """A frame as the manual prints it, with the CRC of a public library."""
    if frame.advanced:
        raw = bytes((2, 0, 7 + len(frame.data), frame.address, frame.control)) + frame.data
    else:
        raw = bytes((5 + len(frame.data), frame.address, frame.control)) + frame.data
    crc = Crc16Mcrf4XX.calc(raw)
    return raw + bytes((crc % 256, crc // 256))


@given(FRAMES)
def test_a_frame_is_written_as_the_manual_prints_it_and_read_back(frame: FeigFrame) -> None:
    raw = field_by_field(frame)
    assert encode_frame(frame) == raw
    assert decode_frame(raw) == frame
    assert frame_length(raw) == len(raw)


@pytest.mark.parametrize("entry", KNOWN, ids=label)
def test_a_known_frame_is_what_its_fields_and_a_public_crc_make_it(entry: dict[str, Any]) -> None:
    raw = bytes.fromhex(entry["hex"])
    frame = decode_frame(raw)
    assert encode_frame(frame) == field_by_field(frame) == raw


@given(FRAMES, st.data())
def test_a_single_wrong_bit_is_noticed(frame: FeigFrame, draw: st.DataObject) -> None:
    raw = bytearray(encode_frame(frame))
    bit = draw.draw(st.integers(0, 8 * len(raw) - 1))
    raw[bit // 8] ^= 1 << bit % 8
    with pytest.raises(FrameError):
        decode_frame(bytes(raw))


def test_a_wrong_crc_is_told_with_the_right_one() -> None:
    with pytest.raises(ChecksumError, match="checksum 1C57, the bytes give 561C"):
        decode_frame(bytes.fromhex("07 FF B0 01 00 57 1C"))


@pytest.mark.parametrize("buffer", [b"", b"\x02", b"\x02\x00"])
def test_the_length_may_not_be_known_yet(buffer: bytes) -> None:
    assert frame_length(buffer) is None


@pytest.mark.parametrize("buffer", [b"\x00", b"\x01", b"\x04", b"\x02\x00\x06", b"\x02\xff\xff"])
def test_a_length_that_no_frame_has_is_refused(buffer: bytes) -> None:
    with pytest.raises(FrameError, match="which no frame has"):
        frame_length(buffer)


@given(st.binary(max_size=20), FRAMES, st.binary(max_size=20))
def test_a_frame_is_found_among_other_bytes(before: bytes, frame: FeigFrame, after: bytes) -> None:
    raw = encode_frame(frame)
    where = slice(len(before), len(before) + len(raw))
    assert (where, frame) in list(find_frames(before + raw + after))
    of = bytes((frame.address, frame.control))
    assert (where, frame) in list(find_frames(before + raw + after, of=of))
    other = bytes((frame.address ^ 1, frame.control))
    assert (where, frame) not in list(find_frames(before + raw + after, of=other))


@given(st.lists(st.builds(Transponder, st.integers(0, 255), UIDS), max_size=25).map(tuple))
def test_the_chips_of_an_inventory_are_read_as_they_are_listed(chips: tuple[Transponder, ...]) -> None:
    assert decode_transponders(encode_transponders(chips)) == chips


@pytest.mark.parametrize("listed", [b"", b"\x01", b"\x01" + bytes(9), b"\x01" + bytes(11), b"\x02" + bytes(10)])
def test_a_list_that_does_not_come_out_even_is_unknown(listed: bytes) -> None:
    with pytest.raises(UnknownMessageError, match="not all ISO 15693 chips"):
        decode_transponders(listed)


def test_a_status_has_its_name() -> None:
    assert status_text(0x05) == "wrong transponder type"
    assert status_text(0x84) == "status 84"


@pytest.mark.parametrize(
    ("control", "data", "says"),
    [
        (0x69, b"", "to reader 7: RF reset"),
        (0x69, b"\x00", "reader 7: RF reset: ok"),
        (0xB0, b"\x01\x80", "to reader 7: inventory, the rest"),
        (0xB0, b"\x00\x00", "reader 7: no chips"),
        (0xB0, b"\x05", "reader 7: wrong transponder type"),
        (
            0xB0,
            b"\x94" + encode_transponders((Transponder(3, UID), Transponder(3, uid(1)))),
            f"reader 7: {UID}, {uid(1)}, and more",
        ),
    ],
)
def test_a_frame_is_said_in_one_line(control: int, data: bytes, says: str) -> None:
    assert explain_feig(encode_frame(FeigFrame(7, control, data, advanced=True))) == says


@pytest.mark.parametrize(("control", "data"), [(0x65, b""), (0x69, b"\x00\x00"), (0xB0, b""), (0xB0, b"\x00\x05")])
def test_what_is_not_spoken_here_is_unknown(control: int, data: bytes) -> None:
    with pytest.raises(UnknownMessageError):
        explain_feig(encode_frame(FeigFrame(7, control, data, advanced=False)))


@given(st.binary(max_size=FRAME_LENGTH_MAX))
def test_arbitrary_bytes_do_no_worse_than_a_frame_error(raw: bytes) -> None:
    try:
        explain_feig(raw)
    except FrameError:
        return
