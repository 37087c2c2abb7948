"""The time zones that a document can show its times in, by the names of the IANA database."""

from datetime import UTC, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bridge.domain.errors import BridgeError

UTC_NAME: Final = "UTC"


class NoSuchZoneError(BridgeError):
    """There is no time zone of that name on this machine."""


def zone_of(name: str) -> tzinfo:
    """Return the zone of a name, such as ``America/New_York``; raise ``NoSuchZoneError``."""
    if name == UTC_NAME:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise NoSuchZoneError(
            f"{name!r} is no time zone of this machine; write one such as America/New_York"
        ) from error


@cache
def zone_names() -> tuple[str, ...]:
    """Return the zones of places that this machine knows, by name, UTC before them; looked up once."""
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return (UTC_NAME, *places)
