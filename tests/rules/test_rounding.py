from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bridge.domain.settlements import NOTHING_ROUNDED, RoundingDifference
from bridge.rules.rounding import Direction, Rounding, round_cents

UP, DOWN = Direction.UP, Direction.DOWN


@pytest.mark.parametrize(
    ("parts", "per", "rounding", "cents", "difference"),
    [
        (1665, 2, (1, UP), 833, RoundingDifference(1, 2)),
        (1665, 2, (1, DOWN), 832, RoundingDifference(-1, 2)),
        (35, 1, (25, UP), 50, RoundingDifference(15, 1)),
        (35, 1, (25, DOWN), 25, RoundingDifference(-10, 1)),
        (50, 1, (25, UP), 50, NOTHING_ROUNDED),
        (4, 2, (1, DOWN), 2, NOTHING_ROUNDED),
        (0, 20, (25, UP), 0, NOTHING_ROUNDED),
    ],
)
def test_t27_what_is_not_whole_chips_is_rounded_as_filed_and_the_difference_kept(
    parts: int, per: int, rounding: tuple[int, Direction], cents: int, difference: RoundingDifference
) -> None:
    to_cents, direction = rounding
    rounded = round_cents(parts, per, Rounding(to_cents=to_cents, direction=direction))
    assert (rounded.cents, rounded.difference) == (cents, difference)


@given(st.integers(0, 10**9), st.integers(1, 400), st.integers(1, 10_000), st.sampled_from(Direction))
def test_t27_cents_and_difference_are_the_exact_amount_whatever_is_filed(
    parts: int, per: int, to_cents: int, direction: Direction
) -> None:
    rounded = round_cents(parts, per, Rounding(to_cents=to_cents, direction=direction))
    difference = Fraction(rounded.difference.parts, rounded.difference.per)
    assert rounded.cents - difference == Fraction(parts, per)
    assert rounded.cents % to_cents == 0
    assert abs(difference) < to_cents
    assert difference >= 0 if direction is UP else difference <= 0
