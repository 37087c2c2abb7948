"""Golden Talons: on a hand winning by four or more, or with a natural (§ 627b.5; § 631b.9 is the same).

Naturals come first: a natural that wins pays the natural's odds whatever the margin (§ 627b.5(g), T30).
"""

from enum import StrEnum
from typing import assert_never

from bridge.domain.rounds import House
from bridge.domain.settlements import EzResult, Winner
from bridge.rules.baccarat import FinalHands
from bridge.rules.ez_baccarat import ez_result


class GoldenTalonsOutcome(StrEnum):
    """How the wager can end: the eight rows of its paytables, and why it loses."""

    WIN_BY_9 = "win_by_9"
    WIN_BY_8 = "win_by_8"
    WIN_BY_7 = "win_by_7"
    WIN_BY_6 = "win_by_6"
    WIN_BY_5 = "win_by_5"
    WIN_BY_4 = "win_by_4"
    NATURAL_WIN = "natural_win"
    NATURAL_TIE = "natural_tie"
    WIN_BY_LESS_THAN_4 = "win_by_less_than_4"
    TIE_NOT_NATURAL = "tie_not_natural"
    HAND_LOST = "hand_lost"
    DRAGON_7_NOT_A_WIN = "dragon_7_not_a_win"


PAID_OUTCOMES: frozenset[str] = frozenset(GoldenTalonsOutcome) - {
    GoldenTalonsOutcome.WIN_BY_LESS_THAN_4,
    GoldenTalonsOutcome.TIE_NOT_NATURAL,
    GoldenTalonsOutcome.HAND_LOST,
    GoldenTalonsOutcome.DRAGON_7_NOT_A_WIN,
}

_WINS_BY = {
    9: GoldenTalonsOutcome.WIN_BY_9,
    8: GoldenTalonsOutcome.WIN_BY_8,
    7: GoldenTalonsOutcome.WIN_BY_7,
    6: GoldenTalonsOutcome.WIN_BY_6,
    5: GoldenTalonsOutcome.WIN_BY_5,
    4: GoldenTalonsOutcome.WIN_BY_4,
}


class TalonsOnDragon7(StrEnum):
    """What a Dragon 7 is to a Golden Talons wager on the Banker's Hand (T35)."""

    WINS = "wins"
    """The Banker's Hand has won, and by a margin."""
    LOSES = "loses"
    """A result that returns the Banker wager is not a win of the hand."""
    NOT_ANNOUNCED = "not_announced"
    """The table is not an EZ table: there is no Dragon 7, only a win."""


def evaluate(hand: House, hands: FinalHands, on_dragon_7: TalonsOnDragon7) -> GoldenTalonsOutcome:
    """Return how the wager on a hand, ``House.PLAYER`` or ``House.BANKER``, ends."""
    winner = hands.winner
    if winner is Winner.TIE_HAND:
        both = hands.player_natural and hands.banker_natural
        return GoldenTalonsOutcome.NATURAL_TIE if both else GoldenTalonsOutcome.TIE_NOT_NATURAL
    if (winner is Winner.PLAYER) is not (hand is House.PLAYER):
        return GoldenTalonsOutcome.HAND_LOST
    if hands.player_natural if hand is House.PLAYER else hands.banker_natural:
        return GoldenTalonsOutcome.NATURAL_WIN
    if hand is House.BANKER and ez_result(hands) is EzResult.DRAGON_7:
        match on_dragon_7:
            case TalonsOnDragon7.LOSES:
                return GoldenTalonsOutcome.DRAGON_7_NOT_A_WIN
            case TalonsOnDragon7.WINS | TalonsOnDragon7.NOT_ANNOUNCED:
                pass
            case _:
                assert_never(on_dragon_7)
    return _WINS_BY.get(hands.margin, GoldenTalonsOutcome.WIN_BY_LESS_THAN_4)
