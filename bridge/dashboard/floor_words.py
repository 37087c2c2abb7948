"""What the view of the floor says."""

from collections.abc import Mapping
from typing import Final

from bridge.dashboard.alarms import Severity
from bridge.domain.awards import AwardStatus

ATTENTION: Final = "Wants attention"
NO_ALARMS: Final = "Nothing wants attention."
AWARDS: Final = "Pending awards"
NO_AWARDS: Final = "No award is pending."
TABLES: Final = "Tables"
MORE: Final = "and {count} more"
ROUND: Final = "Round {number}"
LOCKED: Final = "locked out"
OPEN: Final = "wagers accepted"
SINCE: Final = "for {time}"
SINCE_AT_LEAST: Final = "for {time} or longer"
HOURS: Final = "{hours} h {minutes:02} min"
DAYS: Final = "{days} days"
POSITION: Final = "position {position}"
METER_UNAVAILABLE: Final = "meter unavailable"
SAID: Final = "Alarms: {alarms}. Pending awards: {awards}. Tables: {tables}."

FILTER: Final = "Filter"
FILTER_HINT: Final = "table or game, key /"
SHOW: Final = "Show"
SHOWN: Mapping[str, str] = {
    "all": "all tables",
    "alarms": "with alarms",
    "awards": "with a pending award",
    "open": "open for wagers",
}
SORT: Final = "Sort by"
SORTED: Mapping[str, str] = {
    "alarms": "alarms, most severe and oldest first",
    "awards": "awards, oldest first",
    "name": "name",
    "meter": "meter, largest first",
}
COUNT: Final = "Shown: {shown} of {all}"

SEVERITIES: Mapping[Severity, str] = {
    Severity.STOPPED: "Stopped",
    Severity.HELD: "Held",
    Severity.FAULT: "Fault",
    Severity.NOTE: "Note",
}
SIGNS: Mapping[Severity, str] = {
    Severity.STOPPED: "■",
    Severity.HELD: "▲",
    Severity.FAULT: "◆",
    Severity.NOTE: "●",
}
AWARD_STATUS: Mapping[AwardStatus, str] = {
    AwardStatus.HIT: "hit: the dealer verifies the hand",
    AwardStatus.HAND_VERIFIED: "hand verified: verify the win lamp",
    AwardStatus.LAMP_VERIFIED: "lamp verified: a floorperson validates",
    AwardStatus.VALIDATED: "validated: document it",
    AwardStatus.DOCUMENTED: "documented: pay it, not from the table inventory",
    AwardStatus.PAID: "paid: reset the meter",
    AwardStatus.RESET: "over",
    AwardStatus.REJECTED: "rejected",
}

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def duration(seconds: int) -> str:
    """Return a time as exactly as it matters: ``3:07``, ``5 h 04 min``, ``3 days``."""
    if seconds < _HOUR:
        return "{}:{:02}".format(*divmod(seconds, _MINUTE))
    if seconds < 2 * _DAY:
        return HOURS.format(hours=seconds // _HOUR, minutes=seconds % _HOUR // _MINUTE)
    return DAYS.format(days=seconds // _DAY)
