import sqlite3
from dataclasses import replace

import pytest

from bridge.domain.identity import ProgressiveId, RoundNumber, Sequence
from bridge.domain.meters import ByRound, Pools, PostingReason
from bridge.domain.money import Cents, MeterAmount
from bridge.stores.meter_ledger import Held, Ledger
from bridge.stores.meter_readings import postings, readings
from bridge.stores.meter_store import MeterStoreError
from tests.stores.meters import NOW, ROYAL, TABLE, wagered

CAUSE = ByRound(table=TABLE, round_number=RoundNumber(4), answers=Sequence(40))


def a_ledger(connection: sqlite3.Connection) -> Ledger:
    return Ledger(connection, CAUSE, NOW, own="blackjack-7/4/")


def moved(pools: Pools, display: int, overflow: int = 0, reserve: int = 0) -> Pools:
    return Pools(
        display=MeterAmount(pools.display.units + display),
        overflow=MeterAmount(pools.overflow.units + overflow),
        reserve=MeterAmount(pools.reserve.units + reserve),
    )


def test_a_change_of_several_pools_is_one_key_and_a_row_for_each(meters: sqlite3.Connection) -> None:
    ledger = a_ledger(meters)
    after = moved(ledger.meter(ROYAL).pools, 5, 2, 1)
    ledger.post(ROYAL, "blackjack-7/4/x", PostingReason.CONTRIBUTION, after, wagers=1)
    ledger.write()
    rows = [(one.key, one.pool, one.reason, one.amount.units, one.wagers) for one in postings(meters, ROYAL)[1:]]
    assert rows == [
        ("blackjack-7/4/x", "display", "contribution", 5, 1),
        ("blackjack-7/4/x", "overflow", "contribution", 2, 0),
        ("blackjack-7/4/x", "reserve", "reserve", 1, 0),
    ]
    (reading,) = readings(meters)
    assert (reading.exact, reading.in_meter, reading.records) == (MeterAmount(500_000_005), 1, 4)


def test_a_change_of_nothing_leaves_its_key(meters: sqlite3.Connection) -> None:
    ledger = a_ledger(meters)
    ledger.post(ROYAL, "elsewhere", PostingReason.CORRECTION, ledger.meter(ROYAL).pools)
    assert ledger.posted(ROYAL, "elsewhere") == MeterAmount(0)
    assert postings(ledger.connection, ROYAL)[-1].amount == MeterAmount(0)


def test_what_was_posted_is_known_at_once_and_to_the_next_ledger(meters: sqlite3.Connection) -> None:
    ledger = a_ledger(meters)
    assert ledger.posted(ROYAL, "blackjack-7/4/x") is None
    before = ledger.meter(ROYAL).pools
    ledger.post(ROYAL, "blackjack-7/4/x", PostingReason.CONTRIBUTION, moved(before, 5, 2))
    assert ledger.posted(ROYAL, "blackjack-7/4/x") == MeterAmount(7)
    ledger.write()
    assert a_ledger(meters).posted(ROYAL, "blackjack-7/4/x") == MeterAmount(7)


def test_what_is_held_is_known_at_once_and_to_the_next_ledger(meters: sqlite3.Connection) -> None:
    ledger = a_ledger(meters)
    assert ledger.posted(ROYAL, "blackjack-7/4/x") is None
    (made,) = wagered(4, 1).contributions
    ledger.hold(replace(made, hidden=MeterAmount(9)), "blackjack-7/4/x", CAUSE, Cents(10))
    ledger.write()
    for one in (ledger, a_ledger(meters)):
        assert one.posted(ROYAL, "blackjack-7/4/x") == Held(number=1, amount=MeterAmount(7_509), settled=None)
        assert one.posted(ROYAL, "blackjack-7/4/y") is None
    assert readings(meters)[0].records == 2


def test_nothing_recorded_writes_nothing(meters: sqlite3.Connection) -> None:
    ledger = a_ledger(meters)
    ledger.meter(ROYAL)
    before = meters.total_changes
    ledger.write()
    assert meters.total_changes == before


def test_an_unknown_meter_is_named(meters: sqlite3.Connection) -> None:
    with pytest.raises(MeterStoreError, match="no meter of progressive golden"):
        a_ledger(meters).meter(ProgressiveId("golden"))
