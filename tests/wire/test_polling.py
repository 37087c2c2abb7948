import pytest
from hypothesis import given, strategies as st

from bridge.wire.messages import EVIDENCE_MAX, FaultCause, FrameFault
from bridge.wire.modbus_frames import Function, encode_frame
from bridge.wire.modbus_requests import ModbusRequest
from bridge.wire.polling import Answered, LineTiming, PolledLine, Unanswered
from tests.wire.cables import deliveries

REQUEST = ModbusRequest(address=1, function=Function.READ_DISCRETE_INPUTS, start=0, count=8)
ANSWER = bytes.fromhex("01020120A050")
FOREIGN = encode_frame(7, 2, b"\x01\x20")
TIMING = LineTiming(character_us=1000, reply_timeout_us=50_000, quiet_us=5_000, gap_us=0)
LIMIT = 64
DEADLINE = 14_000 + 50_000
"""Eight characters out, six back, and what the unit may take."""


def line(*, gap_us: int = 0) -> PolledLine[ModbusRequest]:
    timing = LineTiming(character_us=1000, reply_timeout_us=50_000, quiet_us=5_000, gap_us=gap_us)
    return PolledLine(timing, LIMIT)


def asked() -> PolledLine[ModbusRequest]:
    polled = line()
    assert polled.ask(REQUEST, 0) == REQUEST.data
    return polled


@pytest.mark.parametrize(
    "reads",
    [reads for _, reads in deliveries(ANSWER, garbage=b"\x00\x01\x02", trailing=b"\xff")],
    ids=[name for name, _ in deliveries(ANSWER, garbage=b"\x00\x01\x02", trailing=b"\xff")],
)
def test_an_answer_is_taken_however_it_arrives(reads: list[bytes]) -> None:
    polled = asked()
    outcomes = [outcome for read in reads for outcome in polled.receive(read, 1000)]
    answered = [outcome for outcome in outcomes if isinstance(outcome, Answered)]
    assert answered == [Answered(request=REQUEST, raw=ANSWER)]
    assert polled.request is None


def test_one_request_at_a_time() -> None:
    polled = line()
    assert polled.free_at() == 0
    polled.ask(REQUEST, 0)
    assert polled.request is REQUEST
    assert polled.free_at() is None
    polled.receive(ANSWER, 3000)
    assert polled.free_at() == 3000


def test_a_gap_is_kept_if_the_modules_need_one() -> None:
    polled = line(gap_us=3646)
    polled.ask(REQUEST, 0)
    polled.receive(ANSWER, 10_000)
    assert polled.free_at() == 13_646


def test_no_answer_is_a_timeout_and_the_line_is_free_at_once() -> None:
    polled = asked()
    assert polled.next_wakeup() == DEADLINE
    assert polled.wake(DEADLINE - 1) == ()
    (outcome,) = polled.wake(DEADLINE)
    assert isinstance(outcome, Unanswered)
    assert (outcome.cause, outcome.raw) == (FaultCause.TIMEOUT, b"")
    assert polled.free_at() == DEADLINE
    assert polled.next_wakeup() is None


def test_half_an_answer_is_a_timeout_and_the_line_must_come_to_rest() -> None:
    polled = asked()
    polled.receive(ANSWER[:5], DEADLINE - 1000)
    assert polled.next_wakeup() == DEADLINE
    (outcome,) = polled.wake(DEADLINE)
    assert isinstance(outcome, Unanswered)
    assert (outcome.cause, outcome.raw) == (FaultCause.TIMEOUT, ANSWER[:5])
    assert polled.free_at() == DEADLINE - 1000 + 5000


def test_a_spoilt_answer_is_given_up_as_soon_as_the_line_is_quiet() -> None:
    polled = asked()
    polled.receive(ANSWER[:-1] + b"\x00", 20_000)
    assert polled.next_wakeup() == 25_000
    assert polled.wake(24_999) == ()
    (outcome,) = polled.wake(25_000)
    assert isinstance(outcome, Unanswered)
    assert outcome.cause is FaultCause.CHECKSUM


def test_a_spoilt_answer_just_before_the_deadline_does_not_put_it_off() -> None:
    polled = asked()
    polled.receive(ANSWER[:-1] + b"\x00", DEADLINE - 1)
    assert polled.next_wakeup() == DEADLINE


