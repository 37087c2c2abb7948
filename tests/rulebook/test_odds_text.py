from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bridge.domain.odds import Odds
from bridge.rulebook.odds_text import OddsTextError, parse_fixed_odds, parse_odds, parse_rate

FIGURES = st.fractions(min_value=Fraction(1, 100), max_value=10_000, max_denominator=100)


@pytest.mark.parametrize(
    ("text", "odds"),
    [
        ("60 for 1", Odds.for_one(60)),
        ("60 to 1", Odds.to_one(60)),
        ("2.5 to 1", Odds.to_one(5, 2)),
        ("3 to 2", Odds.to_one(3, 2)),
        ("3/2 to 1", Odds.to_one(3, 2)),
        ("0.1 for 1", Odds.for_one(1, 10)),
        ("100% of meter", Odds.of_meter(Fraction(1))),
        ("10 % of meter", Odds.of_meter(Fraction(1, 10))),
        ("12.5% of meter", Odds.of_meter(Fraction(1, 8))),
    ],
)
def test_t13_odds_are_exact_and_know_their_basis(text: str, odds: Odds) -> None:
    assert parse_odds(text) == odds


@given(FIGURES, st.sampled_from(["to", "for", "meter"]))
def test_odds_are_read_back_as_they_are_printed(figure: Fraction, basis: str) -> None:
    match basis:
        case "to":
            odds = Odds.to_one(figure.numerator, figure.denominator)
        case "for":
            odds = Odds.for_one(figure.numerator, figure.denominator)
        case _:
            odds = Odds.of_meter(figure / 10_000)
    assert parse_odds(str(odds)) == odds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60",
        "60:1",
        "60 for",
        "60 For 1",
        "60for1",
        "-60 for 1",
        "6e1 for 1",
        ".5 to 1",
        "5. to 1",
        "60 for 1 ",
        "٦٠ for 1",
        "1/2/3 to 1",
        "100% of",
        "100 of meter",
        "100% of the meter",
    ],
)
def test_anything_else_states_no_odds(text: str) -> None:
    with pytest.raises(OddsTextError, match='is not odds; say "to" if') as error:
        parse_odds(text)
    assert error.value.advice in str(error.value)


@pytest.mark.parametrize("text", ["0 for 1", "0.0 to 1", "60 for 0", "1/0 to 1", "0% of meter"])
def test_odds_that_pay_nothing_are_refused(text: str) -> None:
    with pytest.raises(OddsTextError, match="comes to nothing; correct the figure"):
        parse_odds(text)


def test_more_than_the_meter_cannot_be_paid() -> None:
    with pytest.raises(OddsTextError, match="more than the whole"):
        parse_odds("100.01% of meter")


@pytest.mark.parametrize(
    ("text", "rate"), [("15%", Fraction(3, 20)), ("0.5 %", Fraction(1, 200)), ("1/3%", Fraction(1, 300))]
)
def test_a_rate_is_exact(text: str, rate: Fraction) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["15", "0.15", "15 percent", "-1%", "0%", "101%"])
def test_anything_else_is_no_rate(text: str) -> None:
    with pytest.raises(OddsTextError):
        parse_rate(text)


def test_t29_a_push_is_what_a_paytable_of_fixed_odds_may_say() -> None:
    assert parse_fixed_odds("push") == Odds.push()
    assert parse_fixed_odds("2.5 to 1") == Odds.to_one(5, 2)
    with pytest.raises(OddsTextError):
        parse_odds("push")


def test_a_share_of_a_meter_is_no_fixed_odds() -> None:
    with pytest.raises(OddsTextError, match="a share of a meter, which this wager does not have; state fixed"):
        parse_fixed_odds("100% of meter")
