import pytest

from bridge.wire.blinkstick_reports import DARK, Colour, encode_strip
from bridge.wire.errors import LineSetupError
from bridge.wire.hid_reports import Report, ReportKind, ask_feature, pack
from bridge.wire.messages import (
    FaultCause,
    FrameFault,
    OutputFailed,
    OutputReported,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.protocols.blinkstick import LampLine
from bridge.wire.spec import Unit
from simulators.blinkstick import BlinkStick
from tests.wire.cables import MILLISECOND, lamps_spec
from tests.wire.strips import ANSWERING, ASK_STRIP, GREEN, RED, SECOND, device_of, lamp, reported, strip


def test_the_device_answers_and_its_lamps_are_read() -> None:
    line = strip(outputs=2)
    assert line.run(SECOND) == [ANSWERING, reported(1, active=False), reported(2, active=False)]
    assert line.requests[0] == pack(ask_feature(4, 2)), "the mode comes first"


def test_a_lamp_that_is_ordered_shines_in_its_colour_and_is_read_back_at_once() -> None:
    line = strip(on_red=1, on_green=2, on_blue=3, off_blue=9)
    line.run(SECOND)
    line.requests.clear()
    line.order(lamp(3))
    assert line.run(10 * MILLISECOND) == [reported(3, active=True)]
    off = Colour(0, 0, 9)
    assert device_of(line).colours == (off, off, Colour(1, 2, 3), *[off] * 5)
    (told,) = line.requests
    shown = encode_strip(device_of(line).colours)
    assert told == pack(Report(ReportKind.FEATURE, shown)) + ASK_STRIP, "one report for the strip"
    line.order(lamp(3, active=False))
    assert line.run(10 * MILLISECOND) == [reported(3, active=False)]


def test_before_anything_was_written_a_lamp_is_on_that_shines() -> None:
    device = BlinkStick(2)
    device.set_by_another(2, RED)
    assert strip(device, outputs=2, off_blue=9).run(SECOND)[1:] == [
        reported(1, active=False),
        reported(2, active=True),
    ]


@pytest.mark.parametrize("outputs", [1, 8, 9, 32, 64])
def test_strips_of_every_length_are_told_and_read(outputs: int) -> None:
    line = strip(outputs=outputs)
    line.order(lamp(outputs))
    line.run(SECOND)
    assert device_of(line).colours == (*[DARK] * (outputs - 1), GREEN)
    assert line.said(OutputReported)[-1] == reported(outputs, active=True)


def test_t49_a_broken_lamp_is_told_once_and_tried_again() -> None:
    device = BlinkStick()
    device.stick(2)
    line = strip(device, retries=2)
    line.order(lamp(1), lamp(2))
    line.run(5 * SECOND)
    assert line.said(OutputFailed) == [OutputFailed(address=0, channel=2, commanded=True)]


def test_t49_a_lamp_that_cannot_be_put_out_has_failed() -> None:
    device = BlinkStick()
    device.stick(2, GREEN)
    line = strip(device)
    line.order(lamp(2, active=False))
    line.run(5 * SECOND)
    assert line.said(OutputFailed) == [OutputFailed(address=0, channel=2, commanded=False)]


@pytest.mark.parametrize("active", [True, False])
def test_a_colour_that_nobody_ordered_is_put_right(active: bool) -> None:
    line = strip()
    line.order(lamp(1, active=active))
    line.run(SECOND)
    device_of(line).set_by_another(1, Colour(7, 7, 7))
    messages = line.run(SECOND)
    assert messages == [reported(1, active=not active), reported(1, active=active)]
    assert device_of(line).colours[0] == (GREEN if active else DARK)


def test_a_lamp_that_goes_out_by_itself_is_lit_again() -> None:
    line = strip()
    line.order(lamp(1))
    line.run(SECOND)
    device_of(line).power_cycle()
    line.run(SECOND)
    assert device_of(line).colours[0] == GREEN


@pytest.mark.parametrize("mode", [0, 1, 3])
def test_a_device_whose_leds_are_not_set_one_by_one_is_refused_until_it_is_set_right(mode: int) -> None:
    device = BlinkStick(mode=mode)
    line = strip(device)
    line.order(lamp(1))
    (refused,) = line.run(3 * SECOND)
    assert isinstance(refused, UnitRefused)
    assert f"is in mode {mode}" in refused.reason
    assert "set it to mode 2 with its maker's program" in refused.reason
    assert device.colours[0] == DARK
    device.mode = 2
    assert line.run(SECOND)[0] == ANSWERING
    assert device.colours[0] == GREEN


def test_a_model_without_modes_is_not_asked_for_one() -> None:
    line = strip(check_mode=False)
    line.run(SECOND)
    assert set(line.requests) == {ASK_STRIP}


def test_a_device_that_does_not_answer_is_silent_and_comes_back_with_its_lamps() -> None:
    line = strip(retries=2, reply_timeout_ms=100)
    line.order(lamp(1))
    line.run(SECOND)
    line.to_host = lambda _: b""
    messages = line.run(3 * SECOND)
    assert [type(message) for message in messages if not isinstance(message, OutputFailed)] == [
        FrameFault,
        FrameFault,
        UnitSilent,
    ]
    assert "check that it is plugged in" in str(messages[-1])
    device_of(line).power_cycle()
    line.to_host = bytes
    assert line.run(2 * SECOND)[0] == ANSWERING
    assert device_of(line).colours[0] == GREEN


def test_a_device_that_never_answered_is_told_silent_once() -> None:
    line = strip()
    line.to_device = lambda _: b""
    messages = line.run(10 * SECOND)
    assert [type(message) for message in messages] == [FrameFault, FrameFault, UnitSilent]
    assert {message.cause for message in messages if isinstance(message, FrameFault)} == {FaultCause.TIMEOUT}


def test_something_else_in_the_place_of_an_answer_is_no_answer() -> None:
    line = strip(retries=1)
    line.run(SECOND)
    line.to_host = lambda _: pack(Report(ReportKind.FEATURE, b"\x04\x02"))
    (fault, silent) = line.run(SECOND)[:2]
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.reason) == (
        FaultCause.JUNK,
        "the device was asked for report 06, and this is no answer to that",
    )
    assert isinstance(silent, UnitSilent)


@pytest.mark.parametrize("outputs", [0, 65])
def test_a_profile_needs_as_many_lamps_as_a_device_may_have(outputs: int) -> None:
    with pytest.raises(LineSetupError, match="a BlinkStick has 1 to 64 LEDs"):
        LampLine([Unit(address=0, spec=lamps_spec(outputs=outputs))])


def test_lamps_that_look_the_same_on_and_off_are_refused() -> None:
    with pytest.raises(LineSetupError, match="on and off are both 00FF00"):
        strip(off_green=255)
