from typing import Any

import pytest
from hypothesis import given, strategies as st

from bridge.wire.blinkstick_reports import (
    DARK,
    STRIP_REPORTS,
    Colour,
    LedCount,
    Mode,
    SetLeds,
    decode_report,
    encode_strip,
    explain,
    report_length,
    strip_colours,
    strip_report,
)
from bridge.wire.errors import FrameError, UnknownMessageError
from tests.test_frames import label, load
from tests.wire.cables import lamps_spec
from tests.wire.lamp_makers_driver import Device, Transfer, driver_of

COLOURS = st.builds(Colour, *[st.integers(0, 255)] * 3)
RED, GREEN = Colour(255, 0, 0), Colour(0, 255, 0)


@given(st.lists(COLOURS, min_size=1, max_size=64))
def test_the_makers_driver_writes_the_same_strip(colours: list[Colour]) -> None:
    device = Device()
    driver_of(device).set_led_data(0, [part for red, green, blue in colours for part in (green, red, blue)])
    (transfer,) = device.transfers
    report = encode_strip(colours)
    assert (transfer.request_type, transfer.request) == (0x20, 0x09)
    assert (transfer.value, transfer.data[1:]) == (report[0], report[1:])


@given(st.lists(COLOURS, min_size=1, max_size=64))
def test_the_makers_driver_reads_the_same_strip(colours: list[Colour]) -> None:
    report = encode_strip(colours)
    device = Device(lambda _: report)
    read = driver_of(device).get_led_data(3 * len(colours))
    shown = strip_colours(report)
    assert list(read)[: 3 * len(colours)] == [part for red, green, blue in colours for part in (green, red, blue)]
    assert shown[: len(colours)] == tuple(colours)
    assert set(shown[len(colours) :]) <= {DARK}
    (transfer,) = device.transfers
    assert (transfer.value, transfer.length) == (strip_report(len(colours)), report_length(report[0]))


@given(st.integers(0, 63), COLOURS)
def test_what_the_makers_driver_tells_of_one_led_is_understood(index: int, colour: Colour) -> None:
    device = Device()
    driver_of(device).set_color(0, index, *colour)
    (transfer,) = device.transfers
    assert decode_report(transfer.value, transfer.data) == SetLeds(index + 1, (colour,))


def test_what_the_makers_driver_says_of_the_mode_is_understood() -> None:
    device = Device(lambda transfer: bytes((transfer.value, 2)))
    driver = driver_of(device)
    driver.set_mode(2)
    assert driver.get_mode() == 2
    assert driver.get_led_count() == 2
    told, mode, count = device.transfers
    assert decode_report(told.value, told.data) == Mode(2)
    assert (mode.value, mode.length) == (4, report_length(4))
    assert (count.value, count.length) == (0x81, report_length(0x81))
    assert decode_report(0x81, b"\x81\x08") == LedCount(8)


@pytest.mark.parametrize("entry", load("blinkstick")["frames"], ids=label)
def test_the_makers_driver_transfers_the_known_report(entry: dict[str, Any]) -> None:
    device = Device()
    driver = driver_of(device)
    match entry["id"]:
        case "bs-d-index3-red":
            driver.set_color(0, 3, 255, 0, 0)
        case "bs-d-index0-green":
            driver.set_color(0, 0, 0, 255, 0)
        case "bs-d-mode-ws2812":
            driver.set_mode(2)
        case "bs-d-frame8":
            driver.set_led_data(0, [0, 255, 0])
            assert encode_strip([RED]) == b"\x06" + bytes.fromhex(entry["hex"])[1:]
        case unknown:
            raise AssertionError(unknown)
    setup = bytes.fromhex(entry["decoded"]["setup_packet"])
    assert device.transfers == [Transfer(setup[0], setup[1], setup[2], bytes.fromhex(entry["hex"]), 0)]


@pytest.mark.parametrize(("leds", "report"), [(1, 6), (8, 6), (9, 7), (16, 7), (17, 8), (32, 8), (33, 9), (64, 9)])
def test_a_strip_has_the_shortest_report_that_holds_it(leds: int, report: int) -> None:
    assert strip_report(leds) == report
    assert STRIP_REPORTS[report] >= leds


@pytest.mark.parametrize(
    ("report", "raw"),
    [
        (1, b"\x01\x00\x00"),
        (5, b"\x05\x01\x00\x01\x02\x03"),
        (6, b"\x06\x02" + bytes(24)),
        (6, bytes(27)),
        (2, bytes(33)),
        (0, b""),
    ],
)
def test_what_is_no_report_of_the_first_channel_is_refused(report: int, raw: bytes) -> None:
    with pytest.raises(FrameError):
        decode_report(report, raw)


def test_an_unknown_report_is_unknown() -> None:
    with pytest.raises(UnknownMessageError, match="report 02 is not one of colours, mode or count"):
        decode_report(2, bytes(33))


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (encode_strip([RED, DARK, GREEN]), "LEDs 1-8: 1 FF0000, 3 00FF00"),
        (encode_strip([DARK] * 9), "LEDs 1-16: all dark"),
        (b"\x04\x00", "mode 0"),
        (b"\x81\x08", "8 LEDs"),
        (b"\x01\x01\x02\x03", "LED 1: 010203"),
    ],
)
def test_a_report_is_said_in_one_line(raw: bytes, says: str) -> None:
    assert explain(raw, lamps_spec()) == says


@given(st.binary(max_size=200))
def test_arbitrary_bytes_explain_to_something_or_a_frame_error(raw: bytes) -> None:
    try:
        assert explain(raw, lamps_spec())
    except FrameError:
        return
