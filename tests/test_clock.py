import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bridge.clock import SystemClock, in_zone, local, local_day, timestamp_of, until_tomorrow_s
from bridge.domain.identity import Timestamp


def at(text: str, micros: int = 0) -> Timestamp:
    return Timestamp(int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1_000_000 + micros)


def test_T55_wall_time_is_a_label_in_microseconds_since_1970() -> None:
    before = time.time_ns() // 1000

    assert before <= SystemClock().wall() <= time.time_ns() // 1000


def test_T55_monotonic_time_only_grows() -> None:
    clock = SystemClock()
    seen = [clock.monotonic_us() for _ in range(1000)]

    assert seen == sorted(seen)


def test_a_time_is_told_in_any_zone_also_before_1970() -> None:
    assert in_zone(at("2026-07-01T10:02:05", 250_001)).isoformat() == "2026-07-01T10:02:05.250001+00:00"
    assert (
        in_zone(at("2026-07-01T10:02:05"), ZoneInfo("America/New_York")).isoformat() == "2026-07-01T06:02:05-04:00"
    )
    assert in_zone(Timestamp(-1)).isoformat() == "1969-12-31T23:59:59.999999+00:00"


@pytest.mark.parametrize("text", ["2026-07-01T10:02:05.250001+00:00", "1969-12-31T23:59:59.999999+00:00"])
def test_a_time_that_is_written_with_its_zone_is_a_timestamp_again(text: str) -> None:
    assert in_zone(timestamp_of(datetime.fromisoformat(text))).isoformat() == text
    assert timestamp_of(datetime.fromisoformat("1970-01-01T01:00:00+01:00")) == 0


@pytest.mark.usefixtures("in_vienna")
def test_a_time_is_told_to_the_microsecond_by_the_clock_on_the_wall() -> None:
    assert local(at("2026-07-01T10:02:05", 250_001)).isoformat() == "2026-07-01T12:02:05.250001+02:00"


@pytest.mark.usefixtures("in_vienna")
@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2026-11-29T22:59:59", "2026-11-29"),
        ("2026-11-29T23:00:00", "2026-11-30"),
        ("2026-07-01T22:00:00", "2026-07-02"),
    ],
)
def test_a_day_begins_at_midnight_where_the_table_is(now: str, day: str) -> None:
    assert local_day(at(now)) == day


@pytest.mark.usefixtures("in_vienna")
@pytest.mark.parametrize(
    "now", ["2026-11-29T12:00:00", "2026-11-29T22:59:59", "2026-03-28T23:00:00", "2026-10-24T22:30:00"]
)
def test_after_that_long_it_is_tomorrow_and_two_seconds_before_it_is_not(now: str) -> None:
    """Also on the days of 23 and of 25 hours."""
    then = Timestamp(at(now) + int(until_tomorrow_s(at(now)) * 1_000_000))

    assert local_day(then) > local_day(at(now))
    assert local_day(Timestamp(then - 2_000_000)) == local_day(at(now))
