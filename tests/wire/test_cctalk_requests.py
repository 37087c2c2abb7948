import pytest
from hypothesis import given, strategies as st

from bridge.wire.cctalk_frames import Check, Header, Packet
from bridge.wire.cctalk_requests import CctalkRequest
from bridge.wire.messages import FaultCause
from tests.wire.acceptors import crc_packet, packet

POLL = CctalkRequest(address=2, header=Header.BUFFERED_CREDIT, reply_length=11)
ECHO = bytes.fromhex("02 00 01 E5 18")
CREDIT = bytes.fromhex("01 0B 02 00 01 03 02 00 00 00 00 00 00 00 00 EC")
DONE = bytes.fromhex("01 00 02 00 FD")


def test_the_request_is_the_published_packet() -> None:
    assert POLL.data == ECHO
    assert POLL.answer_length == len(ECHO + CREDIT)


def test_the_answer_stands_after_the_echo() -> None:
    assert POLL.find_answer(ECHO + CREDIT) == slice(0, 21)
    assert POLL.find_answer(b"\x00" + ECHO + CREDIT + b"\x00") == slice(1, 22)
    assert POLL.read(ECHO + CREDIT) == (Packet(destination=1, source=2, header=0, data=CREDIT[4:-1]), b"")
    assert POLL.read(ECHO + b"\x01\x02" + CREDIT)[1] == b"\x01\x02"


def test_an_answer_before_the_echo_is_one_to_an_earlier_request() -> None:
    assert POLL.find_answer(CREDIT + ECHO) is None


def test_without_an_echo_the_answer_stands_anywhere() -> None:
    request = CctalkRequest(address=2, header=Header.BUFFERED_CREDIT, reply_length=11, echo=False)
    assert request.find_answer(b"\x00" + CREDIT) == slice(1, 17)
    assert request.read(CREDIT)[1] == b""


@pytest.mark.parametrize(
    "other",
    [
        packet(1, 3, 0, *CREDIT[4:-1]),
        packet(2, 2, 0, *CREDIT[4:-1]),
        packet(1, 2, 7, *CREDIT[4:-1]),
        packet(1, 2, 0, *CREDIT[4:-2]),
        packet(1, 2, 5, 1),
        CREDIT[:-1] + b"\xed",
    ],
    ids=["another unit", "to another", "no reply", "another length", "a refusal with data", "a wrong checksum"],
)
def test_what_is_no_answer_is_not_taken_for_one(other: bytes) -> None:
    assert POLL.find_answer(ECHO + other) is None


@pytest.mark.parametrize("header", [5, 6])
def test_a_refusal_is_an_answer(header: int) -> None:
    refusal = packet(1, 2, header)
    assert POLL.find_answer(ECHO + refusal) == slice(0, 10)
    assert POLL.read(ECHO + refusal)[0].header == header


def test_a_text_may_have_any_length_but_none() -> None:
    request = CctalkRequest(address=2, header=Header.EQUIPMENT_CATEGORY, reply_length=None)
    assert request.find_answer(request.data + packet(1, 2, 0, *b"Coin Acceptor"))
    assert request.find_answer(request.data + DONE) is None


def test_with_a_crc_an_answer_does_not_say_whose_it_is() -> None:
    request = CctalkRequest(address=2, header=Header.SET_MASTER_INHIBIT, asked=b"\x00", check=Check.CRC16)
    assert request.data == crc_packet(2, 228, 0)
    assert request.find_answer(request.data + crc_packet(1, 0))
    assert request.find_answer(request.data + DONE) is None


@pytest.mark.parametrize(
    ("received", "cause", "reason", "answer_may_follow"),
    [
        (b"", FaultCause.TIMEOUT, "not even these bytes came back", True),
        (ECHO[:3], FaultCause.TIMEOUT, "only part of these bytes came back", True),
        (b"\x55" * 3, FaultCause.JUNK, "other bytes came back than were sent", True),
        (b"\x55" * 9, FaultCause.JUNK, "other bytes came back than were sent", False),
        (ECHO, FaultCause.TIMEOUT, "was asked buffered_credit and does not answer", True),
        (ECHO + CREDIT[:9], FaultCause.TIMEOUT, "its answer breaks off", True),
        (ECHO + b"\x01", FaultCause.TIMEOUT, "its answer breaks off", True),
        (ECHO + CREDIT[:-1] + b"\x00", FaultCause.CHECKSUM, "wrong checksum", False),
        (ECHO + DONE, FaultCause.UNKNOWN, "and this is reply of 0 bytes from 2", True),
        (ECHO + b"\x99\x98", FaultCause.JUNK, "no packet of ccTalk", False),
    ],
)
def test_what_came_instead_of_the_answer_is_judged(
    received: bytes, cause: FaultCause, reason: str, *, answer_may_follow: bool
) -> None:
    verdict = POLL.judge(received)
    assert verdict.cause is cause
    assert verdict.reason.startswith("unit 2 was asked buffered_credit")
    assert reason in verdict.reason
    assert verdict.answer_may_follow is answer_may_follow


def test_an_echo_that_was_not_expected_is_judged_by_its_remedy() -> None:
    request = CctalkRequest(address=2, header=Header.BUFFERED_CREDIT, reply_length=11, echo=False)
    assert request.judge(b"").reason == "unit 2 was asked buffered_credit and does not answer"
    assert "set echo to true" in request.judge(ECHO).reason


@given(st.binary(max_size=300), st.booleans(), st.sampled_from(Check))
def test_arbitrary_bytes_hold_an_answer_or_are_judged(received: bytes, echo: bool, check: Check) -> None:
    request = CctalkRequest(address=2, header=Header.MASTER_INHIBIT, reply_length=1, echo=echo, check=check)
    where = request.find_answer(received)
    if where is None:
        assert request.judge(received).reason
    else:
        assert request.read(received[where])
