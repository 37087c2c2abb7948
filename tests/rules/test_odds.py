from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import RoundingDifference
from bridge.rules.odds import (
    InexactPaymentError,
    MeterOddsError,
    Payment,
    fixed_payment,
    gain,
    meter_part,
    rounded_payment,
)
from bridge.rules.rounding import Direction, Rounding


def test_t13_sixty_for_one_is_the_whole_payment_and_sixty_to_one_is_the_profit() -> None:
    assert fixed_payment(Odds.for_one(60), Cents(500)) == Payment(paid=Cents(30_000), stake_returned=Cents(0))
    assert fixed_payment(Odds.to_one(60), Cents(500)) == Payment(paid=Cents(30_000), stake_returned=Cents(500))


@given(st.integers(1, 200), st.integers(1, 10), st.integers(1, 10_000))
def test_t13_to_one_hands_over_one_wager_more_than_for_one(pays: int, per: int, units: int) -> None:
    wager = Cents(units * per)
    to_one = fixed_payment(Odds.to_one(pays, per), wager)
    for_one = fixed_payment(Odds.for_one(pays, per), wager)
    assert to_one.paid + to_one.stake_returned == for_one.paid + for_one.stake_returned + wager
    assert to_one.paid == units * pays


def test_t27_half_units_are_paid_exactly() -> None:
    assert fixed_payment(Odds.to_one(5, 2), Cents(100)).paid == 250


@pytest.mark.parametrize("odds", [Odds.to_one(5, 2), Odds.for_one(5, 2)])
def test_t27_part_of_a_cent_is_refused_by_name(odds: Odds) -> None:
    with pytest.raises(InexactPaymentError, match=r"on 0\.01 is 5/2 cents; file a wager"):
        fixed_payment(odds, Cents(1))


def test_a_share_of_the_meter_is_not_paid_on_a_wager() -> None:
    with pytest.raises(MeterOddsError, match="100% of meter is not paid on a wager"):
        fixed_payment(Odds.of_meter(Fraction(1)), Cents(500))


def test_only_a_share_of_the_meter_takes_from_the_meter() -> None:
    assert meter_part(Odds.of_meter(Fraction(1, 10))) == Fraction(1, 10)
    with pytest.raises(MeterOddsError, match="60 for 1 is paid on a wager"):
        meter_part(Odds.for_one(60))


TO_A_CENT = Rounding(to_cents=1, direction=Direction.UP)


def test_t27_a_wager_of_any_amount_is_paid_in_whole_chips_and_the_difference_is_kept() -> None:
    assert rounded_payment(Odds.to_one(5, 2), Cents(333), TO_A_CENT) == Payment(
        paid=Cents(833), stake_returned=Cents(333), rounding=RoundingDifference(1, 2)
    )
    down = Rounding(to_cents=25, direction=Direction.DOWN)
    assert rounded_payment(Odds.for_one(5, 2), Cents(333), down) == Payment(
        paid=Cents(825), stake_returned=Cents(0), rounding=RoundingDifference(-15, 2)
    )


def test_t29_a_push_returns_the_wager_and_pays_nothing() -> None:
    returned = Payment(paid=Cents(0), stake_returned=Cents(333))
    assert rounded_payment(Odds.push(), Cents(333), TO_A_CENT) == returned
    assert fixed_payment(Odds.push(), Cents(333)) == returned


def test_t13_what_a_unit_gains_counts_the_wager_out() -> None:
    assert gain(Odds.to_one(5, 2)) == Fraction(5, 2)
    assert gain(Odds.for_one(60)) == 59
    assert gain(Odds.push()) == 0


def test_a_share_of_the_meter_is_no_payment_on_a_wager_of_any_amount() -> None:
    with pytest.raises(MeterOddsError, match="claim the award from the meter"):
        rounded_payment(Odds.of_meter(Fraction(1)), Cents(500), TO_A_CENT)
    with pytest.raises(MeterOddsError, match="claim the award from the meter"):
        gain(Odds.of_meter(Fraction(1)))
