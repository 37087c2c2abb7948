"""A line whose two ends are set to different speeds: the same edges, read at the wrong moments.

Start bit low, eight bits of data with the lowest first, stop bit high; the receiver looks at the middle of
each bit, as it reckons them. A stop bit that is low is a framing error, and the byte is handed on as it was
read, as a serial port of Linux does when nobody asked it to check.
"""

from math import gcd

from simulators.faults import Delivery

_BITS = 10


class WrongBaudCable:
    """Carries what is said at one speed as it is heard at another."""

    def __init__(self, *, said_at: int, heard_at: int) -> None:
        common = gcd(said_at, heard_at)
        self._said_at = 2 * said_at // common
        self._heard_at = 2 * heard_at // common

    def carry(self, data: bytes) -> tuple[Delivery, ...]:
        """Deliver what the other end makes of it."""
        heard = self._hear([level for byte in data for level in _levels(byte)])
        return (Delivery(heard),) if heard else ()

    def _hear(self, levels: list[int]) -> bytes:
        """Read a line that is idle before and after; times are in parts of a bit, exact."""
        heard = bytearray()
        end = len(levels) * self._heard_at
        now = 0
        while now < end:
            if self._at(levels, now):
                now = (now // self._heard_at + 1) * self._heard_at
                continue
            samples = [self._at(levels, now + (2 * bit + 1) * self._said_at // 2) for bit in range(_BITS)]
            heard.append(sum(level << place for place, level in enumerate(samples[1:9])))
            now += (2 * _BITS - 1) * self._said_at // 2
            while now < end and not self._at(levels, now):
                now += 1  # after a framing error the next start is looked for when the line is idle again
        return bytes(heard)

    def _at(self, levels: list[int], time: int) -> int:
        """Return the level at a time. A bit that is said takes ``heard_at``, one that is heard ``said_at``."""
        place = time // self._heard_at
        return levels[place] if place < len(levels) else 1


def _levels(byte: int) -> list[int]:
    return [0, *(byte >> place & 1 for place in range(8)), 1]
