from dataclasses import replace

from bridge.domain.identity import ProgressiveId
from bridge.domain.meter_records import Share, WinAudit
from bridge.domain.meters import PostingReason
from bridge.domain.money import MeterAmount


def test_a_win_adds_up_when_nothing_is_missing() -> None:
    win = WinAudit(
        progressive=ProgressiveId("royal-match"),
        win_number=2,
        awards=(),
        opening=MeterAmount(3),
        shares=(
            Share(reason=PostingReason.RESEED, postings=1, amount=MeterAmount(100)),
            Share(reason=PostingReason.CORRECTION, postings=2, amount=MeterAmount(-7)),
        ),
        wagers=0,
        postings=(),
        meter_before=MeterAmount(96),
    )
    assert win.adds_up
    assert not replace(win, meter_before=MeterAmount(97)).adds_up
