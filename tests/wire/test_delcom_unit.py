import pytest

from bridge.wire.delcom_unit import LightedButton
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import (
    FrameFault,
    InputChanged,
    OutputFailed,
    OutputReported,
    ReportLost,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from bridge.wire.spec import Unit
from tests.wire.buttons import SECOND, ButtonBench, button_spec, feature
from tests.wire.cables import MILLISECOND

DOWN, UP = (InputChanged(address=0, channel=1, active=active) for active in (True, False))
POLL = 40 * MILLISECOND


def lit(led: int, *, active: bool) -> OutputReported:
    return OutputReported(address=0, channel=led, active=active)


def order(*start: int, length: int = 8) -> bytes:
    return bytes([*start, *bytes(length - len(start))])


def reason_of(message: WireMessage) -> str:
    assert isinstance(message, UnitSilent | FrameFault)
    return message.reason


# --- getting to know it ---------------------------------------------------------------------------------------


def test_a_button_that_is_found_is_asked_what_it_is_set_up_and_looked_at() -> None:
    bench = ButtonBench()
    bench.count = 5
    bench.run(20 * MILLISECOND)
    assert bench.asked[:3] == [10, 8, 100]
    assert bench.orders[:6] == [
        order(0x65, 38, 1),
        order(0x65, 72, 0),
        order(0x65, 20, 15),
        *(order(0x65, 34, pin, 80) for pin in range(3)),
    ]
    assert bench.messages[0] == UnitAnswering(address=0, active_inputs=frozenset())
    bench.run(POLL)
    assert not bench.said(InputChanged), "presses from before are nobody's"


def test_a_button_that_is_held_down_when_it_is_found_is_a_level() -> None:
    bench = ButtonBench()
    bench.press()
    bench.run(POLL)
    assert bench.messages[0] == UnitAnswering(address=0, active_inputs=frozenset({1}))
    assert not bench.said(InputChanged)


def test_it_beeps_by_itself_and_shines_as_bright_as_its_profile_says() -> None:
    bench = ButtonBench(button_spec(beep_on_press=True, brightness=30))
    bench.run(POLL)
    assert order(0x65, 72, 0x80) in bench.orders
    assert order(0x65, 34, 2, 30) in bench.orders


# --- the switch -----------------------------------------------------------------------------------------------


def test_a_press_is_told_once_however_long_it_lasts() -> None:
    bench = ButtonBench().in_service()
    bench.press()
    bench.run(500 * MILLISECOND)
    bench.release()
    bench.run(500 * MILLISECOND)
    assert bench.messages == [DOWN, UP]


def test_a_press_that_was_over_between_two_looks_is_told() -> None:
    bench = ButtonBench().in_service()
    bench.run_until(lambda: bench.asked[-2:] == [8, 100])
    bench.tap()
    bench.run(500 * MILLISECOND)
    assert bench.messages == [DOWN, UP]


@pytest.mark.parametrize("moment", [[8], [100], [8, 100, 8], [100, 8, 100]])
@pytest.mark.parametrize("length_ms", [0, 1, 5, 30, 45, 61, 100])
def test_a_press_is_told_exactly_once_whenever_it_begins_and_ends(moment: list[int], length_ms: int) -> None:
    bench = ButtonBench().in_service()
    bench.run_until(lambda: bench.asked[-len(moment) :] == moment)
    bench.press()
    if length_ms:
        bench.run(length_ms * MILLISECOND)
    bench.release()
    bench.run(500 * MILLISECOND)
    assert bench.said(InputChanged) == [DOWN, UP]


def test_a_contact_that_bounces_when_it_is_let_go_is_no_second_press() -> None:
    bench = ButtonBench().in_service()
    bench.press()
    bench.run(100 * MILLISECOND)
    bench.release()
    bench.run_until(lambda: UP in bench.messages)
    bench.count += 2
    bench.run(500 * MILLISECOND)
    assert bench.messages == [DOWN, UP]


def lost_presses(bench: ButtonBench) -> list[str]:
    return [message.reason for message in bench.messages if isinstance(message, ReportLost)]


def test_presses_that_could_not_be_counted_are_told_as_lost_and_as_one_press() -> None:
    bench = ButtonBench().in_service()
    bench.overflown = True  # and its count has gone on at 0
    bench.run(500 * MILLISECOND)
    assert bench.said(InputChanged) == [DOWN, UP]
    assert lost_presses(bench) == ["button (button) has counted more presses than it can tell: poll it more often"]


def test_of_a_switch_that_is_down_uncounted_presses_are_told_as_lost_beside_what_it_shows() -> None:
    bench = ButtonBench().in_service()
    bench.press()
    bench.overflown = True
    bench.run(500 * MILLISECOND)
    assert bench.said(InputChanged) == [DOWN]
    assert len(lost_presses(bench)) == 1


def test_presses_that_could_not_be_counted_before_a_button_was_found_are_nobodys() -> None:
    bench = ButtonBench()
    bench.count, bench.overflown = 7, True
    bench.run(500 * MILLISECOND)
    assert not lost_presses(bench)
    assert not bench.said(InputChanged)


def test_a_switch_may_be_the_other_way_round() -> None:
    bench = ButtonBench(button_spec(active_low=False)).in_service()
    bench.press()
    bench.run(POLL)
    assert bench.messages == [DOWN]


def test_a_model_without_switch_has_no_input() -> None:
    bench = ButtonBench(button_spec(inputs=0)).in_service()
    bench.press()
    bench.run(POLL)
    bench.tap()
    bench.run(POLL)
    assert bench.messages == []


def test_answers_that_begin_with_their_number_are_understood() -> None:
    bench = ButtonBench(button_spec(numbered_answers=True)).in_service()
    bench.press()
    bench.run(POLL)
    assert bench.messages == [DOWN]


# --- lamps ----------------------------------------------------------------------------------------------------


def test_lamps_are_written_together_in_front_of_the_next_look_and_read_back_with_it() -> None:
    bench = ButtonBench(button_spec(poll_period_ms=1000)).in_service()
    bench.switch(0, 1, active=True)
    bench.switch(0, 3, active=True)
    bench.run(10 * MILLISECOND)
    assert bench.orders == [order(0x65, 12, 0b101, 0b010)]
    assert bench.messages == [lit(1, active=True), lit(3, active=True)]
    bench.switch(0, 1, active=False)
    bench.run(10 * MILLISECOND)
    assert bench.orders[1:] == [order(0x65, 12, 0b100, 0b011)]
    assert bench.messages[2:] == [lit(1, active=False)]


def test_a_model_with_one_lamp_does_not_touch_the_others() -> None:
    bench = ButtonBench(button_spec(outputs=1)).in_service()
    bench.switch(0, 1, active=True)
    bench.run(POLL)
    assert bench.orders == [order(0x65, 12, 1, 0)]
    with pytest.raises(OrderError, match=r"button \(button\) has no output 2; it has 1"):
        bench.switch(0, 2, active=True)


def test_a_lamp_that_does_not_take_has_failed() -> None:
    bench = ButtonBench().in_service()
    bench.stuck = True
    bench.switch(0, 2, active=True)
    bench.run(500 * MILLISECOND)
    assert bench.messages == [OutputFailed(address=0, channel=2, commanded=True)]


def test_the_beeper_is_switched_on_and_off_and_never_reported() -> None:
    bench = ButtonBench().in_service()
    for active in (True, True, False):
        bench.switch(0, 4, active=active)
        bench.run(POLL)
    assert bench.orders == [order(0x66, 70, 1, 4, length=16), order(0x66, 70, length=16)]
    assert bench.messages == []


def test_after_a_replug_the_whole_state_is_sent_again() -> None:
    bench = ButtonBench().in_service()
    bench.switch(0, 2, active=True)
    bench.switch(0, 4, active=True)
    bench.run(POLL)
    bench.messages.clear()
    bench.replug()
    bench.run(100 * MILLISECOND)
    assert bench.orders[6:] == [order(0x65, 12, 0b010, 0b101), order(0x66, 70, 1, 4, length=16)]
    assert [type(message) for message in bench.messages[:2]] == [UnitSilent, UnitAnswering]
    assert lit(2, active=True) in bench.messages
    assert bench.counting


# --- trouble --------------------------------------------------------------------------------------------------


def test_a_button_that_does_not_answer_is_silent_until_it_does() -> None:
    bench = ButtonBench(button_spec(reply_timeout_ms=100)).in_service()
    bench.switch(0, 1, active=True)
    bench.run(POLL)
    bench.alive = False
    bench.run(2 * SECOND)
    assert [reason_of(message) for message in bench.said(UnitSilent)] == [
        "button (button) does not answer: unplug it and plug it in again"
    ]
    bench.alive = True
    bench.run(2 * SECOND)
    assert bench.said(UnitAnswering)
    assert bench.leds == 0xFE


def test_a_late_answer_is_not_taken_for_that_to_another_question() -> None:
    bench = ButtonBench(button_spec(reply_timeout_ms=100)).in_service()
    bench.count = 1 << 24 | 0xFFFFFE
    bench.run_until_in_vain(8)
    bench.answer(bench.now_us + 150 * MILLISECOND, feature(bytes.fromhex("FE FF FF 01 00 00 00 00")))
    bench.run(SECOND)
    assert bench.asked[bench.asked.index(8) :][1:3] == [10, 8], (
        "it is asked what it is before anything is believed"
    )
    assert not bench.said(InputChanged, OutputReported, UnitSilent)


def test_a_device_that_is_another_than_before_is_asked_anew() -> None:
    bench = ButtonBench(button_spec(reply_timeout_ms=100)).in_service()
    bench.alive = False
    bench.run(150 * MILLISECOND)
    bench.alive = True
    bench.identity = bytes([1, *bench.identity[1:]])
    bench.run(3 * SECOND)
    assert [type(message) for message in bench.said(UnitSilent, UnitAnswering)] == [UnitSilent, UnitAnswering]


def test_lamps_that_cannot_be_read_back_are_tried_again() -> None:
    bench = ButtonBench(button_spec(reply_timeout_ms=100, retries=5)).in_service()
    bench.switch(0, 1, active=True)
    bench.run_until_in_vain(100)
    bench.run(SECOND)
    assert bench.said(OutputReported) == [lit(1, active=True)]


@pytest.mark.parametrize(("inputs", "outputs"), [(2, 1), (1, 5)])
def test_more_than_a_device_has_is_refused(inputs: int, outputs: int) -> None:
    with pytest.raises(LineSetupError, match="one switch, 3 LEDs and a beeper, output 4"):
        LightedButton(Unit(address=0, spec=button_spec(inputs=inputs, outputs=outputs)))
