from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bridge.domain.money import Cents, InexactAmountError, MeterAmount, format_cents

AMOUNTS = st.integers(-(10**12), 10**12).map(MeterAmount)


def test_T14_a_meter_holds_hundredths_of_a_cent() -> None:
    assert str(MeterAmount.exactly(Fraction(375, 10))) == "0.3750"
    assert str(MeterAmount.of_cents(5_000_375)) == "50,003.7500"
    assert str(MeterAmount(-12_345)) == "-1.2345"


def test_T14_an_amount_that_a_meter_cannot_hold_is_refused() -> None:
    with pytest.raises(InexactAmountError, match="file a rate"):
        MeterAmount.exactly(Fraction(1, 3))


def test_T14_a_display_shows_whole_cents_and_the_rest_stays() -> None:
    assert MeterAmount.exactly(Fraction(2_500_037_5, 10)).floor_to_cents() == 2_500_037


@given(AMOUNTS, AMOUNTS)
def test_meter_amounts_add_exactly(one: MeterAmount, other: MeterAmount) -> None:
    assert (one + other) - other == one
    assert -one + one == MeterAmount(0)
    assert MeterAmount.total([one, other, -one]) == other


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0.00"), (5, "0.05"), (5_000_375, "50,003.75"), (-250, "-2.50"), (-7, "-0.07")]
)
def test_money_is_written_as_a_person_writes_it(cents: int, text: str) -> None:
    assert format_cents(Cents(cents)) == text
