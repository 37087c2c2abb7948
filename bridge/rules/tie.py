"""The Tie wager: on equal Point Counts (§ 627a.7(a))."""

from enum import StrEnum
from typing import assert_never

from bridge.domain.settlements import Winner
from bridge.rules.baccarat import FinalHands


class TieOutcome(StrEnum):
    """How the wager can end; a paytable pays the first."""

    TIE = "tie"
    PLAYER_WON = "player_won"
    BANKER_WON = "banker_won"


PAID_OUTCOMES: frozenset[str] = frozenset({TieOutcome.TIE})


def evaluate(hands: FinalHands) -> TieOutcome:
    """Return how the wager ends."""
    match hands.winner:
        case Winner.PLAYER:
            return TieOutcome.PLAYER_WON
        case Winner.BANKER:
            return TieOutcome.BANKER_WON
        case Winner.TIE_HAND:
            return TieOutcome.TIE
        case _:
            assert_never(hands.winner)
