"""Royal Match 21: on a player's first two cards of blackjack being of one suit (§ 633a.6(e)(4)).

It stands apart from the progressive, which has other hands and other money (§ 633b.18(a), T8).
"""

from collections.abc import Container
from enum import StrEnum

from bridge.domain.cards import Card, Rank
from bridge.rules.royal_match import is_royal_match


class RoyalMatch21Outcome(StrEnum):
    """How the wager can end: rows that every paytable has, one that some have, and the row that none has."""

    ROYAL_MATCH = "royal_match"
    SUITED_BLACKJACK = "suited_blackjack"
    """A Suited Match where the paytable does not print it."""
    SUITED_MATCH = "suited_match"
    NO_MATCH = "no_match"


PAID_OUTCOMES: frozenset[str] = frozenset({RoyalMatch21Outcome.ROYAL_MATCH, RoyalMatch21Outcome.SUITED_MATCH})
OPTIONAL_OUTCOMES: frozenset[str] = frozenset({RoyalMatch21Outcome.SUITED_BLACKJACK})

_TEN_VALUES = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})


def evaluate(first: Card, second: Card, rows: Container[str]) -> RoyalMatch21Outcome:
    """Return how the wager on these two cards ends, under a paytable with these rows."""
    if is_royal_match(first, second):
        return RoyalMatch21Outcome.ROYAL_MATCH
    if first.suit is not second.suit:
        return RoyalMatch21Outcome.NO_MATCH
    ranks = {first.rank, second.rank}
    if Rank.ACE in ranks and ranks & _TEN_VALUES and RoyalMatch21Outcome.SUITED_BLACKJACK in rows:
        return RoyalMatch21Outcome.SUITED_BLACKJACK
    return RoyalMatch21Outcome.SUITED_MATCH
