from itertools import pairwise

import pytest

from bridge.wire.chip_reader import PAGES_MAX, ChipReader
from bridge.wire.chip_requests import Asking, ChipAnswer, ChipRequest, Done, Page, Refused
from bridge.wire.feig_requests import FeigRequest
from bridge.wire.messages import (
    ChipsRead,
    FaultCause,
    FrameFault,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.polling import Answered, Unanswered
from bridge.wire.spec import Unit
from tests.wire.cables import MILLISECOND, chips_spec

SECOND = 1000 * MILLISECOND
POLL = 200 * MILLISECOND
ANSWERING = UnitAnswering(address=0, active_inputs=frozenset(), shows_levels=False)
NONE = Page(uids=frozenset(), more=False)


class Scripted(FeigRequest):
    """A request whose answer is what the test says."""

    said: ChipAnswer = NONE

    def read(self, raw: bytes) -> ChipAnswer:  # noqa: ARG002 - the test says what it is
        return Scripted.said


class Bench:
    def __init__(self, **parameters: int | bool | str) -> None:
        unit = Unit(address=0, spec=chips_spec(**parameters))
        self.reader = ChipReader(unit, lambda kind: Scripted(address=0, kind=kind, advanced=True))
        self.now_us = 0
        self.asked: list[Asking] = []

    def ask(self) -> ChipRequest:
        (want,) = self.reader.wants()
        self.now_us = max(self.now_us, want.at_us)
        request = self.reader.ask(want, self.now_us)
        self.asked.append(request.kind)
        return request

    @property
    def at_us(self) -> int:
        """From when on the reader is to be asked something."""
        (want,) = self.reader.wants()
        return want.at_us

    def answer(self, *answers: ChipAnswer) -> list[WireMessage]:
        """Ask, and be answered so, one after the other."""
        messages: list[WireMessage] = []
        for said in answers:
            Scripted.said = said
            messages += self.reader.answered(Answered(request=self.ask(), raw=b"raw"), self.now_us)
        return messages

    def silence(self, cause: FaultCause = FaultCause.TIMEOUT) -> tuple[WireMessage, ...]:
        """Ask, and get no answer."""
        outcome = Unanswered(request=self.ask(), cause=cause, reason="why", raw=b"")
        return self.reader.unanswered(outcome, self.now_us)


def page(*uids: str, more: bool = False, total: int = 0) -> Page:
    return Page(uids=frozenset(uids), more=more, total=total)


def chips(*uids: str, laid: str = "", lifted: str = "") -> ChipsRead:
    """What is told of chips that are named by a letter each."""
    return ChipsRead(address=0, antenna=1, uids=frozenset(uids), laid=frozenset(laid), lifted=frozenset(lifted))


def in_service(**parameters: int | bool | str) -> Bench:
    bench = Bench(**parameters)
    assert bench.answer(Done(), NONE) == [ANSWERING, chips()]
    return bench


def test_a_reader_is_in_service_when_it_has_told_what_lies_there() -> None:
    bench = Bench()
    assert bench.answer(Done()) == []
    assert bench.answer(page("A")) == [ANSWERING, chips("A")]
    assert bench.asked == [Asking.PROBE, Asking.INVENTORY]


def test_inventories_follow_each_other_at_their_pace() -> None:
    bench = in_service()
    begun_us = bench.now_us
    bench.answer(NONE)
    assert bench.now_us == begun_us + POLL


def test_only_a_change_is_told() -> None:
    bench = in_service(gone_after=2)
    assert bench.answer(page("A")) == [chips("A", laid="A")]
    assert bench.answer(page("A"), NONE) == []
    assert bench.answer(NONE) == [chips(lifted="A")]


def test_T45_what_lies_there_when_the_reader_is_found_was_not_seen_being_laid() -> None:
    bench = Bench(gone_after=1)
    assert bench.answer(Done(), page("A", "B")) == [ANSWERING, chips("A", "B")]
    assert bench.answer(page("B", "C")) == [chips("B", "C", laid="C", lifted="A")]


def test_an_inventory_of_several_answers_counts_when_it_is_complete() -> None:
    bench = in_service()
    assert bench.answer(page("A", more=True)) == []
    assert bench.answer(page("B", more=True)) == []
    assert bench.answer(page("C")) == [chips("A", "B", "C", laid="ABC")]
    assert bench.asked[-3:] == [Asking.INVENTORY, Asking.MORE, Asking.MORE]


def test_a_count_that_is_reached_ends_an_inventory() -> None:
    bench = in_service()
    assert bench.answer(page("A", more=True, total=2), page("B", more=True)) == [chips("A", "B", laid="AB")]


def test_a_count_that_is_not_reached_makes_no_chip_gone() -> None:
    bench = in_service(retries=2)
    bench.answer(page("A", "B", total=2))
    (fault,) = bench.answer(page("A", total=2))
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.reason) == (
        FaultCause.UNKNOWN,
        "reader 0 (tray) refuses its inventory: it counts 2 chips and names 1",
    )
    assert bench.answer(page("A", "B", total=2)) == [], "both lie there still"


