"""EZ Baccarat: what only a table that is designated for it announces (§§ 627a.1, 627a.11(a))."""

from bridge.domain.settlements import EzResult
from bridge.rules.baccarat import CARDS_MAX, FinalHands

DRAGON_7 = 7
PANDA_8 = 8


def ez_result(hands: FinalHands) -> EzResult:
    """Return Dragon 7 or Panda 8 if the hands are one: three cards of that hand, and a win (T36)."""
    if hands.banker == DRAGON_7 and hands.banker_cards == CARDS_MAX and hands.player < DRAGON_7:
        return EzResult.DRAGON_7
    if hands.player == PANDA_8 and hands.player_cards == CARDS_MAX and hands.banker < PANDA_8:
        return EzResult.PANDA_8
    return EzResult.NONE
