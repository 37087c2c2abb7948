from datetime import UTC, datetime, timedelta

import pytest

from bridge.reports.zones import NoSuchZoneError, zone_names, zone_of

IN_WINTER = datetime(2026, 11, 29, 12, tzinfo=UTC)


def test_a_zone_is_that_of_its_name() -> None:
    assert zone_of("UTC") is UTC
    assert IN_WINTER.astimezone(zone_of("America/New_York")).utcoffset() == timedelta(hours=-5)


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "America", "\0", "x" * 300]
)
def test_what_is_no_zone_is_refused_with_what_to_write(name: str) -> None:
    with pytest.raises(NoSuchZoneError, match="no time zone of this machine; write one such as America/New_York"):
        zone_of(name)


def test_every_zone_that_is_offered_is_one() -> None:
    names = zone_names()

    assert names[0] == "UTC"
    assert {"America/New_York", "America/Los_Angeles", "Pacific/Honolulu"} <= set(names)
    assert len(set(names)) == len(names)
    assert all(zone_of(name) is not None for name in names)
