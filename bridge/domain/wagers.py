"""Wagers, and where they are placed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from bridge.domain.money import Cents

BettingPosition = NewType("BettingPosition", int)
"""A number on the layout. Numbers may skip and run either way (T41, T42): order is data, not arithmetic."""


class WagerKind(StrEnum):
    """The wagers the bridge knows; a table offers those that its rules submission files.

    In catalogue order: base wagers before side wagers, which is the order within one position (T56).
    """

    BLACKJACK = "blackjack"
    """§ 633a.6(d). Observed as the precondition of side wagers; the dealer settles it by hand."""
    ROYAL_MATCH_PROGRESSIVE = "royal_match_progressive"
    """§ 633b.18."""
    ROYAL_MATCH_21 = "royal_match_21"
    """§ 633a.6(e)(4); apart from the progressive, both may stand (R16)."""
    PLAYER = "player"
    """§ 627a.7(a), and so are the next two: the base wagers of every baccarat game."""
    BANKER = "banker"
    TIE = "tie"
    DRAGON_7 = "dragon_7"
    """EZ Baccarat only (§ 627a.1), as is the next."""
    PANDA_8 = "panda_8"
    GOLDEN_TALONS_PLAYER = "golden_talons_player"
    """§ 627b.5(e), on the Player's Hand; the next is on the Banker's Hand."""
    GOLDEN_TALONS_BANKER = "golden_talons_banker"
    MAJESTIC_MATCH_PLAYER = "majestic_match_player"
    """§ 631c.7(b), on the Player's Hand; the next is on the Banker's Hand."""
    MAJESTIC_MATCH_BANKER = "majestic_match_banker"


class UnknownAmount(StrEnum):
    """The amount of a wager whose sensor only knows that a chip is there."""

    UNKNOWN = "unknown"


WagerAmount = Cents | UnknownAmount


def plus(one: WagerAmount, other: WagerAmount) -> WagerAmount:
    """Return the sum of two amounts; not known unless both are."""
    if isinstance(one, UnknownAmount) or isinstance(other, UnknownAmount):
        return UnknownAmount.UNKNOWN
    return Cents(one + other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """One wager of one position."""

    position: BettingPosition
    kind: WagerKind
    amount: WagerAmount
