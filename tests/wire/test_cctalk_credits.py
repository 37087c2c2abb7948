import pytest
from hypothesis import given, strategies as st

from bridge.wire.cctalk_credits import CreditCounter, CreditReading, Event, News, read_credit
from bridge.wire.errors import FrameError

NOTHING = News()
EVENTS = st.tuples(st.integers(1, 16), st.integers(0, 7)) | st.tuples(st.just(0), st.integers(1, 40))


class Acceptor:
    """The counter and buffer of an acceptor, as the specification describes them."""

    def __init__(self) -> None:
        self.counter = 0
        self.events: list[Event] = [(0, 0)] * 5

    def count(self, *events: Event) -> "Acceptor":
        for event in events:
            self.counter = 1 if self.counter == 255 else self.counter + 1
            self.events = [event, *self.events][:5]
        return self

    def read(self) -> CreditReading:
        return read_credit(bytes([self.counter, *(byte for event in self.events for byte in event)]))


def test_the_answer_is_a_counter_and_five_events() -> None:
    reading = read_credit(bytes.fromhex("04 03 02 03 02 02 01 03 02 00 00"))
    assert reading == CreditReading(counter=4, events=((3, 2), (3, 2), (2, 1), (3, 2), (0, 0)))
    with pytest.raises(FrameError, match="buffered credit has 11 bytes"):
        read_credit(bytes(10))


def test_of_the_first_reading_nothing_is_new() -> None:
    counter = CreditCounter()
    assert not counter.begun
    assert counter.take(Acceptor().count((3, 1), (2, 1)).read()) == NOTHING
    assert counter.begun


@given(st.lists(st.lists(EVENTS, max_size=5), max_size=200))
def test_every_event_comes_out_once_and_in_order_if_asked_in_time(
    bursts: list[list[Event]],
) -> None:
    acceptor, counter = Acceptor(), CreditCounter()
    counter.take(acceptor.read())
    for burst in bursts:
        news = counter.take(acceptor.count(*burst).read())
        assert news == News(events=tuple(burst))


def test_the_counter_goes_on_with_1_after_255() -> None:
    acceptor, counter = Acceptor().count(*[(1, 0)] * 254), CreditCounter()
    counter.take(acceptor.read())
    assert counter.take(acceptor.count((2, 0), (3, 0)).read()) == News(events=((2, 0), (3, 0)))
    assert acceptor.counter == 1


@pytest.mark.parametrize("before", [0, 1, 5, 7, 252, 255])
@pytest.mark.parametrize("between", [6, 7, 100, 254])
def test_of_more_than_five_events_the_older_ones_are_lost_and_said_to_be(before: int, between: int) -> None:
    acceptor, counter = Acceptor().count(*[(1, 0)] * before), CreditCounter()
    counter.take(acceptor.read())
    acceptor.count(*[(2, 0)] * (between - 5), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0))
    news = counter.take(acceptor.read())
    assert news == News(events=((3, 0), (4, 0), (5, 0), (6, 0), (7, 0)), lost=between - 5)


@pytest.mark.parametrize("before", [1, 4, 5, 200, 255])
@pytest.mark.parametrize("since", [0, 1, 3])
def test_an_acceptor_that_has_restarted_is_found_out_and_tells_what_it_did_since(before: int, since: int) -> None:
    counter = CreditCounter()
    counter.take(Acceptor().count(*[(1, 0)] * before).read())
    coins: list[Event] = [(2, 0), (3, 0), (4, 0)][:since]
    assert counter.take(Acceptor().count(*coins).read()) == News(events=tuple(coins), restarted=True)


def test_a_counter_at_the_same_figure_over_other_events_has_restarted() -> None:
    counter = CreditCounter()
    counter.take(Acceptor().count((1, 0), (1, 0)).read())
    assert counter.take(Acceptor().count((2, 0), (1, 0)).read()) == News(events=((2, 0), (1, 0)), restarted=True)


def test_a_counter_that_ran_past_its_five_events_since_a_restart_has_lost_some() -> None:
    counter = CreditCounter()
    counter.take(Acceptor().count(*[(1, 0)] * 6).read())
    news = counter.take(Acceptor().count(*[(2, 0)] * 8).read())
    assert news == News(events=((2, 0),) * 5, lost=3, restarted=True)


def test_a_counter_of_0_is_a_restart_whatever_is_left_of_the_events() -> None:
    counter = CreditCounter()
    reading = Acceptor().count((1, 0), (2, 0)).read()
    counter.take(reading)
    assert counter.take(CreditReading(counter=0, events=reading.events)) == News(restarted=True)
    assert counter.take(CreditReading(counter=0, events=reading.events)) == NOTHING


def test_an_acceptor_that_has_just_started_and_is_asked_again_has_no_news() -> None:
    counter = CreditCounter()
    assert counter.take(Acceptor().read()) == NOTHING
    assert counter.take(Acceptor().read()) == NOTHING
