import sqlite3
from dataclasses import replace
from functools import partial

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.meter_records import RoundSpan
from bridge.domain.meters import PostingReason
from bridge.domain.money import Cents
from bridge.stores.meter_adjusting import adjust
from bridge.stores.meter_filing import file_progressives
from bridge.stores.meter_postings import post
from bridge.stores.meter_readings import (
    audit,
    award_records,
    held_contributions,
    last_posting,
    newest_answer,
    newest_awards,
    postings,
    postings_about,
)
from bridge.stores.meter_store import MeterStoreError
from tests.stores.meters import (
    FLOORPERSON,
    NOW,
    OTHER_TABLE,
    PROGRESSIVE,
    ROYAL,
    TABLE,
    TO_PAID,
    an_adjustment,
    rejected,
    signed,
    units,
    wagered,
    won,
)


def test_postings_are_those_from_a_time_on(meters: sqlite3.Connection) -> None:
    for number in (1, 2):
        post(meters, wagered(number, 1), Timestamp(NOW + number))
    assert [posting.key for posting in postings(meters, ROYAL, Timestamp(NOW + 2))] == [
        "blackjack-7/2/contribution/royal_match_progressive/1"
    ]


def span(first: int, last: int, table: TableId = TABLE) -> RoundSpan:
    return RoundSpan(table=table, first=RoundNumber(first), last=RoundNumber(last))


def test_what_wagers_contributed_is_read_of_the_rounds_asked_for_and_all_else_in_any_case(
    meters: sqlite3.Connection,
) -> None:
    for number in (1, 2, 3):
        post(meters, wagered(number, 1), NOW)
    post(meters, wagered(2, 4, table=OTHER_TABLE), NOW)
    adjust(meters, an_adjustment("-0.50"), NOW)
    post(meters, won(1, 1), NOW)
    told = [posting.key for posting in postings_about(meters, ROYAL, span(2, 3))]
    assert told == [
        "seed",
        "blackjack-7/2/contribution/royal_match_progressive/1",
        "blackjack-7/3/contribution/royal_match_progressive/1",
        "person/desk/1/1",
        "blackjack-7/1/award/1",
    ]
    none = [posting.key for posting in postings_about(meters, ROYAL, span(1, 0))]
    assert none == ["seed", "person/desk/1/1", "blackjack-7/1/award/1"]
    assert last_posting(meters, ROYAL).key == "blackjack-7/1/award/1"


def test_awards_are_read_of_the_rounds_asked_for_or_newest_first(meters: sqlite3.Connection) -> None:
    for number in (1, 2, 3):
        post(meters, won(number, 1), NOW)
    rounds = [record.award.round_number for record in award_records(meters, ROYAL, span(2, 3))]
    newest = [record.award.round_number for record in newest_awards(meters, ROYAL, 2)]
    assert (rounds, newest) == ([2, 3], [3, 2])
    assert award_records(meters, ROYAL, span(1, 3, OTHER_TABLE)) == ()


def test_the_newest_answer_is_that_of_its_table(meters: sqlite3.Connection) -> None:
    assert newest_answer(meters, TABLE) == 0
    post(meters, wagered(3, 1), NOW)
    post(meters, wagered(2, 1), NOW)
    post(meters, wagered(9, 1, table=OTHER_TABLE), NOW)
    assert (newest_answer(meters, TABLE), newest_answer(meters, OTHER_TABLE)) == (30, 90)


def test_15_1_24_19_an_audit_shows_how_each_amount_came_about(meters: sqlite3.Connection) -> None:
    post(meters, wagered(1, 1, 2, wager=505), NOW)
    post(meters, won(1, 1, 2), NOW)
    post(meters, wagered(7, 3, table=OTHER_TABLE), NOW)
    post(meters, rejected(1, 2), NOW)
    post(meters, signed(1, 1), NOW)
    adjust(meters, an_adjustment("-0.50"), NOW)
    post(meters, wagered(2, 4), NOW)
    post(meters, won(2, 4), NOW)
    first, second = audit(meters, ROYAL)

    assert (first.opening, first.meter_before, first.wagers) == (units("0"), units("50,001.5150"), 2)
    assert [(share.reason, share.postings, share.amount) for share in first.shares] == [
        (PostingReason.SEED, 1, units("50,000")),
        (PostingReason.CONTRIBUTION, 2, units("1.5150")),
    ]
    assert [record.award.amount for record in first.awards] == [5_000_151, 2_500_075]
    assert second.opening == units("0.0150")
    assert second.wagers == 2
    assert {share.reason: share.amount for share in second.shares} == {
        PostingReason.CONTRIBUTION: units("1.50"),
        PostingReason.RESTORATION: units("25,000.75"),
        PostingReason.AWARD: -units("25,000.76"),
        PostingReason.RESEED: units("50,000"),
        PostingReason.CORRECTION: -units("0.50"),
    }
    assert second.meter_before == units("50,001.0050")
    assert first.adds_up
    assert second.adds_up


def test_a_win_that_does_not_add_up_is_seen(meters: sqlite3.Connection) -> None:
    post(meters, won(1, 1), NOW)
    meters.execute("DROP TRIGGER awards_are_never_changed")
    meters.execute("UPDATE awards SET meter_before = meter_before + 1")
    assert [win.adds_up for win in audit(meters, ROYAL)] == [False]


def test_465a_26_an_award_has_everything_that_its_documents_need(meters: sqlite3.Connection) -> None:
    post(meters, wagered(6, 1), NOW)
    post(meters, won(6, 1, 2, 3), Timestamp(NOW + 7))
    post(meters, signed(6, 1, acts=TO_PAID), NOW)
    record = award_records(meters, ROYAL)[0]
    assert (record.hit_at, record.answers) == (NOW + 7, 60)
    assert (record.award.meter_before, record.meter_after) == (units("50,000.75"), units("0.02"))
    assert [act.act for act in record.acts] == list(TO_PAID)
    assert {act.by for act in record.acts} == {FLOORPERSON}
    assert [posting.amount for posting in record.postings] == [-units("16,666.91")]
    post(meters, rejected(6, 2, reason="no royal"), NOW)
    (_, other, _) = award_records(meters, ROYAL)
    assert [posting.reason for posting in other.postings] == [PostingReason.AWARD, PostingReason.RESTORATION]
    assert other.acts[-1].act is PayoutAct.REJECTED
    assert other.acts[-1].reason == "no royal"


def test_what_was_held_back_is_told_with_what_came_of_it(meters: sqlite3.Connection) -> None:
    file_progressives(meters, (replace(PROGRESSIVE, unreasonable_above=Cents(75)),), NOW, submission="")
    post(meters, wagered(6, 1, 2, wager=50_000), NOW)
    keys = [held.key for held in held_contributions(meters, ROYAL)]
    adjust(meters, an_adjustment("0.75", settles=keys[1]), NOW)
    one, other = held_contributions(meters, ROYAL)
    assert (one.amount, one.above, one.round_number, one.answers, one.settled_by) == (
        units("75"), 75, 6, 60, "",
    )  # fmt: skip
    assert other.settled_by == "person/desk/1/1"


def test_a_meter_that_there_is_not_is_named(meters: sqlite3.Connection) -> None:
    golden = ProgressiveId("golden")
    reads = (
        postings,
        partial(postings_about, rounds=span(1, 1)),
        last_posting,
        award_records,
        partial(newest_awards, count=1),
        held_contributions,
        audit,
    )
    for read in reads:
        with pytest.raises(MeterStoreError, match="no meter of progressive golden"):
            read(meters, golden)
