"""The Banker wager: on the Banker's Hand (§ 627a.7(a)). A tie hand returns it, a Dragon 7 at an EZ table too.

What it owes the house when it wins is the business of ``vigorish``.
"""

from collections.abc import Container
from enum import StrEnum
from typing import assert_never

from bridge.domain.settlements import EzResult, Winner
from bridge.rules.baccarat import FinalHands
from bridge.rules.ez_baccarat import ez_result


class BankerOutcome(StrEnum):
    """How the wager can end; a paytable pays the first, and the second where it prints it."""

    BANKER_WON = "banker_won"
    BANKER_WON_WITH_6 = "banker_won_with_6"
    """Told apart only by a paytable that pays it less, in place of vigorish."""
    TIE = "tie"
    DRAGON_7 = "dragon_7"
    """Returned at an EZ table (T35)."""
    PLAYER_WON = "player_won"


PAID_OUTCOMES: frozenset[str] = frozenset({BankerOutcome.BANKER_WON, BankerOutcome.TIE, BankerOutcome.DRAGON_7})
OPTIONAL_OUTCOMES: frozenset[str] = frozenset({BankerOutcome.BANKER_WON_WITH_6})

_SIX = 6


def evaluate(hands: FinalHands, *, ez: bool, rows: Container[str]) -> BankerOutcome:
    """Return how the wager ends at an EZ table or another, under a paytable with these rows."""
    match hands.winner:
        case Winner.PLAYER:
            return BankerOutcome.PLAYER_WON
        case Winner.TIE_HAND:
            return BankerOutcome.TIE
        case Winner.BANKER if ez and ez_result(hands) is EzResult.DRAGON_7:
            return BankerOutcome.DRAGON_7
        case Winner.BANKER if hands.banker == _SIX and BankerOutcome.BANKER_WON_WITH_6 in rows:
            return BankerOutcome.BANKER_WON_WITH_6
        case Winner.BANKER:
            return BankerOutcome.BANKER_WON
        case _:
            assert_never(hands.winner)
