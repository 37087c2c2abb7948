import pytest
from hypothesis import given, strategies as st

from bridge.wire.cctalk_text import coins_of, explain, fault_name, header_name
from bridge.wire.errors import FrameError, UnknownMessageError
from tests.wire.acceptors import acceptor_spec, crc_packet, packet

SPEC = acceptor_spec()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (packet(2, 1, 229), "unit 2 request buffered_credit"),
        (packet(2, 1, 228, 0), "unit 2 request set_master_inhibit: every coin inhibited"),
        (packet(2, 1, 228, 1), "unit 2 request set_master_inhibit: coins accepted"),
        (packet(2, 1, 231, 5, 128), "unit 2 request set_inhibits: 1, 3, 16 accepted"),
        (packet(2, 1, 231, 0, 0), "unit 2 request set_inhibits: none accepted"),
        (packet(2, 1, 184, 7), "unit 2 request coin_id: 7"),
        (packet(2, 1, 200, 1, 2), "unit 2 request header 200: 01 02"),
        (packet(2, 1, 231, 5), "unit 2 request set_inhibits: 05"),
        (packet(1, 2, 0), "unit 2 reply: done"),
        (packet(1, 2, 0, *b"EU020A"), "unit 2 reply: 'EU020A'"),
        (packet(1, 2, 0, 2, 20), "unit 2 reply: 02 14"),
        (packet(1, 2, 0, *[0] * 11), "unit 2 reply: counter 0: no event"),
        (
            packet(1, 2, 0, 9, 3, 2, 0, 14, 0, 130, 0, 0, 0, 0),
            "unit 2 reply: counter 9: coin 3 path 2, fault 14 credit sensor blocked, fault 130 inhibited coin 3",
        ),
        (packet(1, 2, 5), "unit 2 refuses"),
        (packet(1, 2, 6), "unit 2 is busy"),
    ],
)
def test_a_packet_says_what_it_means(raw: bytes, says: str) -> None:
    assert explain(raw, SPEC) == says


def test_with_a_crc_a_reply_is_of_a_unit() -> None:
    spec = acceptor_spec(check="crc16")
    assert explain(crc_packet(1, 0), spec) == "a unit reply: done"
    assert explain(crc_packet(40, 254), spec) == "unit 40 request simple_poll"
    with pytest.raises(FrameError):
        explain(packet(40, 1, 254), spec)


def test_what_is_neither_a_request_nor_an_answer_is_refused() -> None:
    with pytest.raises(FrameError, match="a refusal has no data"):
        explain(packet(1, 2, 5, 1), SPEC)
    with pytest.raises(UnknownMessageError, match="header 229 is no answer to a master"):
        explain(packet(1, 2, 229), SPEC)


def test_names_of_headers_and_faults() -> None:
    assert header_name(254) == "simple_poll"
    assert header_name(3) == "header 3"
    assert fault_name(25) == "reject slug"
    assert fault_name(128) == "inhibited coin 1"
    assert fault_name(159) == "inhibited coin 32"
    assert fault_name(160) == "a code that is not listed"


@given(st.frozensets(st.integers(1, 16)))
def test_coin_1_is_bit_0_of_the_first_byte(coins: frozenset[int]) -> None:
    mask = sum(1 << (coin - 1) for coin in coins)
    assert coins_of(bytes((mask & 0xFF, mask >> 8))) == coins


@given(st.binary(max_size=40))
def test_arbitrary_bytes_say_something_or_are_a_frame_error(raw: bytes) -> None:
    try:
        assert explain(raw, SPEC)
    except FrameError:
        return


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.binary(max_size=20))
def test_every_whole_packet_says_something_or_is_a_frame_error(
    destination: int, source: int, header: int, data: bytes
) -> None:
    try:
        assert explain(packet(destination, source, header, *data), SPEC)
    except FrameError:
        assert destination == 1
