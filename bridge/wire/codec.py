"""The contract between a protocol and whoever owns the port.

A codec holds no port, no clock and no loop. Give it the bytes that arrived and the time, take the
messages; take the bytes it wants to send and write them; wake it when it asks. Times are integers,
microseconds of one monotonic clock.

    messages = codec.receive_data(data, now_us)
    port.write(codec.data_to_send(now_us))
    sleep_until(codec.next_wakeup())
    messages = codec.wake(now_us)
"""

from typing import Protocol

from bridge.wire.messages import Order, WireMessage


class Codec(Protocol):
    """The bridge's end of one line, with one or more units on it."""

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete. Never raises on anything a peer can send."""

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: polls fall due, answers are given up. Harmless when called early or late."""

    def order(self, order: Order) -> None:
        """Take an order; its bytes come out of ``data_to_send`` as soon as the line is free.

        Raises ``OrderError`` for one that no unit of the line can carry out.
        """

    def data_to_send(self, now_us: int) -> bytes:
        """Return the bytes to be written now, each of them once; empty if there are none."""

    def next_wakeup(self) -> int | None:
        """Return when ``wake`` must be called at the latest, or None while the line may stay quiet."""

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget half a frame and everything in flight: the port is gone. Units that answered are silent now."""
