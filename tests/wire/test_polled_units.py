from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import (
    FaultCause,
    FrameFault,
    SetOutput,
    ShowMeter,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from bridge.wire.polled_units import PolledUnits, Urgency, Want, line_timing
from bridge.wire.polling import Answered, LineTiming, Unanswered, Verdict
from bridge.wire.spec import SerialSettings, Unit
from bridge.wire.unit_service import UnitService
from tests.wire.cables import modbus_spec

PACE = 1000


@dataclass(frozen=True)
class Question:
    address: int
    letter: bytes
    answer_length: int = 2

    @property
    def data(self) -> bytes:
        return b"%d%b" % (self.address, self.letter)

    def find_answer(self, received: bytes) -> slice | None:
        at = received.find(self.data.upper())
        return None if at < 0 else slice(at, at + 2)

    def judge(self, received: bytes) -> Verdict:
        return Verdict(cause=FaultCause.TIMEOUT, reason=received.decode(), answer_may_follow=True)


@dataclass
class FakeUnit:
    address: int
    wanted: list[Want[bytes]] = field(default_factory=list)
    orders: list[SetOutput] = field(default_factory=list)
    comes_back_slowly: bool = False
    """Whether one answer is not enough to be in service."""
    service: UnitService = field(default_factory=lambda: UnitService(retries=1, silent_us=PACE))

    def order(self, order: SetOutput) -> None:
        self.orders.append(order)

    def wants(self) -> Iterator[Want[bytes]]:
        yield from self.wanted
        yield Want(urgency=Urgency.ROUND, at_us=10, question=b"z")

    def ask(self, want: Want[bytes], now_us: int) -> Question:
        assert now_us >= want.at_us
        return Question(self.address, want.question)

    def answered(self, answer: Answered[Question], now_us: int) -> tuple[WireMessage, ...]:
        del answer, now_us
        if self.comes_back_slowly:
            self.service.ask_at_once()
            return ()
        self.service.enter()
        return (UnitAnswering(address=self.address, active_inputs=frozenset()),)

    def unanswered(self, outcome: Unanswered[Question], now_us: int) -> tuple[WireMessage, ...]:
        return self.service.leave(UnitSilent(address=self.address, reason=outcome.reason), now_us)

    def line_lost(self) -> tuple[WireMessage, ...]:
        return self.service.lose_line(UnitSilent(address=self.address, reason="gone"))


TIMING = LineTiming(character_us=0, reply_timeout_us=50, quiet_us=5, gap_us=0)


def line_of(*units: FakeUnit) -> PolledUnits[Question, bytes]:
    return PolledUnits(units, TIMING, 64)


def want(urgency: Urgency, at_us: int, letter: bytes) -> Want[bytes]:
    return Want(urgency=urgency, at_us=at_us, question=letter)


def test_what_is_urgent_goes_first_and_among_equals_what_has_been_due_for_longest() -> None:
    polled = FakeUnit(1, [want(Urgency.ROUND, 5, b"a")])
    ordered = FakeUnit(2, [want(Urgency.VERIFY, 7, b"b"), want(Urgency.VERIFY, 6, b"c")])
    line = line_of(polled, ordered)
    assert line.data_to_send(7) == b"2c"
    assert line.data_to_send(7) == b"", "one request at a time"
    line.receive_data(b"2C", 8)
    ordered.wanted.clear()
    assert line.data_to_send(8) == b"1a"


def test_nothing_is_asked_before_it_is_due() -> None:
    line = line_of(FakeUnit(1))
    assert line.data_to_send(9) == b""
    assert line.next_wakeup() == 10
    assert line.data_to_send(10) == b"1z"
    assert line.next_wakeup() == 60, "until then the unit may answer"


def test_answers_and_silence_reach_the_unit_that_was_asked() -> None:
    line = line_of(FakeUnit(1), FakeUnit(2, [want(Urgency.WRITE, 0, b"a")]))
    line.data_to_send(0)
    assert line.receive_data(b"?2A", 1) == (
        FrameFault(address=2, cause=FaultCause.TIMEOUT, reason="?", raw=b"?"),
        UnitAnswering(address=2, active_inputs=frozenset()),
    )
    line.data_to_send(1)
    assert line.wake(51) == (UnitSilent(address=2, reason=""),)
    assert line.wake(51) == ()


def test_units_that_are_out_share_one_pace() -> None:
    out = [FakeUnit(1), FakeUnit(2)]
    line = line_of(*out)
    asked = []
    for now_us in range(0, 5 * PACE, 10):
        line.wake(now_us)
        if line.data_to_send(now_us):
            asked.append(now_us)
    assert len(asked) <= 2 + 5


def test_a_unit_that_is_out_and_has_just_answered_is_asked_its_next_question_at_once() -> None:
    line = line_of(FakeUnit(1, comes_back_slowly=True))
    line.data_to_send(10)
    line.wake(60)
    line.data_to_send(10 + 2 * PACE)
    line.receive_data(b"1Z", 11 + 2 * PACE)
    assert line.data_to_send(11 + 2 * PACE) == b"1z"


def test_a_line_that_is_lost_takes_its_units_with_it_and_begins_anew() -> None:
    line = line_of(FakeUnit(1), FakeUnit(2))
    line.data_to_send(10)
    line.receive_data(b"1Z", 11)
    line.data_to_send(12)
    assert line.line_lost() == (UnitSilent(address=1, reason="gone"),)
    assert line.data_to_send(13), "nothing is in flight any more"


def test_an_order_goes_to_its_unit() -> None:
    unit = FakeUnit(3)
    order = SetOutput(address=3, channel=1, active=True)
    line_of(unit).order(order)
    assert unit.orders == [order]
    with pytest.raises(OrderError, match="no unit 4 on this line; it has 3"):
        line_of(unit).order(SetOutput(address=4, channel=1, active=True))
    with pytest.raises(OrderError, match="unit 3 shows no text"):
        line_of(unit).order(ShowMeter(address=3, cents=1))


@pytest.mark.parametrize("addresses", [[], [1, 1]])
def test_a_line_needs_units_that_can_be_told_apart(addresses: list[int]) -> None:
    with pytest.raises(LineSetupError, match="at least one unit, and no two with the same address"):
        line_of(*map(FakeUnit, addresses))


def test_the_most_patient_times_of_the_units_hold() -> None:
    slow = modbus_spec(serial=SerialSettings(baud=300), reply_timeout_ms=7)
    fast = modbus_spec(quiet_ms=9)
    assert line_timing([Unit(address=1, spec=slow), Unit(address=2, spec=fast)], gap_us=3) == LineTiming(
        character_us=33_334, reply_timeout_us=50_000, quiet_us=9_000, gap_us=3
    )
    assert line_timing([Unit(address=1, spec=fast)], quiet_us=1).quiet_us == 1
