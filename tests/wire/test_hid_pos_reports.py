import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import FrameError
from bridge.wire.hid_pos_reports import (
    DATA_LENGTH_MAX,
    DECODERS,
    HONEYWELL,
    NEWLAND,
    ReportPart,
    decode_honeywell,
    decode_newland,
    explain_report,
)
from tests.test_frames import load
from tests.wire.cables import reader_spec

PRINTED = st.binary(min_size=1, max_size=DATA_LENGTH_MAX)


def honeywell(
    data: bytes, *, more: int = 0, length: int | None = None, filler: bytes = b"", identifier: bytes = b"]C0"
) -> bytes:
    """A report, put together field by field as the captures show it."""
    report = bytearray(64)
    head = bytes((2, len(data) if length is None else length)) + filler + identifier + data
    report[: len(head)] = head
    report[61] = 0x6A
    report[63] = more
    return bytes(report)


@given(PRINTED, st.booleans())
def test_a_report_gives_its_data_and_whether_more_follows(data: bytes, more: bool) -> None:
    assert decode_honeywell(honeywell(data, more=more)) == ReportPart(data, more)


@given(st.binary(min_size=1, max_size=DATA_LENGTH_MAX - 1))
def test_some_models_put_a_byte_before_the_identifier(data: bytes) -> None:
    assert decode_honeywell(honeywell(data, filler=b"\x01")) == ReportPart(data, continued=False)


def test_a_length_that_reaches_over_the_code_is_refused() -> None:
    with pytest.raises(FrameError, match="reaches over"):
        decode_honeywell(honeywell(b"X" * 55, length=56, filler=b"\x01"))


@given(PRINTED, st.sampled_from([63, 64]))
def test_the_other_layout_begins_with_its_data(data: bytes, size: int) -> None:
    report = (bytes((2, len(data))) + data).ljust(62, b"\x00") + bytes((0x6A,)) + bytes(size - 63)
    assert decode_newland(report) == ReportPart(data, continued=False)


def test_what_was_captured_is_a_reading_of_seven_reports() -> None:
    captured = [entry for entry in load("hid_honeywell")["frames"] if entry["provenance"] == "captured"]
    parts = [decode_honeywell(bytes.fromhex(entry["hex"])) for entry in captured]
    assert [part.continued for part in parts] == [True] * 5 + [False, False]
    for entry, part in zip(captured, parts, strict=True):
        assert part == ReportPart(entry["decoded"]["data"].encode(), entry["decoded"]["more"] == 1)
    text = b"".join(part.data for part in parts[:6])
    assert text.startswith(b"Product Name: Voyager 1602g\r\n")
    assert b"Software Part Number: CW000082BBA\r\n" in text
    assert text.endswith(b"Checksum: N/A\r\n")


def field(at: int, value: int) -> bytes:
    """A sound report with one byte changed."""
    report = bytearray(honeywell(b"2130"))
    report[at] = value
    return bytes(report)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (field(0, 3), "report 03 holds no reading"),
        (field(1, 0), "a length of 0"),
        (field(1, 57), "a length of 57"),
        (field(2, 0x43), "no identifier"),
        (field(63, 2), "02 does not say whether another report follows"),
        (field(0, 2)[:-1], "has 64 bytes"),
    ],
)
def test_a_report_in_which_one_field_is_wrong_is_refused(raw: bytes, reason: str) -> None:
    with pytest.raises(FrameError, match=reason):
        decode_honeywell(raw)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\xfe\x01", "feature: speak in HID reports"),
        (b"\xfd\x03\x16\x07\x0d", "command: beep"),
        (b"\xfd\x0f\x16M\rREVINF.", "command: menu REVINF."),
        (honeywell(b"2130\r"), "card Kh"),
        (honeywell(b"9999"), "not a card: '9999'"),
        (honeywell(b"21\r", more=1), r"part of a reading: '21\x0d'"),
    ],
)
def test_a_report_is_said_in_one_line(raw: bytes, says: str) -> None:
    assert explain_report(raw, HONEYWELL, reader_spec()) == says


@pytest.mark.parametrize(
    "raw", [b"", b"\xfd", b"\xfd\x03\x16\x4d\x0d", b"\xfe\x00", honeywell(b"\xff\xff"), honeywell(b"\r")]
)
@pytest.mark.parametrize("layout", DECODERS)
def test_what_is_neither_report_nor_command_is_refused(raw: bytes, layout: str) -> None:
    with pytest.raises(FrameError):
        explain_report(raw[:62] if layout == NEWLAND else raw, layout, reader_spec())


@given(st.binary(max_size=66), st.sampled_from(sorted(DECODERS)))
def test_arbitrary_bytes_do_no_worse_than_a_frame_error(raw: bytes, layout: str) -> None:
    try:
        assert len(DECODERS[layout](raw).data) <= DATA_LENGTH_MAX
    except FrameError:
        return
