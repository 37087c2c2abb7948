import pytest
from hypothesis import given, strategies as st

from bridge.wire.delcom_requests import DelcomRequest
from bridge.wire.messages import FaultCause
from tests.wire.buttons import IDENTITY, feature

PORTS = DelcomRequest(address=0, question=100)
IDLE = bytes.fromhex("FF FF 00 FF 00 00 00 00")


def test_orders_travel_in_front_of_the_question() -> None:
    lit = bytes.fromhex("65 0C 01 00 00 00 00 00")
    request = DelcomRequest(address=0, question=100, orders=(lit,))
    assert request.data == b"F\x00\x08" + lit + b"R\x00\x03\x64\x00\x08"


def test_the_answer_is_a_record_of_eight_bytes() -> None:
    assert PORTS.answer_length == 11
    assert PORTS.find_answer(feature(IDLE)) == slice(0, 11)
    assert PORTS.find_answer(b"\x00F\x00" + feature(IDLE) + b"\x00") == slice(3, 14)
    assert PORTS.read(feature(IDLE)) == IDLE
    assert PORTS.find_answer(feature(IDLE[:7])) is None
    assert PORTS.find_answer(feature(IDLE)[:-1]) is None


def test_answers_that_begin_with_their_number_are_told_apart_by_it() -> None:
    request = DelcomRequest(address=0, question=100, numbered=True)
    assert request.data == b"R\x00\x03\x64\x00\x09"
    assert request.find_answer(feature(b"\x64" + IDLE)) == slice(0, 12)
    assert request.read(feature(b"\x64" + IDLE)) == IDLE
    assert request.find_answer(feature(b"\x08" + IDLE)) is None


def test_what_a_device_is_is_told_from_other_answers_and_once_known_from_every_other() -> None:
    request = DelcomRequest(address=0, question=10)
    assert request.find_answer(feature(IDLE) + feature(IDENTITY)) == slice(11, 22)
    known = DelcomRequest(address=0, question=10, known=IDENTITY)
    other = bytes([*IDENTITY[:7], 18])
    assert request.find_answer(feature(other)) == slice(0, 11)
    assert known.find_answer(feature(other) + feature(IDENTITY)) == slice(11, 22)


@pytest.mark.parametrize(
    ("received", "cause", "reason"),
    [
        (b"", FaultCause.TIMEOUT, " and does not answer"),
        (feature(IDLE), FaultCause.UNKNOWN, ", and this answers something else"),
        (b"\x00", FaultCause.JUNK, ", and this is no record of an answer"),
    ],
)
def test_what_came_instead_of_the_answer_is_judged(received: bytes, cause: FaultCause, reason: str) -> None:
    verdict = DelcomRequest(address=0, question=10).judge(received)
    assert (verdict.cause, verdict.reason) == (cause, f"the device was asked for what it is{reason}")


@given(st.binary(max_size=64), st.sampled_from([8, 10, 100]), st.booleans())
def test_arbitrary_bytes_hold_an_answer_or_are_judged(received: bytes, question: int, numbered: bool) -> None:
    request = DelcomRequest(address=0, question=question, numbered=numbered)
    where = request.find_answer(received)
    if where is None:
        assert request.judge(received).reason
    else:
        assert len(request.read(received[where])) == 8
