import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import FrameError, UnknownMessageError
from bridge.wire.spec import DeviceSpec
from bridge.wire.xkeys_text import explain
from tests.wire.panels import xk12_spec, xk16_spec, xk24_report, xk24_spec

XK24, XK12 = xk24_spec(), xk12_spec()


def output(*start: int) -> bytes:
    return bytes([*start, *bytes(35 - len(start))])


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (xk24_report(7, 1, clock_ms=116_203), "panel 10: 1, 7 active, 116203 ms"),
        (xk24_report(answered=True), "panel 10 answers: none active, 0 ms"),
        (bytes([4, 1, *bytes(30)]), "panel 4: none active, program switch, 0 ms"),
        (bytes([10, 0xD6, *bytes(8), 17, 5, 4, *bytes(19)]), "panel 10: firmware 17, product 1029"),
        (output(0xB1), "tell the state"),
        (output(0xD6), "tell firmware and product"),
        (output(0xB5, 0x08, 1, 1), "lamp 7 on"),
        (output(0xB5, 0x3D, 2, 1), "lamp 48 flashing"),
        (output(0xB5, 0x06, 0, 1), "lamp at 6 off"),
        (output(0xB3, 6, 2), "green indicator flashing"),
        (output(0xB3, 7, 0), "red indicator off"),
        (output(0xB3, 5, 1), "indicator 5 on"),
        (output(0xB6, 0, 255), "blue lamps at 255"),
        (output(0xB6, 1), "red lamps at 0"),
        (output(0xB4, 127), "flash rate 127"),
        (output(0xBB, 100, 99), "intensity 100, 99"),
        (output(0xBD, 42), "write the unit id 42 to EEPROM"),
        (output(0xC7, 1), "write the lamps at power-up to EEPROM"),
        (output(0xEE), "restart"),
        (b"\x00" + output(0xB1), "tell the state"),
    ],
)
def test_a_report_says_what_it_means(raw: bytes, says: str) -> None:
    assert explain(raw, XK24) == says


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\x00" + output(0xD6), "tell firmware and product"),
        (bytes([0, 0xD6, *bytes(8), 17, 0xA8, 4, *bytes(23)]), "panel 0: firmware 17, product 1192"),
        (bytes([0, 0, 1, *bytes(33)]), "panel 0: 1 active, 0 ms"),
        (b"\x00" + output(0xB5, 0, 1, 1), "lamp at 0 on"),
    ],
)
def test_reports_of_36_bytes_either_way_are_told_apart(raw: bytes, says: str) -> None:
    assert explain(raw, XK12) == says


def test_lamps_are_named_as_the_profile_counts_them() -> None:
    assert explain(output(0xB5, 16, 1, 1), xk16_spec()) == "lamp 4 on"


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(UnknownMessageError, match="command AA is not one that is known here"):
        explain(output(0xAA), XK24)
    with pytest.raises(FrameError, match="a lamp is off, on or flashing, and not 3"):
        explain(output(0xB5, 0, 3, 1), XK24)
    with pytest.raises(FrameError, match="32 bytes, not 3"):
        explain(b"\x00\x01\x02", XK24)


def test_a_profile_that_makes_no_sense_is_told_where_its_examples_are() -> None:
    with pytest.raises(FrameError, match="are 24 inputs and 50 lamps at most"):
        explain(output(0xB1), xk24_spec(inputs=30))


@given(st.binary(max_size=40) | st.binary(min_size=35, max_size=36), st.sampled_from([XK24, XK12]))
def test_arbitrary_bytes_say_something_or_are_a_frame_error(raw: bytes, spec: DeviceSpec) -> None:
    try:
        assert explain(raw, spec)
    except FrameError:
        return
