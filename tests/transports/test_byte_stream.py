import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from bridge.transports.byte_stream import RECEIVE_LIMIT, SEND_LIMIT, ByteStream
from bridge.transports.errors import TransientTransportError
from tests.transports.ports import eventually


class Ends:
    """A stream over a real socket pair, and the other end of it."""

    def __init__(self, stream: ByteStream, other: socket.socket) -> None:
        self.stream = stream
        self.other = other


@pytest.fixture
async def ends() -> AsyncIterator[Ends]:
    ours, other = socket.socketpair()
    with other:
        _, stream = await asyncio.get_running_loop().create_connection(lambda: ByteStream("port 7"), sock=ours)
        await stream.made()
        yield Ends(stream, other)
        await stream.close()


async def test_bytes_go_both_ways(ends: Ends) -> None:
    ends.other.sendall(b"in")
    ends.stream.write(b"out")

    assert await ends.stream.read() == b"in"
    assert ends.other.recv(10) == b"out"


async def test_a_write_leaves_at_once_without_another_turn_of_the_loop(ends: Ends) -> None:
    ends.other.settimeout(0)
    ends.stream.write(b"now")

    assert ends.other.recv(10) == b"now"


async def test_the_other_end_hanging_up_is_told_after_its_last_bytes(ends: Ends) -> None:
    ends.other.sendall(b"last words")
    ends.other.close()

    assert await ends.stream.read() == b"last words"
    with pytest.raises(TransientTransportError, match="port 7: the other end closed the connection"):
        await ends.stream.read()
    ends.stream.write(b"to nobody")


async def test_a_port_that_breaks_off_is_told_with_its_reason(ends: Ends) -> None:
    ends.stream.connection_lost(OSError("Input/output error"))

    with pytest.raises(TransientTransportError, match=r"port 7: the port is gone \(Input/output error\)"):
        await ends.stream.read()


async def test_a_closed_port_is_really_closed_when_close_returns(ends: Ends) -> None:
    await ends.stream.close()

    assert ends.other.recv(10) == b""
    with pytest.raises(TransientTransportError, match="port 7: closed"):
        await ends.stream.read()
    await ends.stream.close()


async def test_bytes_nobody_reads_stop_the_port_and_are_all_there_later(ends: Ends) -> None:
    sent = bytes(range(256)) * (4 * RECEIVE_LIMIT // 256)
    received = b""
    async with asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(asyncio.to_thread(ends.other.sendall, sent), name="sending")
        await eventually(lambda: ends.stream._reading_paused)
        assert len(ends.stream._mailbox) < 2 * RECEIVE_LIMIT + 256 * 1024
        while len(received) < len(sent):
            received += await ends.stream.read()
    await sending

    assert received == sent


async def test_a_port_that_takes_nothing_is_given_up_instead_of_piling_up(ends: Ends) -> None:
    ends.other.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    for _ in range(10_000):
        ends.stream.write(bytes(1024))

    with pytest.raises(TransientTransportError, match=f"{SEND_LIMIT} bytes wait to be sent"):
        await ends.stream.read()


async def test_a_stream_that_was_never_made_closes() -> None:
    await ByteStream("port 7").close()
