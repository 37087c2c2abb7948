import pytest
from hypothesis import given, strategies as st

from bridge.wire.blinkstick_reports import DARK, Colour, encode_strip, explain
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.hid_reports import Report, ReportKind, ask_feature, pack
from bridge.wire.messages import (
    EVIDENCE_MAX,
    ClearBanner,
    FaultCause,
    FrameFault,
    OutputFailed,
    OutputReported,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.protocols.blinkstick import FAMILY, LampStrip
from bridge.wire.spec import Unit
from simulators.blinkstick import BlinkStick
from tests.wire.cables import MILLISECOND, lamps_spec
from tests.wire.virtual_line import SimulatedEnd

SECOND = 1000 * MILLISECOND
ANSWERING = UnitAnswering(address=0, active_inputs=frozenset())
GREEN, RED = Colour(0, 255, 0), Colour(255, 0, 0)
ASK_STRIP = pack(ask_feature(6, 26))


def strip(device: BlinkStick | None = None, *, outputs: int = 8, **parameters: int | bool | str) -> SimulatedEnd:
    device = device or BlinkStick(outputs)
    return SimulatedEnd(LampStrip([Unit(address=0, spec=lamps_spec(outputs=outputs, **parameters))]), device)


def device_of(line: SimulatedEnd) -> BlinkStick:
    assert isinstance(line.device, BlinkStick)
    return line.device


def lamp(channel: int, *, active: bool = True) -> SetOutput:
    return SetOutput(address=0, channel=channel, active=active)


def reported(channel: int, *, active: bool) -> OutputReported:
    return OutputReported(address=0, channel=channel, active=active)


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


def test_a_lost_line_is_told_and_lamps_are_lit_again_when_it_is_back() -> None:
    line = strip()
    line.order(lamp(1))
    line.run(SECOND)
    assert line.lose() == [UnitSilent(address=0, reason="lamps (strip) is out of reach: its line is gone")]
    assert line.lose() == []
    device_of(line).power_cycle()
    assert line.run(SECOND)[0] == ANSWERING
    assert device_of(line).colours[0] == GREEN


def test_records_that_nobody_asked_for_are_counted_and_disturb_nothing() -> None:
    line = strip()
    line.run(SECOND)
    line.say(pack(Report(ReportKind.INPUT, b"hello")) + b"\xff" * 300)
    line.order(lamp(1))
    line.run(SECOND)
    (fault,) = line.said(FrameFault)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, len(fault.raw)) == (FaultCause.JUNK, EVIDENCE_MAX)
    assert device_of(line).colours[0] == GREEN


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


def test_what_a_strip_has_not_is_refused() -> None:
    with pytest.raises(OrderError, match="unit 0 has no output 9"):
        strip().order(lamp(9))
    with pytest.raises(OrderError, match="a lamp shows no text"):
        strip().order(ClearBanner(address=0))


@pytest.mark.parametrize("outputs", [0, 65])
def test_a_profile_needs_as_many_lamps_as_a_device_may_have(outputs: int) -> None:
    with pytest.raises(LineSetupError, match="a BlinkStick has 1 to 64 LEDs"):
        LampStrip([Unit(address=0, spec=lamps_spec(outputs=outputs))])


def test_lamps_that_look_the_same_on_and_off_are_refused() -> None:
    with pytest.raises(LineSetupError, match="on and off are both 00FF00"):
        strip(off_green=255)


def test_a_strip_has_its_line_to_itself() -> None:
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        LampStrip([Unit(address=0, spec=lamps_spec())] * 2)


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "blinkstick"
    assert list(FAMILY.addresses) == [0]
    assert not FAMILY.reads_cards
    assert FAMILY.explain is explain


@given(st.lists(st.tuples(st.integers(1, 700_000), st.binary(max_size=300)), max_size=10))
def test_whatever_arrives_is_bounded_and_the_lamp_is_lit_in_the_end(reads: list[tuple[int, bytes]]) -> None:
    line = strip()
    line.order(lamp(1))
    for wait_us, data in reads:
        line.run(wait_us)
        line.say(data)
    for message in line.run(10 * SECOND):
        assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
    assert device_of(line).colours[0] == GREEN
    assert line.said(OutputReported)[-1] == reported(1, active=True) or RED not in device_of(line).colours
