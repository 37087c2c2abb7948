import pytest

from bridge.wire.blinkstick_reports import MODE_REPORT
from bridge.wire.blinkstick_requests import FeatureRequest
from bridge.wire.messages import FaultCause

MODE = FeatureRequest(address=0, report=MODE_REPORT)
ANSWER = b"F\x00\x02\x04\x02"


def test_what_a_device_is_told_travels_before_what_it_is_asked() -> None:
    assert MODE.data == b"R\x00\x03\x04\x00\x02"
    assert FeatureRequest(address=0, report=MODE_REPORT, tell=b"\x04\x01").data == b"F\x00\x02\x04\x01" + MODE.data


@pytest.mark.parametrize("number", [0x04, 0x00])
def test_an_answer_is_known_by_its_length_whatever_number_it_has(number: int) -> None:
    answer = b"F\x00\x02" + bytes((number, 2))
    assert MODE.find_answer(b"I" + answer + b"F") == slice(1, 6)
    assert MODE.answer_length == len(answer)


@pytest.mark.parametrize("received", [b"", ANSWER[:-1], b"I" + ANSWER[1:], b"F\x00\x03\x04\x02\x00"])
def test_what_is_not_the_whole_answer_is_none(received: bytes) -> None:
    assert MODE.find_answer(received) is None


def test_silence_and_something_else_are_told_apart() -> None:
    assert MODE.judge(b"").cause is FaultCause.TIMEOUT
    verdict = MODE.judge(b"\xff")
    assert (verdict.cause, verdict.answer_may_follow) == (FaultCause.JUNK, True)
