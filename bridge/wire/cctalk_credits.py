"""What a coin acceptor has done since it was last asked: the arithmetic of its event counter.

The acceptor keeps its last five events, newest first, and counts all of them: from 0, where it has just
started, through 1 to 255 and on with 1. So the distance from the counter last seen is how many events are
new; more than five, and the older ones are gone. Source: ccTalk Generic Specification 4.x, header 229.

A restart is seen by the counter being 0, by a counter that went back while some of the five places are still
without an event, or by older events that are not those which were there before.
"""

from dataclasses import dataclass

from bridge.wire.errors import FrameError

EVENTS_KEPT = 5
CREDIT_LENGTH = 1 + 2 * EVENTS_KEPT
"""The counter, and a pair of bytes for each event."""
COUNTER_MAX = 255
NO_EVENT = (0, 0)

Event = tuple[int, int]
"""A coin and its sorter path, or 0 and an error code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditReading:
    """One answer to header 229."""

    counter: int
    events: tuple[Event, ...]
    """Newest first."""

    @property
    def since_start(self) -> bool:
        """Say whether places without an event show that the acceptor has counted no further since its start."""
        unused = self.events[self.counter :]
        return bool(unused) and all(event == NO_EVENT for event in unused)


def read_credit(data: bytes) -> CreditReading:
    """Return what the data of an answer say; raise ``FrameError`` if they are of another length."""
    if len(data) != CREDIT_LENGTH:
        raise FrameError(f"buffered credit has {CREDIT_LENGTH} bytes", data)
    pairs = tuple((data[at], data[at + 1]) for at in range(1, CREDIT_LENGTH, 2))
    return CreditReading(counter=data[0], events=pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What has happened between two readings."""

    events: tuple[Event, ...] = ()
    """Oldest first."""
    lost: int = 0
    """How many events before these are gone."""
    restarted: bool = False
    """Whether the acceptor has begun to count anew; what it did just before that is not known."""


class CreditCounter:
    """Takes the readings of one acceptor in order; each event comes out once."""

    def __init__(self) -> None:
        self._last: CreditReading | None = None

    @property
    def begun(self) -> bool:
        """Say whether there was a reading to count from."""
        return self._last is not None

    def take(self, reading: CreditReading) -> News:
        """Return what is new; of the first reading nothing: which of its events were told before is not known."""
        last, self._last = self._last, reading
        if last is None:
            return News()
        if reading.counter == 0:
            return News(restarted=last.counter != 0)
        distance = reading.counter - last.counter
        if distance < 0:
            if reading.since_start:
                return _since_restart(reading)
            distance += COUNTER_MAX
        if distance > EVENTS_KEPT:
            return News(events=reading.events[::-1], lost=distance - EVENTS_KEPT)
        if reading.events[distance:] != last.events[: EVENTS_KEPT - distance]:
            return _since_restart(reading)
        return News(events=reading.events[:distance][::-1])


def _since_restart(reading: CreditReading) -> News:
    """Return what was done since: the events that are there, as far as the counter goes."""
    told = min(reading.counter, EVENTS_KEPT)
    return News(events=reading.events[:told][::-1], lost=reading.counter - told, restarted=True)
