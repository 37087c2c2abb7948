from dataclasses import replace

import pytest

from bridge.domain.identity import PersonId, ProgressiveId, TableId
from bridge.domain.meters import Adjustment, AdjustmentReason, Pool, Pools
from bridge.domain.money import Cents, MeterAmount
from bridge.rules.meter_adjustments import AdjustmentError, adjust
from bridge.rules.submission import Progressive
from tests.rules.rounds import a_progressive

TERMS = a_progressive()
LIMITED = replace(TERMS, limit=Cents(1_000))
CORRECTION = AdjustmentReason.CORRECTION


def pools(display: int = 900, overflow: int = 0, reserve: int = 0) -> Pools:
    return Pools(
        display=MeterAmount.of_cents(display),
        overflow=MeterAmount.of_cents(overflow),
        reserve=MeterAmount.of_cents(reserve),
    )


def asked(
    cents: int,
    reason: AdjustmentReason = CORRECTION,
    *,
    pool: Pool = Pool.DISPLAY,
    text: str = "form 7",
    counterpart: str = "",
    settles: str = "",
) -> Adjustment:
    return Adjustment(
        key="person/desk/1/1",
        table=TableId("t"),
        progressive=ProgressiveId("royal"),
        pool=pool,
        reason=reason,
        amount=MeterAmount.of_cents(cents),
        text=text,
        by=PersonId("p"),
        counterpart=counterpart,
        settles=settles,
    )


@pytest.mark.parametrize(
    ("adjustment", "terms", "after"),
    [
        (asked(-100), TERMS, pools(800)),
        (asked(50), TERMS, pools(950)),
        (asked(150), LIMITED, pools(1_000, 60, 5)),
        (asked(-10, pool=Pool.OVERFLOW), LIMITED, pools(900, 0, 5)),
        (asked(20, pool=Pool.RESERVE), LIMITED, pools(900, 10, 25)),
        (asked(-900, AdjustmentReason.GAMING_ENDED), TERMS, pools(0)),
        (asked(-900, AdjustmentReason.TRANSFER, counterpart="golden"), TERMS, pools(0)),
        (asked(0, settles="a key"), TERMS, pools(900)),
    ],
)
def test_1_52_f_a_meter_is_changed_for_a_named_reason(
    adjustment: Adjustment, terms: Progressive, after: Pools
) -> None:
    before = pools(900, 10, 5) if terms is LIMITED else pools(900)
    assert adjust(before, adjustment, terms, awards_pending=False) == after


def test_a_limit_correction_moves_what_is_above_the_limit_and_loses_none_of_it() -> None:
    lower = asked(-200, AdjustmentReason.LIMIT_CORRECTION)
    assert adjust(pools(1_200, 10), lower, LIMITED, awards_pending=True) == pools(1_000, 210)
    with pytest.raises(AdjustmentError, match=r"display is 2\.0000 above its limit, and 3\.0000 is to come off"):
        adjust(pools(1_200), asked(-300, AdjustmentReason.LIMIT_CORRECTION), LIMITED, awards_pending=False)


@pytest.mark.parametrize(
    ("adjustment", "why"),
    [
        (asked(-1, text=""), "not changed without a word"),
        (asked(-1, text=" \n"), "not changed without a word"),
        (asked(0), "changes nothing"),
        (asked(10_000_000_001), r"100,000,000\.0100 is more than any meter holds"),
        (asked(-10_000_000_001), "is more than any meter holds"),
        (asked(-901), r"display of .* holds 9\.0000, and 9\.0100 is to come off it"),
        (asked(-1, pool=Pool.RESERVE), "reserve of"),
        (asked(5, counterpart="golden"), "correction has no other side: name 'golden' in a transfer"),
        (asked(-5, AdjustmentReason.TRANSFER), "names the progressive"),
        (asked(-5, AdjustmentReason.TRANSFER, counterpart=" "), "names the progressive"),
        (asked(5, AdjustmentReason.GAMING_ENDED), "below zero"),
        (asked(-5, AdjustmentReason.GAMING_ENDED, settles="a key"), "by a correction, not by a gaming_ended"),
        (asked(-5, AdjustmentReason.LIMIT_CORRECTION), "no limit is filed for royal-match"),
        (asked(5, AdjustmentReason.LIMIT_CORRECTION), "lowers the display"),
        (asked(-5, AdjustmentReason.LIMIT_CORRECTION, pool=Pool.RESERVE), "lowers the display"),
    ],
)
def test_1_52_f_what_has_no_reason_is_refused(adjustment: Adjustment, why: str) -> None:
    with pytest.raises(AdjustmentError, match=why):
        adjust(pools(), adjustment, replace(TERMS, id=ProgressiveId("royal-match")), awards_pending=False)


@pytest.mark.parametrize("pool", Pool)
def test_a_pool_that_is_below_zero_may_be_raised_by_a_part_of_it(pool: Pool) -> None:
    below = pools(-50, -50, -50)
    after = adjust(below, asked(20, pool=pool), TERMS, awards_pending=False)
    assert after[pool] == MeterAmount.of_cents(-30)


def test_gaming_does_not_end_while_awards_are_pending() -> None:
    ends = asked(-900, AdjustmentReason.GAMING_ENDED)
    with pytest.raises(AdjustmentError, match="awards are pending"):
        adjust(pools(), ends, TERMS, awards_pending=True)
