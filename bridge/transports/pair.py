"""An in-memory null modem: two ends, and a hand on the cable between them."""

from collections.abc import Callable, Iterable

from bridge.transports.errors import TransientTransportError
from bridge.transports.mailbox import Mailbox

Manipulator = Callable[[bytes], Iterable[bytes]]
"""What the cable does to one write: the chunks that arrive at the other end, none if it is lost.

A manipulator that keeps bytes for later gives them to ``PairTransport.arrive`` of the receiving end.
"""


def faithful(data: bytes) -> Iterable[bytes]:
    """Let bytes arrive as they were written."""
    return (data,)


class PairTransport:
    """One end of a null modem."""

    def __init__(self, name: str) -> None:
        self._mailbox = Mailbox()
        self._name = name
        self._peer = self
        self._cable: Manipulator = faithful
        self.closed = False

    async def read(self) -> bytes:
        """Wait for bytes and return whatever arrived; raise when either end is closed and all bytes are taken."""
        return await self._mailbox.take()

    def write(self, data: bytes) -> None:
        """Send bytes through the cable; after the end of the connection they are dropped."""
        if data and not self._mailbox.ended:
            for chunk in self._cable(data):
                self._peer.arrive(chunk)

    async def close(self) -> None:
        """Close this end; the other end reads what is under way, then that the port is gone."""
        self.closed = True
        self.unplug()

    def arrive(self, data: bytes) -> None:
        """Let bytes arrive at this end: late, or from nowhere."""
        self._mailbox.put(data)

    def unplug(self) -> None:
        """Pull the cable out of both ends; they remain to be closed."""
        for end in (self, self._peer):
            end._mailbox.end(TransientTransportError(f"{end._name}: the port is gone; check the cable"))  # noqa: SLF001 - the other end is of this class

    @classmethod
    def joined(cls, to_device: Manipulator, to_bridge: Manipulator) -> "tuple[PairTransport, PairTransport]":
        """Return two ends joined by a cable, the bridge's first."""
        bridge, device = cls("pair, bridge's end"), cls("pair, device's end")
        bridge._peer, device._peer = device, bridge
        bridge._cable, device._cable = to_device, to_bridge
        return bridge, device


class NullModem:
    """A cable with its two ends; ``is_dirty`` tells a test that it left one open."""

    def __init__(self, *, to_device: Manipulator = faithful, to_bridge: Manipulator = faithful) -> None:
        self.bridge, self.device = PairTransport.joined(to_device, to_bridge)

    def unplug(self) -> None:
        """Pull the cable: both ends read what arrived, then that the port is gone."""
        self.bridge.unplug()

    def is_dirty(self) -> bool:
        """Return whether an end has not been closed."""
        return not (self.bridge.closed and self.device.closed)
