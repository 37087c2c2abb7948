"""The Panda 8 wager of EZ Baccarat: on the Player's Hand winning with an 8 of three cards (§ 627a.1)."""

from enum import StrEnum

from bridge.domain.settlements import EzResult
from bridge.rules.baccarat import FinalHands
from bridge.rules.ez_baccarat import ez_result


class Panda8Outcome(StrEnum):
    """How the wager can end; a paytable pays the first."""

    PANDA_8 = "panda_8"
    NOT_PANDA_8 = "not_panda_8"


PAID_OUTCOMES: frozenset[str] = frozenset({Panda8Outcome.PANDA_8})


def evaluate(hands: FinalHands) -> Panda8Outcome:
    """Return how the wager ends."""
    if ez_result(hands) is EzResult.PANDA_8:
        return Panda8Outcome.PANDA_8
    return Panda8Outcome.NOT_PANDA_8
