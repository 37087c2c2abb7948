"""The only place that opens a port. ``open_transport`` turns a URL into one, and nothing else does."""

from typing import Protocol


class Transport(Protocol):
    """A byte stream to a device."""

    async def read(self) -> bytes:
        """Wait for bytes and return whatever arrived; raise ``TransientTransportError`` when the port is gone."""

    def write(self, data: bytes) -> None:
        """Hand bytes to the port; a failure shows in ``read``."""

    async def close(self) -> None:
        """Release the port; harmless when it is gone already."""
