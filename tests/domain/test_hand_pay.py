from bridge.domain.hand_pay import MeterAtAward
from bridge.domain.identity import ProgressiveId
from bridge.domain.money import Cents, MeterAmount


def test_t15_what_an_award_leaves_is_added_to_the_reset() -> None:
    meter = MeterAtAward(
        progressive=ProgressiveId("p"),
        before=MeterAmount(500_037_500),
        awarded=Cents(5_000_374),
        left=MeterAmount(100),
        reset_amount=Cents(5_000_000),
    )

    assert meter.after_reset == MeterAmount(500_000_100)
