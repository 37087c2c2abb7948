"""Bounded accumulation of received bytes."""


class ReceiveBuffer:
    """Bytes that arrived and are not understood yet; never more than ``limit`` of them."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()

    def __len__(self) -> int:
        return len(self._data)

    def __bytes__(self) -> bytes:
        return bytes(self._data)

    def append(self, data: bytes) -> bytes:
        """Add bytes; return the oldest ones that had to be dropped to stay within the limit."""
        self._data += data
        return self.take(max(0, len(self._data) - self._limit))

    def take(self, count: int) -> bytes:
        """Remove and return the oldest ``count`` bytes."""
        taken = bytes(self._data[:count])
        del self._data[:count]
        return taken

    def clear(self) -> bytes:
        """Remove and return everything."""
        return self.take(len(self._data))
