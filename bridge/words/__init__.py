"""What a table is told in, by whoever watches it: on a terminal or in a browser.

``values`` names what may be known of a table, and its names are to be had here; ``events`` says what happened,
``wager_ends`` how a wager ended and what is paid for it.
"""

from bridge.words.values import (
    AREAS,
    PHASES,
    RED_SUITS,
    ROLES,
    SUIT_SIGNS,
    TASK_TEXTS,
    TASKS,
    WHO,
    announcement,
    card_name,
    cents,
    step,
)

__all__ = [
    "AREAS",
    "PHASES",
    "RED_SUITS",
    "ROLES",
    "SUIT_SIGNS",
    "TASKS",
    "TASK_TEXTS",
    "WHO",
    "announcement",
    "card_name",
    "cents",
    "step",
]
