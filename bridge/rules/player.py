"""The Player wager: on the Player's Hand (§ 627a.7(a)). A tie hand returns it."""

from enum import StrEnum
from typing import assert_never

from bridge.domain.settlements import Winner
from bridge.rules.baccarat import FinalHands


class PlayerOutcome(StrEnum):
    """How the wager can end; a paytable pays the first and returns the second."""

    PLAYER_WON = "player_won"
    TIE = "tie"
    BANKER_WON = "banker_won"


PAID_OUTCOMES: frozenset[str] = frozenset({PlayerOutcome.PLAYER_WON, PlayerOutcome.TIE})


def evaluate(hands: FinalHands) -> PlayerOutcome:
    """Return how the wager ends; a Panda 8 is a win as any other (T35)."""
    match hands.winner:
        case Winner.PLAYER:
            return PlayerOutcome.PLAYER_WON
        case Winner.BANKER:
            return PlayerOutcome.BANKER_WON
        case Winner.TIE_HAND:
            return PlayerOutcome.TIE
        case _:
            assert_never(hands.winner)
