import sqlite3

from bridge.domain.identity import Timestamp
from bridge.domain.meters import PostingReason
from bridge.stores.meter_postings import post
from bridge.stores.meter_readings import postings, readings
from tests.stores.meters import NOW, ROYAL, entries, signed, units, voided, wagered, won


def reasons(connection: sqlite3.Connection) -> list[PostingReason]:
    return [posting.reason for posting in postings(connection, ROYAL)]


def test_t19_contributions_are_posted_before_claims_then_corrections_then_acts(
    meters: sqlite3.Connection,
) -> None:
    whole = entries(
        1,
        contributions=wagered(1, 1, 2).contributions,
        claims=won(1, 2).claims,
        corrections=voided(1, 1).corrections,
        acts=signed(1, 2).acts,
    )
    post(meters, whole, NOW)
    assert reasons(meters) == ["seed", "contribution", "contribution", "award", "correction", "reseed"]
    (reading,) = readings(meters)
    assert reading.exact == units("49,999.25")


def test_a_posting_says_when(meters: sqlite3.Connection) -> None:
    post(meters, wagered(1, 1), Timestamp(NOW + 5))
    assert [posting.at - NOW for posting in postings(meters, ROYAL)] == [0, 5]


def test_what_was_posted_before_writes_nothing(meters: sqlite3.Connection) -> None:
    post(meters, wagered(1, 1, 2), NOW)
    before = meters.total_changes
    post(meters, wagered(1, 1, 2), NOW)
    assert meters.total_changes == before


def test_each_round_has_keys_of_its_own(meters: sqlite3.Connection) -> None:
    """Round 1 is not round 11, nor 10: what begins alike is not the same."""
    for number in (1, 11, 10, 1):
        post(meters, wagered(number, 1), NOW)
    (reading,) = readings(meters)
    assert (reading.in_meter, reading.exact) == (3, units("50,002.25"))
