from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bridge.wire.messages import FaultCause
from bridge.wire.modbus_frames import Function, encode_frame
from bridge.wire.modbus_requests import ModbusRequest

INPUTS = ModbusRequest(address=1, function=Function.READ_DISCRETE_INPUTS, start=0, count=8)
COILS = ModbusRequest(address=1, function=Function.READ_COILS, start=0, count=8)
MODES = ModbusRequest(address=1, function=Function.READ_HOLDING_REGISTERS, start=0x1000, count=8)
WRITE = ModbusRequest(
    address=1, function=Function.WRITE_MULTIPLE_COILS, start=0, count=8, active=frozenset(range(1, 9))
)
REGISTERS = ModbusRequest(address=1, function=Function.READ_INPUT_REGISTERS, start=0x81, count=4)
COIL = ModbusRequest(address=1, function=Function.WRITE_SINGLE_COIL, start=5, count=1, active=frozenset({1}))
ANSWERS = [
    (INPUTS, bytes.fromhex("01020120A050")),
    (COILS, encode_frame(1, 1, b"\x01\xff")),
    (MODES, encode_frame(1, 3, b"\x10" + bytes(16))),
    (WRITE, encode_frame(1, 15, bytes.fromhex("00000008"))),
    (REGISTERS, encode_frame(1, 4, b"\x08" + bytes(8))),
    (COIL, bytes.fromhex("01050005FF009C3B")),
]
NAMES = [request.function.name for request, _ in ANSWERS]
REFUSAL = encode_frame(1, 0x82, b"\x02")


def test_requests_are_the_published_ones() -> None:
    assert INPUTS.data == bytes.fromhex("01020000000879CC")
    assert MODES.data == bytes.fromhex("01031000000840CC")
    assert WRITE.data == bytes.fromhex("010F0000000801FFBED5")
    assert COIL.data == bytes.fromhex("01050005FF009C3B")
    assert replace(COIL, start=0, active=frozenset()).data == bytes.fromhex("010500000000CDCA")
    assert REGISTERS.data == encode_frame(1, 4, bytes.fromhex("00810004"))
    assert replace(WRITE, start=16).data[2:4] == b"\x00\x10"


@pytest.mark.parametrize(("request_", "answer"), ANSWERS, ids=NAMES)
def test_an_answer_is_found_anywhere_and_only_whole(request_: ModbusRequest, answer: bytes) -> None:
    assert request_.answer_length == len(answer)
    for before in (b"", b"\x01", answer[:3], b"\xff" * 9):
        raw = before + answer
        assert request_.find_answer(raw + b"\x01\x02") == slice(len(before), len(raw))
        for count in range(len(raw)):
            assert request_.find_answer(raw[:count]) is None


@pytest.mark.parametrize(("request_", "answer"), ANSWERS, ids=NAMES)
def test_nobody_elses_answer_is_taken(request_: ModbusRequest, answer: bytes) -> None:
    others = [other for _, other in ANSWERS if other is not answer]
    elsewhere = encode_frame(2, answer[1], answer[2:-2])
    for other in {*others, elsewhere, request_.data} - {answer}:  # a single coil is answered by an echo
        assert request_.find_answer(other) is None


def test_an_answer_of_another_length_is_not_taken() -> None:
    assert INPUTS.find_answer(encode_frame(1, 2, b"\x02\x20\x00")) is None
    assert WRITE.find_answer(encode_frame(1, 15, bytes.fromhex("00000007"))) is None


def test_a_refusal_is_an_answer() -> None:
    assert INPUTS.find_answer(b"\x00" + REFUSAL) == slice(1, 6)
    assert COILS.find_answer(REFUSAL) is None


def test_a_refusal_with_a_wrong_crc_is_none() -> None:
    assert INPUTS.find_answer(REFUSAL[:-1] + b"\x00") is None


@pytest.mark.parametrize(
    ("received", "cause", "answer_may_follow", "reason"),
    [
        (b"", FaultCause.TIMEOUT, True, "does not answer"),
        (bytes.fromhex("010201"), FaultCause.TIMEOUT, True, "its answer breaks off"),
        (bytes.fromhex("01020120A051"), FaultCause.CHECKSUM, False, "its answer has a wrong CRC"),
        (bytes.fromhex("FFFFFFFFFFFF"), FaultCause.JUNK, False, "this is no frame of Modbus"),
        (encode_frame(7, 2, b"\x01\x20"), FaultCause.UNKNOWN, True, "this is unit 7 read_discrete_inputs"),
        (b"\x00" + encode_frame(1, 1, b"\x01\x20"), FaultCause.UNKNOWN, True, "this is unit 1 read_coils"),
        (encode_frame(1, 0x81, b"\x02"), FaultCause.UNKNOWN, True, "this is unit 1 read_coils"),
    ],
)
def test_bytes_that_are_no_answer_are_judged(
    received: bytes, cause: FaultCause, reason: str, *, answer_may_follow: bool
) -> None:
    verdict = INPUTS.judge(received)
    assert verdict.cause is cause
    assert verdict.answer_may_follow is answer_may_follow
    assert verdict.reason.startswith("unit 1 was asked read_discrete_inputs")
    assert verdict.reason.endswith(reason)


@given(st.binary(max_size=256))
def test_arbitrary_bytes_hide_no_answer_and_are_none(garbage: bytes) -> None:
    answer = ANSWERS[0][1]
    found = INPUTS.find_answer(garbage + answer)
    assert found is not None
    assert found.stop <= len(garbage) + len(answer)
    INPUTS.judge(garbage)
