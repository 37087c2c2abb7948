"""The wire's own time: what is said arrives, in either direction, when its last byte would at the baud rate.

A pseudo-terminal carries bytes in no time whatever baud rate is set, so the time is kept here. What is said
arrives in one piece, as from an adapter that collects bytes: a device sends without a pause however crowded the
machine is that simulates it. Without pacing a line answers in the very call in which the request was read.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bridge.wire.spec import SerialSettings
from simulators.faults import Arrival, Delivery, PulledOut


@dataclass(frozen=True, slots=True)
class Pacing:
    """How long one byte takes on the wire."""

    byte_us: int

    @classmethod
    def of(cls, serial: SerialSettings) -> "Pacing":
        """Return the pacing of a serial line: start bit, data, parity and stop bits at its baud rate."""
        return cls(serial.character_bits * 1_000_000 // serial.baud)


UNPACED = Pacing(0)
"""Bytes take no time: for benchmarks, and for tests that must not wait."""


class Belt:
    """Carries arrivals to one end, in order, each when it is due."""

    def __init__(self, deliver: Callable[[bytes], None], pulled_out: Callable[[], None], pacing: Pacing) -> None:
        self._deliver = deliver
        self._pulled_out = pulled_out
        self._byte_us = pacing.byte_us
        self._items: deque[tuple[int, Arrival]] = deque()
        self._free_us = 0
        self._changed = asyncio.Event()

    def put(self, arrival: Arrival, delay_us: int) -> None:
        """Let something arrive after a delay; at once, if nothing is before it and it takes no time."""
        now_us = monotonic_us()
        start_us = max(self._free_us, now_us + delay_us)
        taken_us = len(arrival.data) * self._byte_us if isinstance(arrival, Delivery) else 0
        self._free_us = start_us + taken_us
        self._items.append((self._free_us, arrival))
        self._deliver_due(now_us)
        self._changed.set()

    def clear(self) -> None:
        """Lose everything that is still on its way."""
        self._items.clear()
        self._free_us = 0
        self._changed.set()

    async def run(self) -> None:
        """Deliver what falls due, until cancelled."""
        while True:
            self._changed.clear()
            wait_s = (self._items[0][0] - monotonic_us()) / 1_000_000 if self._items else None
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()
            self._deliver_due(monotonic_us())

    def _deliver_due(self, now_us: int) -> None:
        while self._items and self._items[0][0] <= now_us:
            match self._items.popleft()[1]:
                case Delivery(data=data):
                    self._deliver(data)
                case PulledOut():
                    self._pulled_out()


def monotonic_us() -> int:
    """Return the time that delays and pacing are measured in."""
    return time.monotonic_ns() // 1000
