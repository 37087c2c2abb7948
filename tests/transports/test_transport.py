import asyncio

import pytest

from bridge.transports import open_transport
from bridge.transports.errors import PermanentTransportError
from bridge.wire.spec import SerialSettings
from tests.transports.ports import PseudoTerminal


@pytest.mark.parametrize("prefix", ["", "serial:"])
async def test_a_path_opens_a_serial_port(prefix: str) -> None:
    with PseudoTerminal() as terminal:
        port = await open_transport(f"{prefix}{terminal.path}", SerialSettings())
        terminal.write(b"hello")
        assert await port.read() == b"hello"
        await port.close()


async def test_a_socket_url_opens_a_connection() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        number = server.sockets[0].getsockname()[1]
        port = await open_transport(f"socket://127.0.0.1:{number}", SerialSettings())
        assert await port.read() == b"hello"
        await port.close()


async def test_anything_else_is_refused() -> None:
    with pytest.raises(PermanentTransportError, match="is not known"):
        await open_transport("http://127.0.0.1:80", SerialSettings())
