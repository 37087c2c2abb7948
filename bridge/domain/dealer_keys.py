"""The keys within the dealer's reach."""

from enum import StrEnum


class DealerKey(StrEnum):
    """Keys within the dealer's reach, besides the lock-out button."""

    COUNT_AGREED = "count_agreed"
    COUNT_DIFFERS = "count_differs"
    HOLE_CARD_EXPOSED = "hole_card_exposed"
    BURN_CARD = "burn_card"
    """The next card drawn is burned, not dealt (T51)."""
    PLAYER_HAND_TURNED = "player_hand_turned"
    """Baccarat dealt face down: the Player's Hand lies open now, and so below for the Banker's (§ 627a.8)."""
    BANKER_HAND_TURNED = "banker_hand_turned"
    ROUND_COMPLETE = "round_complete"
    NEW_SHOE = "new_shoe"
    """A new shoe is in play; refused while marked vigorish is open."""
