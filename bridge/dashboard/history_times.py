"""Times of past rounds as people at the table read and write them: by the clock on the wall of the dashboard."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from bridge.clock import local, timestamp_of
from bridge.domain.identity import Timestamp

_LOCAL: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?", re.ASCII)
"""What a browser sends for a local time: ``2026-11-30T08:41``, with seconds where somebody wrote them."""


def moment(at: Timestamp) -> str:
    """Return date and time to the second."""
    return f"{local(at):%Y-%m-%d %H:%M:%S}"


def instant(at: Timestamp, day_of: Timestamp) -> str:
    """Return a time to the millisecond, with its date where that is another than that of ``day_of``."""
    shown = local(at)
    date = "" if shown.date() == local(day_of).date() else f"{shown:%Y-%m-%d} "
    return f"{date}{shown:%H:%M:%S}.{shown.microsecond // 1000:03d}"


def machine_readable(at: Timestamp) -> str:
    """Return a time as HTML has it for machines."""
    return local(at).astimezone(UTC).isoformat(timespec="microseconds")


def zone(at: Timestamp) -> str:
    """Return the zone in which times are shown, as ``CET, UTC+01:00``."""
    shown = local(at)
    offset = shown.strftime("%z")
    return f"{shown.tzname()}, UTC{offset[:3]}:{offset[3:]}"


def parse_local(text: str, *, end: bool = False) -> Timestamp | None:
    """Return the moment at which a minute or second begins, or at which it ends; None for what is no time.

    Of an hour that the clock goes through twice, a beginning is taken from the first time and an end from the
    second, so that nothing is left out.
    """
    if not _LOCAL.fullmatch(text):
        return None
    try:
        shown = datetime.fromisoformat(text).replace(fold=int(end)).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
    if end:
        shown += timedelta(seconds=1 if text.count(":") > 1 else 60)
    return timestamp_of(shown)
