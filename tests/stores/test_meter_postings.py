import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bridge.domain.identity import Timestamp
from bridge.domain.meters import MeterEntries, PostingReason
from bridge.stores import meter_postings
from bridge.stores.migrate import METERS, prepare
from bridge.stores.sqlite_file import DamagedFileError
from tests.stores.suites import PROGRESSIVE, ROYAL, TABLE, units, validated, wagered, won

NOW = Timestamp(1_700_000_000_000_000)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare(connection, METERS)
        meter_postings.file_progressives(connection, (PROGRESSIVE,), NOW)
        yield connection


def reasons(connection: sqlite3.Connection) -> list[PostingReason]:
    return [posting.reason for posting in meter_postings.postings(connection, ROYAL)]


def test_filing_again_posts_no_second_seed(connection: sqlite3.Connection) -> None:
    meter_postings.file_progressives(connection, (PROGRESSIVE,), NOW)
    assert reasons(connection) == [PostingReason.SEED]


def test_contributions_are_posted_before_claims_and_claims_before_validations(
    connection: sqlite3.Connection,
) -> None:
    whole = MeterEntries(
        table=TABLE,
        round_number=wagered(1).round_number,
        contributions=wagered(1, 1, 2).contributions,
        claims=won(1, 2).claims,
        acts=validated(1, 2).acts,
    )
    meter_postings.post(connection, whole, NOW)
    assert reasons(connection) == ["seed", "contribution", "contribution", "award", "reseed"]
    (reading,) = meter_postings.readings(connection)
    assert reading.exact == units("50,000.00")


def test_a_posting_says_when(connection: sqlite3.Connection) -> None:
    meter_postings.post(connection, wagered(1, 1), Timestamp(NOW + 5))
    assert connection.execute("SELECT at - ? FROM postings ORDER BY number", (NOW,)).fetchall() == [(0,), (5,)]


def test_awards_come_in_the_order_of_the_claim(connection: sqlite3.Connection) -> None:
    meter_postings.post(connection, won(3, 5, 1, 4), NOW)
    awards = meter_postings.awards_of_round(connection, TABLE, won(3).round_number)
    assert [award.position for award in awards] == [5, 1, 4]
    assert meter_postings.awards_of_round(connection, TABLE, won(4).round_number) == ()


def test_a_claim_in_another_order_is_the_same_claim(connection: sqlite3.Connection) -> None:
    meter_postings.post(connection, won(3, 5, 1), NOW)
    before = meter_postings.postings(connection, ROYAL)
    meter_postings.post(connection, won(3, 1, 5), NOW)
    assert meter_postings.postings(connection, ROYAL) == before


def test_totals_that_agree_pass_and_others_do_not(connection: sqlite3.Connection) -> None:
    for entries in (wagered(1, 1), won(1, 1), validated(1, 1)):
        meter_postings.post(connection, entries, NOW)
        meter_postings.check_totals(connection)
    connection.execute("UPDATE progressives SET total = total + 1")
    with pytest.raises(DamagedFileError, match=r"says 50,000\.0001 in 4 postings.* 4 and add up to 50,000\.0000"):
        meter_postings.check_totals(connection)
