"""The one place that asks what time it is; handed to whoever needs to know (T55)."""

import time
from typing import Protocol

from bridge.domain.identity import Timestamp

_NANOSECONDS_PER_MICROSECOND = 1000


class Clock(Protocol):
    """Wall time as a label, monotonic time for everything that waits or orders."""

    def wall(self) -> Timestamp:
        """Return microseconds since 1970-01-01 UTC; may step either way."""

    def monotonic_us(self) -> int:
        """Return microseconds that only ever grow."""


class SystemClock:
    """The clocks of this machine."""

    def wall(self) -> Timestamp:
        """Return the system's wall clock."""
        return Timestamp(time.time_ns() // _NANOSECONDS_PER_MICROSECOND)

    def monotonic_us(self) -> int:
        """Return the system's monotonic clock."""
        return time.monotonic_ns() // _NANOSECONDS_PER_MICROSECOND
