import pytest
from hypothesis import given, strategies as st

from bridge.wire.delcom_text import explain
from bridge.wire.errors import FrameError
from tests.wire.buttons import button_spec

SPEC = button_spec()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("65 0C 01 06 00 00 00 00", "order LEDs: 1 on, 2, 3 off"),
        ("65 0C 00 00 00 00 00 00", "order LEDs: none"),
        ("65 14 01 06 00 00 00 00", "order flashing: 2, 3 on, 1 off"),
        ("65 19 07 00 00 00 00 00", "order synchronise: 1, 2, 3"),
        ("65 19 00 00 00 00 00 00", "order synchronise: none"),
        ("65 22 02 50 00 00 00 00", "order brightness of LED 3: 80 %"),
        ("65 26 01 00 00 00 00 00", "order count presses: of the switch"),
        ("65 26 09 00 00 00 00 00", "order count presses: of pins 0, 3"),
        ("65 26 00 00 00 00 00 00", "order count presses: of nothing"),
        ("65 48 C0 00 00 00 00 00", "order on a press: beep, put out LEDs"),
        ("65 48 00 00 00 00 00 00", "order on a press: nothing"),
        ("66 46 01 04" + " 00" * 12, "order beeper: on, pitch 4"),
        ("66 46 00 00" + " 00" * 12, "order beeper: off"),
        ("64 FF FF 00 FF 00 00 00 00", "ports: switch up, none lit"),
        ("64 FE FA 00 FF 00 00 00 00", "ports: switch pressed, 1, 3 lit"),
        ("08 03 00 00 00 00 00 00 00", "presses: 3"),
        ("08 03 00 00 00 FF 00 00 00", "presses: 3, and more than could be counted"),
        ("0A 4E 61 BC 00 3A 05 0B 13", "device 12345678: firmware 58 of 2019-11-05"),
    ],
)
def test_a_report_says_what_it_means(raw: str, says: str) -> None:
    assert explain(bytes.fromhex(raw), SPEC) == says


def test_a_switch_may_be_the_other_way_round() -> None:
    said = explain(bytes.fromhex("64 FF FF 00 FF 00 00 00 00"), button_spec(active_low=False))
    assert said == "ports: switch pressed, none lit"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "a report begins with its number"),
        ("63 00 00 00 00 00 00 00 00", "a device has no report 99 that is known here"),
        ("64 FF FF", "an answer has 8 bytes"),
        ("65 63 00 00 00 00 00 00", "command 99 is not one that is known here"),
        ("65 0C", "an order has 8 bytes"),
    ],
)
def test_what_is_no_report_is_refused(raw: str, reason: str) -> None:
    with pytest.raises(FrameError, match=reason):
        explain(bytes.fromhex(raw), SPEC)


@given(st.binary(max_size=20))
def test_arbitrary_bytes_say_something_or_are_a_frame_error(raw: bytes) -> None:
    try:
        assert explain(raw, SPEC)
    except FrameError:
        return