def test_a_list_without_end_is_refused() -> None:
    bench = in_service()
    messages = bench.answer(*[page(str(number), more=True) for number in range(PAGES_MAX)])
    (fault,) = messages
    assert isinstance(fault, FrameFault)
    assert "does not come to the end of its list" in fault.reason
    assert bench.answer(page("A")) == [chips("A", laid="A")], "and nothing of it is kept"


def test_a_reader_that_tells_only_new_chips_is_reset_before_each_inventory() -> None:
    bench = Bench(rf_reset=True)
    bench.answer(Done(), Done(), page("A"), Done(), page("A"))
    assert bench.asked == [Asking.PROBE, Asking.RESET, Asking.INVENTORY, Asking.RESET, Asking.INVENTORY]


def test_a_reader_that_refuses_again_and_again_is_out_of_service() -> None:
    bench = in_service(retries=2)
    first = bench.answer(Refused("status 84"))
    assert [type(message) for message in first] == [FrameFault]
    fault, refused = bench.answer(Refused("status 84"))
    assert isinstance(fault, FrameFault)
    assert refused == UnitRefused(
        address=0, reason="reader 0 (tray) refuses its inventory: status 84; see the reader's manual"
    )
    assert bench.reader.service.known_to_be_out
    assert bench.answer(Done(), Refused("status 84")) == [], "which is told already"
    assert bench.answer(Done(), page("A")) == [ANSWERING, chips("A")]


def test_a_request_without_an_answer_is_followed_by_another_kind_of_request() -> None:
    bench = in_service(retries=3)
    assert [type(message) for message in bench.silence()] == [FrameFault]
    assert bench.answer(Done(), page("A")) == [chips("A", laid="A")]
    assert bench.asked[-3:] == [Asking.INVENTORY, Asking.PROBE, Asking.INVENTORY]


def test_an_inventory_that_breaks_off_is_begun_anew_and_nothing_of_it_is_kept() -> None:
    bench = in_service()
    bench.answer(page("A", more=True))
    bench.silence()
    assert bench.answer(Done(), page("B")) == [chips("B", laid="B")]


@pytest.mark.parametrize(
    ("cause", "advice"),
    [
        (FaultCause.TIMEOUT, "does not answer: check its power"),
        (FaultCause.CHECKSUM, "cannot be understood: check"),
    ],
)
def test_a_reader_without_answers_is_silent_and_told_so_once(cause: FaultCause, advice: str) -> None:
    bench = in_service(retries=2)
    bench.silence(cause)
    _, silent = bench.silence(cause)
    assert isinstance(silent, UnitSilent)
    assert advice in silent.reason
    assert bench.silence(cause) == ()


def test_a_reader_that_is_out_is_asked_ever_less_often() -> None:
    bench = Bench(retries=1, silent_poll_ms=1000)
    asked = []
    for _ in range(6):
        bench.silence()
        asked.append(bench.now_us)
    waits = [after - before for before, after in pairwise(asked)]
    assert waits == [SECOND, 2 * SECOND, 4 * SECOND, 4 * SECOND, 4 * SECOND]
    bench.answer(Done(), NONE)
    bench.silence()
    assert bench.at_us == bench.now_us + SECOND, "once it was back it counts from the beginning"


def test_a_chip_that_lay_there_before_a_loss_is_not_waited_for() -> None:
    bench = in_service(retries=1, gone_after=50)
    bench.answer(page("A"))
    bench.silence()
    assert bench.answer(Done(), page("B")) == [ANSWERING, chips("B")]


def test_a_lost_line_is_told_once_and_the_reader_is_asked_at_once_when_it_is_back() -> None:
    bench = in_service()
    lost = UnitSilent(address=0, reason="reader 0 (tray) is out of reach: its line is gone")
    assert bench.reader.line_lost() == (lost,)
    assert bench.reader.line_lost() == ()
    assert bench.at_us == 0
    assert bench.answer(Done(), NONE) == [ANSWERING, chips()]
