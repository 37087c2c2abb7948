"""Wagers, and where they are placed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from bridge.domain.money import Cents

BettingPosition = NewType("BettingPosition", int)
"""A number on the layout. Numbers may skip and run either way (T41, T42): order is data, not arithmetic."""


class WagerKind(StrEnum):
    """The wagers the bridge knows; a table offers those that its rules submission files."""

    BLACKJACK = "blackjack"
    """§ 633a.6(d). Observed as the precondition of side wagers; the dealer settles it by hand."""
    ROYAL_MATCH_PROGRESSIVE = "royal_match_progressive"
    """§ 633b.18."""


class UnknownAmount(StrEnum):
    """The amount of a wager whose sensor only knows that a chip is there."""

    UNKNOWN = "unknown"


WagerAmount = Cents | UnknownAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """One wager of one position."""

    position: BettingPosition
    kind: WagerKind
    amount: WagerAmount
