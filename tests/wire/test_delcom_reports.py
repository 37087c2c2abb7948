import pytest
from hypothesis import given, strategies as st

from bridge.wire.delcom_reports import (
    Command,
    Identity,
    Order,
    Ports,
    Presses,
    read_identity,
    read_order,
    read_ports,
    read_presses,
    write_beeper,
    write_identity,
    write_order,
    write_ports,
    write_presses,
)
from bridge.wire.errors import FrameError, UnknownMessageError

PINS = st.frozensets(st.integers(0, 7))


def test_pins_are_active_low() -> None:
    answer = bytes.fromhex("FE FA 00 FF 00 00 00 00")
    assert read_ports(answer) == Ports(low_inputs=frozenset({0}), lit=frozenset({0, 2}))
    assert write_ports(read_ports(answer)) == answer


def test_presses_are_counted_in_four_bytes_low_byte_first() -> None:
    answer = bytes.fromhex("03 01 00 00 FF 00 00 00")
    assert read_presses(answer) == Presses(count=259, overflown=True)
    assert write_presses(read_presses(answer)) == answer


def test_a_device_is_a_number_and_a_dated_firmware() -> None:
    answer = bytes.fromhex("4E 61 BC 00 3A 05 0B 13")
    assert read_identity(answer) == Identity(serial_number=12_345_678, firmware=58, day=5, month=11, year=2019)
    assert write_identity(read_identity(answer)) == answer


@pytest.mark.parametrize(
    "answer",
    ["FF FE 00 FF 00 00 00 00", "03 00 00 00 00 00 00 00", "00 00 00 00 FF 00 00 00", "00 00 00 00 3A 20 01 13"],
)
def test_no_other_answer_can_be_taken_for_what_a_device_is(answer: str) -> None:
    with pytest.raises(FrameError, match="a firmware is of a version, a day and a month"):
        read_identity(bytes.fromhex(answer))


@given(PINS, PINS)
def test_ports_are_read_as_they_were_written(low_inputs: frozenset[int], lit: frozenset[int]) -> None:
    ports = Ports(low_inputs=low_inputs, lit=lit)
    assert read_ports(write_ports(ports)) == ports


@given(st.integers(0, 0xFFFFFFFF), st.booleans())
def test_presses_are_read_as_they_were_written(count: int, overflown: bool) -> None:
    presses = Presses(count=count, overflown=overflown)
    assert read_presses(write_presses(presses)) == presses


@pytest.mark.parametrize("answer", [b"", bytes(7), bytes(9)])
def test_an_answer_of_another_length_is_none(answer: bytes) -> None:
    for read in (read_ports, read_presses, read_identity):
        with pytest.raises(FrameError, match="an answer has 8 bytes"):
            read(answer)


@given(st.sampled_from(Command), st.integers(0, 255), st.integers(0, 255))
def test_an_order_is_read_as_it_was_written(command: Command, low: int, high: int) -> None:
    raw = write_order(command, low, high)
    assert raw == bytes([101, command, low, high, 0, 0, 0, 0])
    assert read_order(raw) == Order(command=command, low=low, high=high)


def test_the_beeper_sounds_until_it_is_switched_off() -> None:
    assert write_beeper(on=True, pitch=4) == bytes([102, 70, 1, 4, *bytes(12)])
    assert write_beeper(on=False, pitch=4) == bytes([102, 70, *bytes(14)])


def test_what_is_no_order_is_refused() -> None:
    for raw in (b"", bytes([101, 12]), bytes([102, 70, *bytes(6)]), bytes([100, *bytes(7)])):
        with pytest.raises(FrameError, match="an order has 8 bytes"):
            read_order(raw)
    with pytest.raises(UnknownMessageError, match="command 99 is not one that is known here"):
        read_order(bytes([101, 99, *bytes(6)]))
