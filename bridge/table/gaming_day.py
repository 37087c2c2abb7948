"""When one gaming day ends and the next begins, as far as records are filed by day.

The records of a round are filed on the day on which it was opened, however late it ends; on which day it counts,
``reports`` says. A round that nobody has begun when the day changes, no wager being locked and no card drawn, is
opened again on the new day.
"""

from bridge.domain.events import GamingDayBegan, TableEvent
from bridge.table.state import TableState, cards_of


def is_at_rest(state: TableState) -> bool:
    """Return whether the table stands between two rounds: nothing is locked, and no card has left the shoe."""
    return not state.round.locked and not cards_of(state.round)


def day_after(state: TableState, event: TableEvent) -> str:
    """Return the gaming day as it is after an event; an ISO date, or empty if none was told yet."""
    return event.day if isinstance(event, GamingDayBegan) else state.gaming_day
