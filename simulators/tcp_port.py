"""A simulated line at a TCP port, as behind a device server."""

import asyncio
import socket
from contextlib import suppress

from simulators.device import SimulatedLine
from simulators.faults import Cables
from simulators.pacing import UNPACED, Pacing
from simulators.port import READ_BYTES_MAX, SOUND, Port


class TcpPort(Port):
    """A listening TCP port, like a one-port serial device server: one host at a time."""

    def __init__(
        self,
        line: SimulatedLine,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        pacing: Pacing = UNPACED,
        cables: Cables = SOUND,
    ) -> None:
        super().__init__(line, pacing=pacing, cables=cables)
        self._address = (host, port)
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None

    @property
    def url(self) -> str:
        """The URL under which a bridge reaches the port."""
        host, port = self._address
        return f"socket://{host}:{port}"

    @property
    def plugged_in(self) -> bool:
        """Whether the port listens."""
        return self._listener is not None

    @property
    def address(self) -> tuple[str, int]:
        """Host and port; the port is known once it is plugged in, and stays the same."""
        return self._address

    def plug_in(self) -> None:
        """Listen; raise ``OSError`` if the port is in use."""
        if self._listener:
            return
        listener = socket.create_server(self._address)
        listener.setblocking(False)  # noqa: FBT003 - the socket module's own signature
        self._address = listener.getsockname()[:2]
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _take_away(self) -> None:
        self._hang_up()
        if self._listener:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _accept(self, listener: socket.socket) -> None:
        with suppress(BlockingIOError):
            connection, _ = listener.accept()
            if self._connection:
                connection.close()
                return
            connection.setblocking(False)  # noqa: FBT003 - the socket module's own signature
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection = connection
            asyncio.get_running_loop().add_reader(connection, self._readable, connection)
            self._connected()

    def _readable(self, connection: socket.socket) -> None:
        try:
            data = connection.recv(READ_BYTES_MAX)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._arrived(data)
        else:
            self._hang_up()

    def _connected(self) -> None:
        """Take note that a host is there."""

    def _arrived(self, data: bytes) -> None:
        """Take what a host has sent."""
        self.hear(data)

    def _write(self, data: bytes) -> None:
        if data and self._connection:
            # A host that does not read, or has just gone, loses bytes, as it does on a wire.
            with suppress(OSError):
                self._connection.send(data)

    def _hang_up(self) -> None:
        if self._connection:
            asyncio.get_running_loop().remove_reader(self._connection)
            self._connection.close()
            self._connection = None
