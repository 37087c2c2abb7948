"""What the tests of simulated ports share: a line that says back what it hears, and a host that calls it."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from simulators.device import Utterance
from simulators.port import Port
from simulators.pty_port import PtyPort
from simulators.tcp_port import TcpPort


class Echo:
    """A line that says back what it hears, after a delay."""

    def __init__(self, delay_us: int = 0) -> None:
        self.heard = bytearray()
        self.chunks = 0
        self.say: Callable[[bytes], None] = lambda _: None
        self._delay_us = delay_us

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        assert data
        assert now_us > 0
        self.heard += data
        self.chunks += 1
        return (Utterance(data, self._delay_us),)

    def connect(self, say: Callable[[bytes], None]) -> None:
        self.say = say

    def power_cycle(self) -> None:
        self.heard.clear()


class Caller:
    """The host's end of a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        assert os.write(self._descriptor, data) == len(data)

    async def read(self, length: int) -> bytes:
        """Wait for so many bytes; fewer mean that the port is gone."""
        data = b""
        while len(data) < length:
            readable = asyncio.Event()
            asyncio.get_running_loop().add_reader(self._descriptor, readable.set)
            await readable.wait()
            asyncio.get_running_loop().remove_reader(self._descriptor)
            try:
                more = os.read(self._descriptor, length - len(data))
            except OSError:
                more = b""
            if not more:
                break
            data += more
        return data


def listing(folder: Path | str) -> set[Path]:
    return set(Path(folder).iterdir())


@asynccontextmanager
async def called(port: Port) -> AsyncIterator[Caller]:
    """Open a port as a bridge would."""
    if isinstance(port, PtyPort):
        descriptor = os.open(port.url, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            yield Caller(descriptor)
        finally:
            os.close(descriptor)
    else:
        assert isinstance(port, TcpPort)
        with socket.create_connection(port.address) as connection:
            connection.setblocking(False)  # noqa: FBT003 - the socket module's own signature
            yield Caller(connection.fileno())
