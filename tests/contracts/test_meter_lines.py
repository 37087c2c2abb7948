import json

import pytest

from bridge.contracts.meter_lines import write_meter_line
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meter_records import WinAudit
from bridge.domain.meters import ByFiling, ByPerson, ByRound, Pool, Posting, PostingCause, PostingReason
from bridge.domain.money import MeterAmount
from tests.contracts.samples import READING

ROUND = ByRound(table=TableId("t"), round_number=RoundNumber(4), answers=Sequence(9))


def a_posting(cause: PostingCause) -> Posting:
    return Posting(
        number=3,
        key="t/4/award/2",
        progressive=ProgressiveId("royal"),
        pool=Pool.DISPLAY,
        reason=PostingReason.AWARD,
        amount=MeterAmount(-5),
        wagers=0,
        cause=cause,
        by=PersonId("f.lopez"),
        text="why",
        at=Timestamp(7),
    )


@pytest.mark.parametrize("cause", [ROUND, ByPerson(table=TableId("t")), ByFiling()])
def test_a_posting_says_what_caused_it(cause: PostingCause) -> None:
    written = json.loads(write_meter_line(a_posting(cause)))
    assert written["cause"]["kind"] == cause.kind
    assert written["amount"] == {"units": -5}
    assert list(written) == list(Posting.__dataclass_fields__)


def test_a_reading_is_written_as_it_is_published() -> None:
    written = json.loads(write_meter_line(READING))
    assert written["in_meter"] == 5
    assert written["held"] == {"count": 1, "amount": {"units": 750_000}}


def test_an_audit_is_one_line() -> None:
    win = WinAudit(
        progressive=ProgressiveId("royal"),
        win_number=1,
        awards=(),
        opening=MeterAmount(0),
        shares=(),
        wagers=0,
        postings=(a_posting(ROUND),),
        meter_before=MeterAmount(5),
    )
    line = write_meter_line(win)
    assert b"\n" not in line
    assert json.loads(line)["postings"][0]["key"] == "t/4/award/2"
