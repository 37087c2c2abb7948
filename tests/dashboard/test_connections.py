import asyncio
import resource
import sys
from urllib.parse import urlsplit

import pytest

from bridge.config import load_table
from bridge.dashboard import access, connections
from tests.dashboard.looking import Served, served
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION

WHOLE = b"GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n"


async def opened(dashboard: Served) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address = urlsplit(dashboard.url)
    return await asyncio.open_connection(address.hostname, address.port)


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return what is said until the connection ends."""
    said = b""
    async with asyncio.timeout(PATIENCE_S):
        try:
            while part := await reader.read(4096):
                said += part
        except ConnectionError:
            pass
    return said


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX: ", WHOLE + b"GET /"])
async def test_whoever_does_not_say_what_he_wants_is_hung_up_on(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(connections, "_REQUEST_S", 0.05)
    async with served(load_table(DEMONSTRATION)) as dashboard:
        reader, writer = await opened(dashboard)
        writer.write(said)

        assert (b"HTTP/1.1 200" in await rest(reader)) is said.startswith(WHOLE)
        writer.close()


async def test_a_form_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "_FORM_S", 0.05)
    async with served(load_table(DEMONSTRATION)) as dashboard:
        reader, writer = await opened(dashboard)
        netloc = urlsplit(dashboard.url).netloc
        head = f"POST /sign-in HTTP/1.1\r\nHost: {netloc}\r\nOrigin: {dashboard.url}\r\nContent-Length: 9\r\n\r\n"
        writer.write(head.encode())

        assert (await rest(reader)).startswith(b"HTTP/1.1 408 ")
        writer.close()


async def test_a_stream_lasts_while_it_says_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_REQUEST_S", 0.05)
    async with served(load_table(DEMONSTRATION)) as dashboard:
        reader, writer = await opened(dashboard)
        writer.write(b"GET /tables/bj-demo/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(3):
                await reader.readuntil(b"data:")
        writer.close()


@pytest.mark.parametrize(("files", "browsers"), [(1024, 864), (10, 1), (resource.RLIM_INFINITY, sys.maxsize)])
def test_some_of_the_files_a_process_may_open_are_kept_for_others(
    monkeypatch: pytest.MonkeyPatch, files: int, browsers: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))

    assert connections.connections_max() == browsers


async def test_beyond_what_the_system_allows_nobody_else_is_let_in_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "connections_max", lambda: 2)
    async with served(load_table(DEMONSTRATION)) as dashboard:
        (first, writer), (_, second), (third, other) = [await opened(dashboard) for _ in range(3)]

        assert await rest(third) == b""
        writer.write(WHOLE)
        assert (await first.readline()).startswith(b"HTTP/1.1 200 ")
        for one in (writer, second, other):
            one.close()
