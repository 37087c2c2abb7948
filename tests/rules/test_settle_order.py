import pytest

from bridge.domain.wagers import BettingPosition
from bridge.rules.settle_order import place_in
from bridge.rules.submission import SettleOrder
from tests.rules.rounds import positions


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (SettleOrder.HIGHEST_POSITION_FIRST, [12, 5, 3, 1]),
        (SettleOrder.LOWEST_POSITION_FIRST, [1, 3, 5, 12]),
        (positions(3, 12, 1), [3, 12, 1, 5]),
    ],
)
def test_t41_t42_positions_are_settled_as_filed_whatever_numbers_are_missing(
    order: SettleOrder | tuple[BettingPosition, ...], wanted: list[int]
) -> None:
    assert sorted(positions(1, 3, 5, 12), key=lambda position: place_in(order, position)) == wanted
