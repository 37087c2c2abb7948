import pytest

from bridge.wire.messages import CardRead
from simulators.faults import Delivery
from simulators.wrong_baud import WrongBaudCable
from tests.wire.shoes import DECK, Bench, card_frame

SPEEDS = (1200, 2400, 9600, 19_200, 38_400)


def heard(data: bytes, *, said_at: int, heard_at: int) -> bytes:
    arrivals = WrongBaudCable(said_at=said_at, heard_at=heard_at).carry(data)
    return b"".join(arrival.data for arrival in arrivals)


@pytest.mark.parametrize("heard_at", [4800, 4750, 4900])
def test_ends_at_the_same_speed_or_nearly_understand_each_other(heard_at: int) -> None:
    everything = bytes(range(256))
    assert WrongBaudCable(said_at=4800, heard_at=heard_at).carry(everything) == (Delivery(everything),)


@pytest.mark.parametrize(
    ("said", "is_heard"),
    [
        # Start bit twice, then eight ones of two bits each: the first bit of data is the start bit's second half.
        (b"\xff", b"\xfe"),
        # 0 0|1 1|0 0|1 1|0 0|...: the data bits are 0 1 1 0 0 1 1 0, lowest first; the stop bit is low.
        (b"\x05", b"\x66"),
        # Low for eighteen bits: one byte with a low stop bit, then nothing until the line is idle.
        (b"\x00", b"\x00"),
    ],
)
def test_at_twice_the_speed_every_bit_is_heard_twice(said: bytes, is_heard: bytes) -> None:
    assert heard(said, said_at=4800, heard_at=9600) == is_heard


def test_at_half_the_speed_every_second_bit_is_heard() -> None:
    # 0 1 0 1 ...: the middle of a slow bit is the edge between two fast ones, and what comes after it is a one.
    assert heard(b"\x55\x55", said_at=9600, heard_at=4800) == b"\xff"


def test_nothing_said_is_nothing_heard() -> None:
    assert WrongBaudCable(said_at=4800, heard_at=9600).carry(b"") == ()


@pytest.mark.parametrize("heard_at", SPEEDS)
def test_no_card_at_a_wrong_speed_is_any_card(heard_at: int) -> None:
    for card in DECK:
        for number in "159":
            bench = Bench()
            for _ in range(3):
                bench.hear(heard(card_frame(number, str(card)), said_at=4800, heard_at=heard_at))
            assert not [message for message in bench.said if isinstance(message, CardRead)]
            assert bench.said, "a card has passed and nobody was told"
