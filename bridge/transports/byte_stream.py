"""A port that asyncio drives: what serial ports and sockets have in common, with bounds on both ways."""

import asyncio
from typing import cast

from bridge.transports.errors import TransientTransportError
from bridge.transports.mailbox import Mailbox

RECEIVE_LIMIT = 64 * 1024
"""Bytes kept unread before the port is told to stop; seconds of the fastest line in use."""

SEND_LIMIT = 4 * 1024
"""Bytes not taken by the port before it counts as stuck: hundreds of requests that nobody heard."""


class ByteStream(asyncio.Protocol):
    """One open port; a ``Transport``. ``name`` is the port as the configuration writes it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._mailbox = Mailbox()
        self._port: asyncio.Transport | None = None
        self._made = asyncio.Event()
        self._released = asyncio.Event()
        self._reading_paused = False

    async def made(self) -> None:
        """Wait until asyncio has handed the port over; before that, nothing can be written."""
        await self._made.wait()

    async def read(self) -> bytes:
        """Wait for bytes and return whatever arrived; raise when the port is gone and all bytes are taken.

        One reader at a time. Cancelling it loses nothing.
        """
        received = await self._mailbox.take()
        if self._reading_paused and self._port is not None:
            self._reading_paused = False
            self._port.resume_reading()
        return received

    def write(self, data: bytes) -> None:
        """Hand bytes to the port, at once if it takes them; when the port is gone they are dropped."""
        if data and self._port is not None and not self._mailbox.ended:
            self._port.write(data)

    async def close(self) -> None:
        """Release the port; when this returns, it may be opened again."""
        self._mailbox.end(TransientTransportError(f"{self._name}: closed"))
        if self._port is not None:
            self._abort(self._port)
            await self._released.wait()

    # --- called by asyncio ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the port over."""
        self._port = cast("asyncio.Transport", transport)
        self._port.set_write_buffer_limits(high=SEND_LIMIT)
        self._made.set()

    def data_received(self, data: bytes) -> None:
        """Keep bytes, and stop the port when nobody takes them."""
        self._mailbox.put(data)
        if len(self._mailbox) >= RECEIVE_LIMIT and not self._reading_paused and self._port is not None:
            self._reading_paused = True
            self._port.pause_reading()

    def eof_received(self) -> None:
        """Note that the other end hung up; asyncio then closes the port."""
        self._mailbox.end(TransientTransportError(f"{self._name}: the other end closed the connection"))

    def pause_writing(self) -> None:
        """Give the port up: it takes nothing, and what is not asked cannot be seen to be silent."""
        self._mailbox.end(
            TransientTransportError(
                f"{self._name}: {SEND_LIMIT} bytes wait to be sent and the port takes none; "
                "check the cable and the adapter"
            )
        )
        if self._port is not None:
            self._abort(self._port)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the port is released, and why."""
        reason = exc or "the connection ended"
        self._mailbox.end(
            TransientTransportError(f"{self._name}: the port is gone ({reason}); check the cable and the adapter")
        )
        self._port = None
        self._released.set()

    @staticmethod
    def _abort(port: asyncio.Transport) -> None:
        # A serial transport that is closing with nothing left to send has scheduled its end already; asked
        # again it would schedule a second one, which finds the port released and fails.
        if not port.is_closing() or port.get_write_buffer_size():
            port.abort()
