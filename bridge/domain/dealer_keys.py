"""The keys within the dealer's reach."""

from enum import StrEnum


class DealerKey(StrEnum):
    """Keys within the dealer's reach, besides the lock-out button."""

    COUNT_AGREED = "count_agreed"
    COUNT_DIFFERS = "count_differs"
    HOLE_CARD_EXPOSED = "hole_card_exposed"
    BURN_CARD = "burn_card"
    """The next card drawn is burned, not dealt (T51)."""
    ROUND_COMPLETE = "round_complete"
