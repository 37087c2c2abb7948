"""The Dragon 7 wager of EZ Baccarat: on the Banker's Hand winning with a 7 of three cards (§ 627a.1)."""

from enum import StrEnum

from bridge.domain.settlements import EzResult
from bridge.rules.baccarat import FinalHands
from bridge.rules.ez_baccarat import ez_result


class Dragon7Outcome(StrEnum):
    """How the wager can end; a paytable pays the first."""

    DRAGON_7 = "dragon_7"
    NOT_DRAGON_7 = "not_dragon_7"


PAID_OUTCOMES: frozenset[str] = frozenset({Dragon7Outcome.DRAGON_7})


def evaluate(hands: FinalHands) -> Dragon7Outcome:
    """Return how the wager ends."""
    if ez_result(hands) is EzResult.DRAGON_7:
        return Dragon7Outcome.DRAGON_7
    return Dragon7Outcome.NOT_DRAGON_7