def test_a_foreign_answer_is_discarded_and_the_own_one_awaited() -> None:
    polled = asked()
    assert polled.receive(FOREIGN, 20_000) == ()
    assert polled.next_wakeup() == DEADLINE
    discarded, answered = polled.receive(ANSWER, 30_000)
    assert isinstance(discarded, FrameFault)
    assert (discarded.address, discarded.cause, discarded.raw) == (1, FaultCause.UNKNOWN, FOREIGN)
    assert answered == Answered(request=REQUEST, raw=ANSWER)


def test_bytes_that_nobody_asked_for_are_told_once_when_the_line_is_quiet() -> None:
    polled = line()
    for at in range(10):
        assert polled.receive(b"\xaa", at * 1000) == ()
    assert polled.free_at() == 14_000
    assert polled.next_wakeup() == 14_000
    assert polled.wake(13_999) == ()
    (outcome,) = polled.wake(14_000)
    assert outcome == FrameFault(
        address=0, cause=FaultCause.JUNK, reason="bytes that nobody asked for", raw=b"\xaa" * 10
    )
    assert polled.wake(14_000) == ()
    assert polled.next_wakeup() is None


def test_bytes_after_an_answer_must_end_before_the_next_request() -> None:
    polled = asked()
    polled.receive(ANSWER + ANSWER, 20_000)
    assert polled.free_at() == 25_000
    (outcome,) = polled.wake(25_000)
    assert isinstance(outcome, FrameFault)
    assert outcome.raw == ANSWER


def test_noise_that_never_ends_does_not_stop_the_table() -> None:
    polled = line()
    for at in range(0, 100_000, 1000):
        polled.receive(b"\xaa" * 50, at)
        free_us = polled.free_at()
        assert free_us is not None
        assert free_us <= 50_000
    (outcome,) = polled.wake(100_000)
    assert isinstance(outcome, FrameFault)
    assert outcome.raw == b"\xaa" * EVIDENCE_MAX


def test_a_flood_is_cut_to_the_limit_and_told() -> None:
    polled = asked()
    outcomes = polled.receive(b"\xaa" * (LIMIT + 7), 1000)
    (overflow,) = outcomes
    assert isinstance(overflow, FrameFault)
    assert (overflow.address, overflow.cause, overflow.raw) == (1, FaultCause.OVERFLOW, b"\xaa" * 7)
    outcomes = polled.receive(ANSWER, 2000)
    assert Answered(request=REQUEST, raw=ANSWER) in outcomes


def test_a_lost_port_forgets_what_was_in_flight() -> None:
    polled = asked()
    polled.receive(ANSWER[:3], 1000)
    assert polled.reset() is REQUEST
    assert polled.free_at() == 0
    polled.ask(REQUEST, 2000)
    assert polled.receive(ANSWER[3:], 2000) == ()
    assert polled.reset() is REQUEST
    assert polled.reset() is None


@given(st.lists(st.binary(max_size=80), max_size=20))
def test_whatever_arrives_the_next_good_answer_is_taken(reads: list[bytes]) -> None:
    polled = asked()
    now_us = 0
    for read in reads:
        now_us += 500
        for outcome in polled.receive(read, now_us):
            assert len(outcome.raw) <= max(EVIDENCE_MAX, REQUEST.answer_length)
        assert len(polled._buffer) <= LIMIT
        assert len(polled._stray) <= EVIDENCE_MAX
    now_us += DEADLINE
    polled.wake(now_us)
    free_us = polled.free_at()
    assert free_us is not None
    now_us = max(now_us, free_us)
    polled.wake(now_us)
    polled.ask(REQUEST, now_us)
    assert polled.receive(ANSWER, now_us) == (Answered(request=REQUEST, raw=ANSWER),)


def test_a_request_that_is_given_up_is_a_fault_of_whom_was_asked() -> None:
    given_up = Unanswered(request=REQUEST, cause=FaultCause.TIMEOUT, reason="no answer", raw=b"\x01")
    assert given_up.fault(7) == FrameFault(address=7, cause=FaultCause.TIMEOUT, reason="no answer", raw=b"\x01")
