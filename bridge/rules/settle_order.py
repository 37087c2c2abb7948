"""In which order positions are settled (T41, T42). Numbers may skip; only what is filed is an order."""

from typing import assert_never

from bridge.domain.wagers import BettingPosition
from bridge.rules.submission import SettleOrder


def place_in(order: SettleOrder | tuple[BettingPosition, ...], position: BettingPosition) -> int:
    """Return a number that sorts positions into the order; a position that a list leaves out comes last."""
    match order:
        case tuple():
            return order.index(position) if position in order else len(order)
        case SettleOrder.HIGHEST_POSITION_FIRST:
            return -position
        case SettleOrder.LOWEST_POSITION_FIRST:
            return position
        case _:
            assert_never(order)
