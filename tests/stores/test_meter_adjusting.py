import sqlite3

import pytest

from bridge.domain.meters import AdjustmentReason
from bridge.stores.meter_adjusting import adjust
from bridge.stores.meter_readings import postings, readings
from bridge.stores.meter_store import AdjustmentRefusedError
from tests.stores.meters import NOW, ROYAL, an_adjustment, units


def test_a_transfer_says_which_way_it_goes(meters: sqlite3.Connection) -> None:
    for number, amount in enumerate(("-5", "7"), start=1):
        adjust(
            meters,
            an_adjustment(
                amount,
                AdjustmentReason.TRANSFER,
                counterpart="golden",
                text="form 9",
                key=f"person/desk/1/{number}",
            ),
            NOW,
        )
    assert [posting.text for posting in postings(meters, ROYAL)][-2:] == [
        "to golden: form 9",
        "from golden: form 9",
    ]
    assert readings(meters)[0].exact == units("50,002.00")


def test_what_is_refused_says_why_and_is_nobody_elses_fault(meters: sqlite3.Connection) -> None:
    with pytest.raises(AdjustmentRefusedError, match=r"holds 50,000\.0000, and 50,001\.0000 is to come off it"):
        adjust(meters, an_adjustment("-50,001"), NOW)


def test_the_same_message_changes_a_meter_once(meters: sqlite3.Connection) -> None:
    for _ in range(2):
        adjust(meters, an_adjustment("1"), NOW)
    assert readings(meters)[0].exact == units("50,001.00")
