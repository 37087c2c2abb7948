import time
from collections.abc import Iterator

import pytest

from bridge.dashboard.history_times import instant, machine_readable, moment, parse_local, zone
from bridge.domain.identity import Timestamp

SUMMER = Timestamp(1_782_900_125_250_000)
"""2026-07-01 10:02:05.250 UTC."""
MINUTE = 60_000_000


@pytest.fixture(autouse=True)
def in_vienna(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_times_are_those_of_the_wall() -> None:
    assert moment(SUMMER) == "2026-07-01 12:02:05"
    assert machine_readable(SUMMER) == "2026-07-01T10:02:05.250000+00:00"
    assert zone(SUMMER) == "CEST, UTC+02:00"


def test_within_a_round_the_date_is_only_said_where_it_is_another() -> None:
    midnight = Timestamp(SUMMER + 12 * 60 * MINUTE)

    assert instant(SUMMER, SUMMER) == "12:02:05.250"
    assert instant(midnight, SUMMER) == "2026-07-02 00:02:05.250"


def test_what_a_browser_sends_is_the_minute_from_its_beginning_to_its_end() -> None:
    begin, end = parse_local("2026-07-01T12:02"), parse_local("2026-07-01T12:02", end=True)
    assert (begin, end) == (SUMMER - 5_250_000, SUMMER - 5_250_000 + MINUTE)
    assert parse_local("2026-07-01T12:02:05", end=True) == SUMMER + 750_000


def test_of_an_hour_that_comes_twice_nothing_is_left_out() -> None:
    begin, end = parse_local("2026-10-25T02:30"), parse_local("2026-10-25T02:30", end=True)
    assert begin is not None
    assert end is not None
    assert end - begin == 61 * MINUTE


@pytest.mark.parametrize(
    "text", ["", "today", "2026-13-01T10:00", "2026-07-01", "2026-07-01T25:00", "2026-07-01T1\u0e50:00"]
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert parse_local(text) is None


@pytest.mark.parametrize("text", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_time_beyond_the_calendar_is_none(text: str) -> None:
    assert parse_local(text) is None
    assert parse_local(text, end=True) is None
