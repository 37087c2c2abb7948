from hypothesis import given, strategies as st

from bridge.wire.generic_events import EventLog, Heard, Hearing
from bridge.wire.generic_frames import NUMBERS, Line, Mark, Verb


def event(number: int, rest: str = "1") -> Line:
    return Line(Mark.EVENT, number, Verb.IN, rest)


START = Line(Mark.EVENT, 0, Verb.START)
NEW = Heard(Hearing.NEW)


def test_the_first_event_may_have_any_number() -> None:
    assert EventLog().take(event(42)) == NEW


def test_an_event_that_is_said_again_was_heard_already() -> None:
    log = EventLog()
    log.take(event(7))
    assert log.take(event(7)) == log.take(event(7)) == Heard(Hearing.REPEATED)
    assert log.take(event(8)) == NEW


def test_another_event_with_the_same_number_is_heard() -> None:
    log = EventLog()
    log.take(event(7, "0"))
    assert log.take(event(7, "1")) == Heard(Hearing.NUMBER_AGAIN)


def test_a_device_that_comes_up_begins_anew_however_often() -> None:
    log = EventLog()
    log.take(event(42))
    assert log.take(START) == log.take(START) == NEW
    assert log.take(event(1)) == NEW


@given(st.integers(0, 99), st.integers(1, 98))
def test_events_that_are_missing_are_counted_also_where_numbers_begin_again(number: int, missing: int) -> None:
    log = EventLog()
    log.take(event(number))
    assert log.take(event((number + missing + 1) % NUMBERS)) == Heard(Hearing.NEW, missing)
