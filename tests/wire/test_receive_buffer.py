from hypothesis import given, strategies as st

from bridge.wire.receive_buffer import ReceiveBuffer


@given(st.integers(0, 20), st.lists(st.binary(max_size=30)))
def test_it_never_holds_more_than_its_limit_and_loses_nothing_silently(limit: int, reads: list[bytes]) -> None:
    buffer = ReceiveBuffer(limit)
    dropped = b""
    for data in reads:
        dropped += buffer.append(data)
        assert len(buffer) <= limit
    assert dropped + bytes(buffer) == b"".join(reads)


def test_the_oldest_bytes_go_first() -> None:
    buffer = ReceiveBuffer(4)
    assert buffer.append(b"abcdef") == b"ab"
    assert buffer.take(1) == b"c"
    assert buffer.clear() == b"def"
    assert len(buffer) == 0
