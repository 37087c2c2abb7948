from fractions import Fraction

import pytest

from bridge.domain.odds import Odds


@pytest.mark.parametrize(
    ("odds", "text"),
    [
        (Odds.for_one(60), "60 for 1"),
        (Odds.to_one(500), "500 to 1"),
        (Odds.to_one(5, 2), "2.5 to 1"),
        (Odds.to_one(1, 3), "1/3 to 1"),
        (Odds.of_meter(Fraction(1)), "100% of meter"),
        (Odds.of_meter(Fraction(1, 8)), "12.5% of meter"),
    ],
)
def test_T13_odds_are_printed_with_the_word_that_changes_their_meaning(odds: Odds, text: str) -> None:
    assert str(odds) == text


def test_T13_the_same_digits_are_not_the_same_odds() -> None:
    assert Odds.for_one(60) != Odds.to_one(60)


def test_t29_a_push_is_printed_as_what_it_is() -> None:
    assert str(Odds.push()) == "push"
