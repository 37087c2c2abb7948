"""Majestic Match: on the first two cards of a hand of baccarat being of one suit (§ 631c.7).

Nothing but those two cards counts: no third card, no Point Count, and not who wins (R15).
"""

from enum import StrEnum

from bridge.domain.cards import Card
from bridge.rules.royal_match import is_royal_match


class MajesticMatchOutcome(StrEnum):
    """How the wager can end; a paytable pays the first two."""

    ROYAL_MATCH = "royal_match"
    SUITED_MATCH = "suited_match"
    NO_MATCH = "no_match"


PAID_OUTCOMES: frozenset[str] = frozenset(MajesticMatchOutcome) - {MajesticMatchOutcome.NO_MATCH}


def evaluate(first: Card, second: Card) -> MajesticMatchOutcome:
    """Return how the wager on the hand with these two cards ends; two identical cards are suited (R14)."""
    if is_royal_match(first, second):
        return MajesticMatchOutcome.ROYAL_MATCH
    if first.suit is second.suit:
        return MajesticMatchOutcome.SUITED_MATCH
    return MajesticMatchOutcome.NO_MATCH
