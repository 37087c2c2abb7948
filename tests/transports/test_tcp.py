import asyncio
import errno
import socket
from collections.abc import AsyncIterator

import pytest

from bridge.transports import tcp
from bridge.transports.errors import TransientTransportError
from bridge.transports.tcp import open_tcp
from tests.transports.ports import eventually


@pytest.fixture
async def device_server() -> AsyncIterator[tuple[int, list[asyncio.StreamWriter]]]:
    clients: list[asyncio.StreamWriter] = []

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clients.append(writer)
        while data := await reader.read(1024):
            writer.write(data)
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], clients


async def test_bytes_go_there_and_back(device_server: tuple[int, list[asyncio.StreamWriter]]) -> None:
    number, _ = device_server
    stream = await open_tcp("socket://it", "127.0.0.1", number)
    stream.write(b"echo")

    assert await stream.read() == b"echo"
    await stream.close()


async def test_small_requests_leave_at_once_and_a_dead_peer_is_noticed(
    device_server: tuple[int, list[asyncio.StreamWriter]],
) -> None:
    number, _ = device_server
    stream = await open_tcp("socket://it", "127.0.0.1", number)
    assert stream._port is not None
    connection = stream._port.get_extra_info("socket")

    assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    await stream.close()


async def test_a_device_server_that_hangs_up_ends_the_line(
    device_server: tuple[int, list[asyncio.StreamWriter]],
) -> None:
    number, clients = device_server
    stream = await open_tcp("socket://it", "127.0.0.1", number)
    await eventually(lambda: bool(clients))
    clients[0].close()

    with pytest.raises(TransientTransportError, match="the other end closed"):
        await stream.read()
    await stream.close()


async def test_a_refused_connection_says_what_to_look_at() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
    with pytest.raises(TransientTransportError, match=r"socket://it: connection refused.*TCP server mode"):
        await open_tcp("socket://it", "127.0.0.1", number)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TimeoutError(), "no answer within"),
        (UnicodeError("label too long"), "'shoe.example' cannot be the name of a machine; correct it"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "the name shoe.example is not known"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "cannot be reached .No route to host"),
        (OSError("several at once"), "cannot be reached .several at once"),
    ],
)
async def test_every_other_refusal_is_told_apart(
    error: OSError, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", refuse)
    with pytest.raises(TransientTransportError, match=message):
        await open_tcp("socket://it", "shoe.example", 4001)


async def test_options_a_system_does_not_have_are_left_out(
    device_server: tuple[int, list[asyncio.StreamWriter]], monkeypatch: pytest.MonkeyPatch
) -> None:
    number, _ = device_server
    monkeypatch.setattr(tcp, "_OPTIONS", (*tcp._OPTIONS, (socket.IPPROTO_TCP, "TCP_OF_ANOTHER_SYSTEM", 1)))
    stream = await open_tcp("socket://it", "127.0.0.1", number)
    await stream.close()
