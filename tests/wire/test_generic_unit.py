import pytest

from bridge.domain.cards import Card
from bridge.wire.errors import FrameError, LineSetupError
from bridge.wire.generic_frames import Line, Mark, Verb
from bridge.wire.generic_unit import CHANNELS_MAX, GenericUnit
from bridge.wire.messages import (
    CardNotRead,
    CardRead,
    FaultCause,
    FrameFault,
    InputChanged,
    OutputReported,
    ReportLost,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.spec import Unit
from tests.wire.cables import MILLISECOND, generic_spec

POLL = 250 * MILLISECOND
FAULT = FrameFault(address=0, cause=FaultCause.TIMEOUT, reason="why", raw=b"")
SILENT = UnitSilent(address=0, reason="no answer")


def unit(**parameters: int | bool) -> GenericUnit:
    return GenericUnit(Unit(address=0, spec=generic_spec(inputs=3, outputs=2, **parameters)))


def answer(verb: Verb, rest: str = "") -> Line:
    return Line(Mark.ANSWER, 1, verb, rest)


def event(number: int, verb: Verb, rest: str = "") -> Line:
    return Line(Mark.EVENT, number, verb, rest)


def in_service(inputs: str = "000", **parameters: int | bool) -> GenericUnit:
    one = unit(**parameters)
    one.request(0)
    one.answered(Verb.ID, answer(Verb.ID, "3 2 box"), 0)
    one.request(0)
    active = frozenset(channel for channel, digit in enumerate(inputs, start=1) if digit == "1")
    said = one.answered(Verb.STATE, answer(Verb.STATE, f"{inputs} 00"), 0)
    assert said == (UnitAnswering(address=0, active_inputs=active),)
    return one


def test_a_device_says_who_it_is_and_then_what_its_inputs_show() -> None:
    one = unit()
    assert one.due_us == 0
    assert one.request(1000) == Line(Mark.REQUEST, 1, Verb.ID)
    assert one.answered(Verb.ID, answer(Verb.ID, "3 2 any name at all"), 2000) == ()
    assert one.due_us == 2000
    assert one.request(2000) == Line(Mark.REQUEST, 2, Verb.STATE)
    assert one.answered(Verb.STATE, answer(Verb.STATE, "010 11"), 3000) == (
        UnitAnswering(address=0, active_inputs=frozenset({2})),
    )
    assert one.due_us == 0, "its outputs are read back at once"


def test_the_state_is_asked_for_at_its_pace() -> None:
    one = in_service()
    one.request(1000)
    one.answered(Verb.STATE, answer(Verb.STATE, "000 00"), 1500)
    assert one.due_us == 1000 + POLL


def test_numbers_of_requests_begin_again_after_99() -> None:
    one = unit()
    numbers = [one.request(0).number for _ in range(101)]
    assert numbers[:2] + numbers[98:] == [1, 2, 99, 0, 1]


def test_an_order_is_set_with_all_outputs_and_the_answer_is_its_read_back() -> None:
    one = in_service()
    one.outputs.order(SetOutput(address=0, channel=2, active=True))
    assert one.due_us == 0
    assert one.request(0) == Line(Mark.REQUEST, 3, Verb.SET, "01")
    assert one.answered(Verb.SET, answer(Verb.STATE, "000 01"), 0) == (
        OutputReported(address=0, channel=1, active=False),
        OutputReported(address=0, channel=2, active=True),
    )


def test_a_change_of_inputs_is_told_once_by_event_or_state() -> None:
    one = in_service("100")
    changed = (
        InputChanged(address=0, channel=1, active=False),
        InputChanged(address=0, channel=3, active=True),
    )
    assert one.event(event(5, Verb.IN, "001")) == changed
    assert one.answered(Verb.STATE, answer(Verb.STATE, "001 00"), 0)[: -len(changed)] == ()
    assert one.event(event(6, Verb.IN, "001")) == ()


def test_inputs_of_a_device_that_is_not_in_service_are_asked_for_later() -> None:
    assert unit().event(event(5, Verb.IN, "111")) == ()


def test_a_device_of_another_size_than_its_profile_is_refused() -> None:
    one = unit()
    one.request(0)
    with pytest.raises(FrameError, match="it is '8 8 box', and its profile states 3 inputs and 2 outputs"):
        one.answered(Verb.ID, answer(Verb.ID, "8 8 box"), 0)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Verb.ID, answer(Verb.STATE, "000 00")),
        (Verb.STATE, answer(Verb.ID, "3 2 box")),
        (Verb.STATE, answer(Verb.OK)),
        (Verb.SET, answer(Verb.NO, "fuse")),
        (Verb.STATE, answer(Verb.STATE, "00 00")),
        (Verb.STATE, answer(Verb.STATE, "00000")),
    ],
)
def test_an_answer_to_something_else_is_refused(asked: Verb, said: Line) -> None:
    with pytest.raises(FrameError):
        unit().answered(asked, said, 0)


