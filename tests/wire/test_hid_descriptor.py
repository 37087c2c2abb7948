import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import FrameError
from bridge.wire.hid_descriptor import ReportDescriptor, read_report_descriptor

# The mouse and the keyboard of the HID specification's own appendices (E.10 and B.1, shortened to what counts).
MOUSE = bytes.fromhex(
    "05 01 09 02 A1 01 09 01 A1 00 05 09 19 01 29 03 15 00 25 01 95 03 75 01 81 02 95 01 75 05 81 01"
    "05 01 09 30 09 31 15 81 25 7F 75 08 95 02 81 06 C0 C0"
)
KEYBOARD = bytes.fromhex(
    "05 01 09 06 A1 01 05 07 19 E0 29 E7 15 00 25 01 75 01 95 08 81 02 95 01 75 08 81 01 95 05 75 01 05 08"
    "19 01 29 05 91 02 95 01 75 03 91 01 95 06 75 08 15 00 25 65 05 07 19 00 29 65 81 00 C0"
)


def test_the_mouse_of_the_specification() -> None:
    assert read_report_descriptor(MOUSE) == ReportDescriptor(
        usages=frozenset({(1, 2)}), numbered=False, input_length=3
    )


def test_the_keyboard_of_the_specification() -> None:
    descriptor = read_report_descriptor(KEYBOARD)

    assert descriptor == ReportDescriptor(usages=frozenset({(1, 6)}), numbered=False, input_length=8)
    assert descriptor.has(1, 6)
    assert descriptor.has(1, None)
    assert descriptor.has(None, None)
    assert not descriptor.has(1, 2)
    assert not descriptor.has(0x0C, None)


def test_several_collections_and_numbered_reports() -> None:
    both = bytes.fromhex(
        "05 0C 09 01 A1 01 85 03 75 08 95 02 81 02 C0"  # consumer control, report 3 of 2 bytes
        "06 00 FF 0A 34 12 A1 01 85 04 95 3F 81 02 C0"  # a page of the maker's, report 4 of 63
    )

    assert read_report_descriptor(both) == ReportDescriptor(
        usages=frozenset({(0x0C, 1), (0xFF00, 0x1234)}), numbered=True, input_length=64
    )


def test_numbers_of_feature_reports_alone_count_too() -> None:
    features = bytes.fromhex("06 00 FF 09 01 A1 01 85 65 75 08 95 07 B1 02 C0")

    assert read_report_descriptor(features) == ReportDescriptor(
        usages=frozenset({(0xFF00, 1)}), numbered=True, input_length=0
    )


def test_what_was_pushed_comes_back_and_a_usage_of_four_bytes_has_its_own_page() -> None:
    pushed = bytes.fromhex("05 0C A4 05 01 B4 09 01 A1 01 C0 0B 02 00 8C 00 A1 01 C0 FE 01 77 99")

    assert read_report_descriptor(pushed).usages == {(0x0C, 1), (0x8C, 2)}


@pytest.mark.parametrize("raw", ["", "05", "05 01", "05 01 09 06", "FE", "FE 04 00 00", "27 00 00"])
def test_bytes_that_describe_nothing_are_refused(raw: str) -> None:
    with pytest.raises(FrameError, match="report descriptor"):
        read_report_descriptor(bytes.fromhex(raw))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        descriptor = read_report_descriptor(raw)
    except FrameError:
        return
    assert descriptor.usages
