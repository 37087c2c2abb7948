"""The events of a device on a generic line: each is heard once, and one that is missing is missed."""

from dataclasses import dataclass
from enum import Enum, auto

from bridge.wire.generic_frames import NUMBERS, Line, Verb


class Hearing(Enum):
    """What is to be thought of an event."""

    NEW = auto()
    REPEATED = auto()
    """It was heard already, and the device did not hear that."""
    NUMBER_AGAIN = auto()
    """Another event with the number of the one before: the device counts wrongly, or has come up unheard."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An event, and how many were lost before it."""

    hearing: Hearing
    missing: int = 0


class EventLog:
    """Remembers the last event, also while the line is lost: what was reported meanwhile is missed."""

    def __init__(self) -> None:
        self._last: Line | None = None

    def take(self, event: Line) -> Heard:
        """Take an event. The device sends no new one before the last one was answered."""
        last, self._last = self._last, event
        if last is None or event.verb is Verb.START:
            return Heard(Hearing.NEW)  # said again or come up again: the device begins anew either way
        if event.number == last.number:
            return Heard(Hearing.REPEATED if event == last else Hearing.NUMBER_AGAIN)
        return Heard(Hearing.NEW, (event.number - last.number - 1) % NUMBERS)
