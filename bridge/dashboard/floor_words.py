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
