from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import FrameError, LineSetupError, UnknownMessageError
from bridge.wire.spec import DeviceSpec
from bridge.wire.xkeys_reports import (
    CLOCK_MS,
    Backlights,
    Command,
    Descriptor,
    Layout,
    Mode,
    PanelState,
    darken,
    layout_of,
    light,
    read_input,
    write_command,
    write_descriptor,
    write_state,
)
from tests.wire.panels import xk3_spec, xk12_spec, xk16_spec, xk24_report, xk24_spec

XK24, XK16, XK12, XK3 = (layout_of(spec) for spec in (xk24_spec(), xk16_spec(), xk12_spec(), xk3_spec()))


def state(*active: int, **rest: int) -> PanelState:
    return PanelState(
        unit_id=rest.get("unit_id", 0),
        active=frozenset(active),
        program_switch=False,
        answered=False,
        timestamp_ms=rest.get("timestamp_ms", 0),
    )


@pytest.mark.parametrize("key", range(1, 25))
def test_key_n_of_an_xk24_is_a_bit_of_its_column(key: int) -> None:
    assert read_input(xk24_report(key, unit_id=10), XK24) == state(key, unit_id=10)


def test_the_status_says_whether_it_was_asked_for_and_whether_the_program_switch_is_down() -> None:
    for status in range(4):
        said = read_input(bytes([0, status, *bytes(30)]), XK24)
        assert isinstance(said, PanelState)
        assert (said.program_switch, said.answered) == (bool(status & 1), bool(status & 2))


def test_bits_that_are_no_key_are_not_read() -> None:
    assert read_input(bytes([0, 0, 0xC0, *bytes(29)]), XK24) == state()


STATES = st.builds(
    PanelState,
    unit_id=st.integers(0, 255),
    active=st.frozensets(st.integers(1, 24)),
    program_switch=st.booleans(),
    answered=st.booleans(),
    timestamp_ms=st.integers(0, CLOCK_MS - 1),
)


@given(st.sampled_from([XK24, XK16, XK12, XK3]), STATES)
def test_a_state_is_read_as_it_was_written(layout: Layout, drawn: PanelState) -> None:
    written = replace(drawn, active=drawn.active & frozenset(range(1, layout.keys + 1)))
    assert read_input(write_state(written, layout), layout) == written


def test_firmware_and_product_come_in_a_report_of_their_own() -> None:
    descriptor = Descriptor(unit_id=3, firmware=17, product=1029)
    raw = write_descriptor(descriptor, XK24)
    assert raw[:2] == b"\x03\xd6"
    assert raw[10:13] == bytes([17, 0x05, 0x04])
    assert read_input(raw, XK24) == descriptor


def test_other_special_reports_hold_no_keys() -> None:
    with pytest.raises(UnknownMessageError, match="a special report D8 holds no switches"):
        read_input(bytes([0, 0xD8, *bytes(30)]), XK24)


@given(st.binary(max_size=64), st.sampled_from([XK24, XK12]))
def test_arbitrary_bytes_are_a_report_or_a_frame_error(raw: bytes, layout: Layout) -> None:
    try:
        read_input(raw, layout)
    except FrameError:
        return


def test_a_model_without_a_clock_tells_no_time() -> None:
    layout = layout_of(xk24_spec(timestamp_at=0))
    raw = write_state(state(1, timestamp_ms=99), layout)
    assert raw == bytes([0, 0, 1, *bytes(29)])
    assert read_input(raw, layout) == state(1)


def test_a_command_fills_a_report_of_35_bytes() -> None:
    assert write_command(Command.GENERATE) == b"\xb1" + bytes(34)
    assert write_command(Command.BACKLIGHTS, 1, 255) == bytes([0xB6, 1, 255]) + bytes(32)


@pytest.mark.parametrize(
    ("lamp", "place"), [(1, 0), (4, 16), (13, 3), (7, 11), (2, 4), (6, 5), (3, 10), (16, 19), (12, 18)]
)
def test_the_lamps_of_a_stick_stand_in_a_row_with_gaps(lamp: int, place: int) -> None:
    assert light(lamp, Mode.ON, XK16)[:4] == bytes([0xB5, place, 1, 1])


def test_every_lamp_has_a_place_of_its_own() -> None:
    for layout in (XK24, XK16):
        reports = [light(lamp, Mode.FLASHING, layout) for lamp in range(1, layout.lamps + 1)]
        assert len(set(reports)) == layout.lamps
    assert (XK24.lamps, XK16.lamps, XK12.lamps) == (50, 18, 0)
    assert light(17, Mode.ON, XK16)[:3] == bytes([0xB3, 6, 1])


def test_what_a_model_has_not_is_not_put_out() -> None:
    assert [report[:2] for report in darken(XK24)] == [b"\xb6\x00", b"\xb6\x01", b"\xb3\x06", b"\xb3\x07"]
    assert [report[:2] for report in darken(XK16)] == [b"\xb6\x00", b"\xb3\x06", b"\xb3\x07"]
    assert darken(XK12) == ()


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (xk24_spec(inputs=25), "4 columns of 6 are 24 inputs and 50 lamps at most"),
        (xk24_spec(outputs=51), "4 columns of 6 are 24 inputs and 50 lamps at most"),
        (xk24_spec(timestamp_at=5), "4 columns and a time at byte 5 do not fit into a report of 32 bytes"),
        (xk24_spec(timestamp_at=29), "do not fit into a report of 32 bytes"),
        (xk24_spec(report_bytes=8, columns=7, timestamp_at=0), "do not fit into a report of 8 bytes"),
    ],
)
def test_a_layout_that_its_reports_cannot_hold_is_refused(spec: DeviceSpec, reason: str) -> None:
    with pytest.raises(LineSetupError, match=reason):
        layout_of(spec)


def test_a_model_without_backlights_has_no_red_ones() -> None:
    assert layout_of(xk24_spec(outputs=2, backlights=Backlights.NONE.value)).lamps == 2
