import sqlite3
from dataclasses import replace
from fractions import Fraction

from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import NoLimit
from bridge.domain.money import Cents, MeterAmount
from bridge.stores.meter_state import all_meters, change_terms, insert_meter, meter_of, names, write_figures
from tests.stores.meters import ROYAL, a_progressive

GOLDEN = replace(
    a_progressive(ProgressiveId("golden")),
    increment_rate=Fraction(1, 7),
    hidden_rate=Fraction(2, 9),
    limit=Cents(9_000_000),
    unreasonable_above=Cents(75),
)


def test_terms_are_read_as_they_were_filed(meters: sqlite3.Connection) -> None:
    insert_meter(meters, GOLDEN)
    assert [state.terms.id for state in all_meters(meters)] == ["golden", "royal-match"]
    assert meter_of(meters, GOLDEN.id).terms == GOLDEN
    assert meter_of(meters, ROYAL).terms.limit is NoLimit.NO_LIMIT
    other = replace(GOLDEN, reset_amount=Cents(1), limit=NoLimit.NO_LIMIT)
    change_terms(meters, other)
    assert meter_of(meters, GOLDEN.id).terms == other


def test_figures_are_read_as_they_were_written(meters: sqlite3.Connection) -> None:
    state = meter_of(meters, ROYAL)
    pools = replace(state.pools, display=MeterAmount(-1), overflow=MeterAmount(2), reserve=MeterAmount(3))
    written = replace(state, pools=pools, records=9, in_meter=4, hits=5, wins=6, attendant_paid=7)
    write_figures(meters, written)
    assert meter_of(meters, ROYAL) == written
    assert meters.execute("SELECT cumulative_paid_cents FROM progressives").fetchone() == (7,)


def test_things_are_listed() -> None:
    assert names((1, "b")) == "1, b"
