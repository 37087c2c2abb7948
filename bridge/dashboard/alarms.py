"""What is wrong at a table, how bad it is, and since when."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from bridge.dashboard import sign_words, words
from bridge.dashboard.followed import DAEMON, RULES_WORKER, FollowedTable, Unavailable
from bridge.dashboard.since import Since
from bridge.domain.identity import Timestamp
from bridge.domain.names import plain
from bridge.domain.table_view import Irregularity, IrregularityKind, TableView, Task

_ANSWERED_BY: Final[Mapping[IrregularityKind, Task]] = {
    IrregularityKind.COUNT_DIFFERED: Task.RESOLVE_COUNT,
    IrregularityKind.CARD_UNREAD: Task.IDENTIFY_CARD,
    IrregularityKind.CARD_NOT_DUE: Task.RESOLVE_HANDS,
    IrregularityKind.CARD_MISSING: Task.RESOLVE_HANDS,
    IrregularityKind.VIGORISH_OPEN: Task.COLLECT_VIGORISH,
}
"""Irregularities that hold a table until somebody has done something about them."""


class Severity(IntEnum):
    """How bad something is; the worst is the least."""

    STOPPED = 1
    """The table, or its progressive, cannot go on."""
    HELD = 2
    """The round waits for somebody."""
    FAULT = 3
    """Something does not work, and the table goes on."""
    NOTE = 4
    """It happened, and nobody has to do anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """One thing that is wrong."""

    severity: Severity
    text: str
    since: Since | None
    """None where nobody can say."""


def alarms(table: FollowedTable) -> tuple[Alarm, ...]:
    """Return what is wrong at a table, the worst first, and of the equally bad the oldest.

    Of a table that nobody vouches for, that is all that is said.
    """
    return tuple(sorted((*_absent(table), *_seen(table)), key=order))


def order(alarm: Alarm) -> tuple[Severity, Timestamp]:
    """Return what alarms are sorted by."""
    return alarm.severity, Timestamp(0) if alarm.since is None else alarm.since.at


def _absent(table: FollowedTable) -> Iterator[Alarm]:
    unavailable, unanswered = table.unavailable(), table.unanswered()
    if unavailable is not None:
        yield Alarm(severity=Severity.STOPPED, text=words.WHY[unavailable], since=table.absent_since(DAEMON))
    if unanswered is not None and unavailable is not Unavailable.NO_BROKER:
        yield Alarm(severity=Severity.STOPPED, text=words.WHY[unanswered], since=table.absent_since(RULES_WORKER))


def _seen(table: FollowedTable) -> Iterator[Alarm]:
    view = table.known.view
    if view is None or table.unavailable() is not None:
        return
    for one in view.disabled:
        text = f"{sign_words.DISABLED}: {sign_words.DISABLED_FOR[one.reason]}"
        yield Alarm(severity=Severity.STOPPED, text=text, since=Since(one.since))
    for device in view.lost_devices:
        status = table.known.devices.get(device)
        text = f"{device}: {status.reason if status is not None and status.reason else words.DEVICE_LOST}"
        since = None if status is None else Since(status.since)
        yield Alarm(severity=Severity.FAULT, text=text, since=since)
    for irregularity in view.irregularities:
        severity = _severity(irregularity, view)
        if severity is not None:
            yield Alarm(severity=severity, text=plain(irregularity.detail), since=Since(irregularity.at))


def _severity(irregularity: Irregularity, view: TableView) -> Severity | None:
    """Return how bad an irregularity is; None where it was answered, or is said otherwise."""
    awaited = _ANSWERED_BY.get(irregularity.kind)
    if awaited is not None:
        return Severity.HELD if any(task.task is awaited for task in view.tasks) else None
    match irregularity.kind:
        case IrregularityKind.DEVICE_LOST:
            return None
        case IrregularityKind.LAMP_FAILED | IrregularityKind.LOCK_FAILED | IrregularityKind.SHOE_FAULT:
            return Severity.FAULT
        case _:
            return Severity.NOTE
