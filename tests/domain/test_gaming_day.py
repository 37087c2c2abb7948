from dataclasses import replace

from hypothesis import given, strategies as st

from bridge.domain.gaming_day import NO_MONEY, MeterMovements, Total
from bridge.domain.identity import ProgressiveId
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.wagers import UnknownAmount, WagerAmount

AMOUNTS = st.lists(st.one_of(st.integers(0, 10**9).map(Cents), st.just(UnknownAmount.UNKNOWN)))


def added(amounts: list[WagerAmount]) -> Total:
    total = NO_MONEY
    for amount in amounts:
        total = total.plus(amount)
    return total


@given(AMOUNTS, AMOUNTS)
def test_a_total_loses_no_amount(some: list[WagerAmount], more: list[WagerAmount]) -> None:
    together = added(some) + added(more)

    assert together == added(some + more)
    assert together.cents == sum(amount for amount in some + more if isinstance(amount, int))
    assert together.unknown == len([amount for amount in some + more if not isinstance(amount, int)])


def test_a_meter_agrees_if_it_holds_what_was_settled() -> None:
    meter = MeterMovements(
        progressive=ProgressiveId("p"),
        contributions=2,
        contributed=MeterAmount(150),
        reserved=MeterAmount(10),
        taken_back=MeterAmount(50),
        posted=MeterAmount(110),
        held=1,
        held_amount=MeterAmount(9_999),
        awards_won=1,
        awards_posted=1,
    )

    assert meter.agrees
    assert not replace(meter, posted=MeterAmount(101)).agrees
    assert not replace(meter, awards_posted=0).agrees
