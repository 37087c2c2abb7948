"""The one place that asks what time it is; handed to whoever needs to know (T55)."""

import time
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, Protocol

from bridge.domain.identity import Timestamp

US_PER_S: Final = 1_000_000
_NANOSECONDS_PER_MICROSECOND = 1000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


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


def in_zone(at: Timestamp, zone: tzinfo = UTC) -> datetime:
    """Return a time in a zone, to the microsecond."""
    return (_EPOCH + timedelta(microseconds=at)).astimezone(zone)


def timestamp_of(at: datetime) -> Timestamp:
    """Return a time that knows its zone as a timestamp."""
    return Timestamp((at - _EPOCH) // timedelta(microseconds=1))


def local(at: Timestamp) -> datetime:
    """Return a time in the zone of this machine, to the microsecond."""
    return in_zone(at).astimezone()


def local_day(at: Timestamp) -> str:
    """Return the date on the wall at a time, as ISO writes it."""
    return local(at).date().isoformat()


def until_tomorrow_s(at: Timestamp) -> float:
    """Return in how many seconds the date on the wall is surely another."""
    now = local(at)
    midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time()).astimezone()
    return (midnight - now).total_seconds() + 1
