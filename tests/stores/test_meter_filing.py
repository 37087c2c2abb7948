import sqlite3
from dataclasses import replace
from fractions import Fraction

import pytest

from bridge.domain.money import Cents
from bridge.stores.meter_filing import file_progressives
from bridge.stores.meter_readings import postings
from tests.stores.meters import NOW, PROGRESSIVE, ROYAL


def test_filing_again_posts_no_second_seed(meters: sqlite3.Connection) -> None:
    file_progressives(meters, (PROGRESSIVE,), NOW, submission="ab")
    assert [posting.key for posting in postings(meters, ROYAL)] == ["seed"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"reset_amount": Cents(4_000_000)}, "reset amount 50,000.00 -> 40,000.00"),
        ({"increment_rate": Fraction(1, 10)}, "increment rate 3/20 -> 1/10"),
        ({"hidden_rate": Fraction(1, 100)}, "hidden rate 0 -> 1/100"),
        ({"limit": Cents(6_000_000)}, "limit none -> 60,000.00"),
        ({"unreasonable_above": Cents(75)}, "unreasonable above none -> 0.75"),
    ],
)
def test_1_39c_b_every_change_of_a_parameter_is_told(
    meters: sqlite3.Connection, change: dict[str, Cents | Fraction], told: str
) -> None:
    file_progressives(meters, (replace(PROGRESSIVE, **change),), NOW, submission="ab")  # type: ignore[arg-type]
    assert postings(meters, ROYAL)[-1].text == f"{told}; filed under rules submission ab"