def test_cards_are_read_and_what_is_no_card_is_told_too() -> None:
    one = in_service(reads_cards=True)
    assert one.event(event(1, Verb.CARD, "Kh")) == (CardRead(address=0, card=Card.parse("Kh")),)
    assert one.event(event(1, Verb.CARD, "Kh")) == (), "the same event once more"
    assert one.event(event(2, Verb.CARD, "Kh")) == (CardRead(address=0, card=Card.parse("Kh")),)
    assert one.event(event(3, Verb.CARD, "1h")) == (CardNotRead(address=0, raw="1h"),)
    assert one.event(event(4, Verb.UNREAD, "smeared")) == (CardNotRead(address=0, raw="smeared"),)


@pytest.mark.parametrize("verb", [Verb.CARD, Verb.UNREAD])
def test_a_device_that_reads_no_cards_cannot_say_one(verb: Verb) -> None:
    with pytest.raises(FrameError, match="its profile states that it reads no cards"):
        in_service().event(event(1, verb, "Kh"))


def test_an_event_that_does_not_arrive_is_missed_also_over_a_loss_of_the_line() -> None:
    one = in_service(reads_cards=True)
    one.event(event(98, Verb.CARD, "Kh"))
    one.line_lost()
    assert one.event(event(1, Verb.CARD, "As")) == (
        ReportLost(address=0, reason="2 event(s) before number 01 did not arrive"),
        CardRead(address=0, card=Card.parse("As")),
    )


def test_another_event_with_the_same_number_is_heard_and_counted() -> None:
    one = in_service()
    one.event(event(1, Verb.IN, "100"))
    fault, changed = one.event(event(1, Verb.IN, "000"))
    assert isinstance(fault, FrameFault)
    assert fault.cause is FaultCause.UNKNOWN
    assert fault.raw.startswith(b"!01 IN 000*")
    assert changed == InputChanged(address=0, channel=1, active=False)


def test_a_start_that_is_the_first_to_be_heard_was_before_the_device_was_asked_and_is_no_news() -> None:
    one = in_service()
    one.outputs.order(SetOutput(address=0, channel=1, active=True))
    one.request(0)
    one.answered(Verb.SET, answer(Verb.STATE, "000 10"), 0)
    assert one.event(event(0, Verb.START)) == ()
    assert one.request(0) == Line(Mark.REQUEST, 4, Verb.SET, "10"), "its outputs are set again all the same"


def test_a_device_that_comes_up_was_away_and_does_again_all_that_was_ordered() -> None:
    one = in_service()
    one.outputs.order(SetOutput(address=0, channel=1, active=True))
    one.request(0)
    one.answered(Verb.SET, answer(Verb.STATE, "000 10"), 0)
    one.event(event(41, Verb.IN, "000"))
    assert one.event(event(0, Verb.START)) == (
        UnitSilent(address=0, reason="device (box) has started anew; its outputs were off meanwhile"),
    )
    assert one.event(event(0, Verb.START)) == ()
    assert one.request(0).verb is Verb.ID
    one.answered(Verb.ID, answer(Verb.ID, "3 2 box"), 0)
    one.request(0)
    one.answered(Verb.STATE, answer(Verb.STATE, "000 00"), 0)
    assert one.request(0) == Line(Mark.REQUEST, 6, Verb.SET, "10")


def test_a_device_without_answers_is_out_of_service_and_that_is_told_once() -> None:
    one = in_service(retries=2)
    one.request(0)
    assert one.failed(FAULT, SILENT, 1000) == (FAULT,)
    assert one.due_us == 1000, "it is asked again at once"
    assert one.failed(FAULT, SILENT, 2000) == (FAULT, SILENT)
    assert one.due_us == 2000 + 500 * MILLISECOND
    assert one.request(3000).verb is Verb.ID
    assert one.failed(FAULT, SILENT, 4000) == ()
    refused = UnitRefused(address=0, reason="no")
    assert one.failed(FAULT, refused, 5000) == (refused,)


def test_a_lost_line_is_told_once() -> None:
    one = in_service()
    assert one.line_lost() == (UnitSilent(address=0, reason="device (box) is out of reach: its line is gone"),)
    assert one.line_lost() == ()
    assert one.due_us == 0


def test_a_line_has_no_room_for_more_channels() -> None:
    with pytest.raises(LineSetupError, match=f"has room for {CHANNELS_MAX} inputs and outputs"):
        GenericUnit(Unit(address=0, spec=generic_spec(outputs=CHANNELS_MAX + 1)))
