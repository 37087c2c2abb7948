"""Bytes that arrived and wait for their reader, then the reason why no more will come.

``asyncio.StreamReader`` is not used because it forgets what it holds as soon as the connection is lost,
and a card that was read just before the cable was pulled has been read all the same.
"""

import asyncio

from bridge.transports.errors import TransportError


class Mailbox:
    """Received bytes in order, for one reader; what has arrived is handed out before the end is told."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._ended: TransportError | None = None
        self._news: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._received)

    @property
    def ended(self) -> bool:
        """Return whether nothing more will arrive."""
        return self._ended is not None

    def put(self, data: bytes) -> None:
        """Add bytes; after the end they are dropped."""
        if self._ended is None:
            self._received += data
            self._wake_reader()

    def end(self, error: TransportError) -> None:
        """Say that nothing more will arrive; the first reason holds."""
        if self._ended is None:
            self._ended = error
            self._wake_reader()

    async def take(self) -> bytes:
        """Wait for bytes and return all of them; raise the reason of the end once there are none.

        One reader at a time. Cancelling it loses nothing.
        """
        while not self._received:
            if self._ended is not None:
                # Without its traceback: the same error may be raised again, and would grow by each.
                raise self._ended.with_traceback(None)
            self._news = asyncio.get_running_loop().create_future()
            try:
                await self._news
            finally:
                self._news = None
        received = bytes(self._received)
        self._received.clear()
        return received

    def _wake_reader(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
