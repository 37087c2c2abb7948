import sqlite3
from dataclasses import replace

from bridge.domain.awards import AwardStatus
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import AwardClaim
from bridge.domain.money import Cents
from bridge.stores.meter_filing import file_progressives
from bridge.stores.meter_postings import post
from bridge.stores.meter_readings import awards_of_round, postings, readings
from tests.stores.meters import (
    NOW,
    PROGRESSIVE,
    ROYAL,
    TABLE,
    WHOLE_METER,
    a_progressive,
    entries,
    rejected,
    signed,
    units,
    wagered,
    won,
)


def test_awards_come_in_the_order_of_the_claim(meters: sqlite3.Connection) -> None:
    post(meters, won(3, 5, 1, 4), NOW)
    assert [award.position for award in awards_of_round(meters, TABLE, won(3).round_number)] == [5, 1, 4]
    assert awards_of_round(meters, TABLE, won(4).round_number) == ()


def test_a_claim_in_another_order_is_the_same_claim(meters: sqlite3.Connection) -> None:
    post(meters, won(3, 5, 1), NOW)
    before = postings(meters, ROYAL)
    post(meters, won(3, 1, 5), NOW)
    assert postings(meters, ROYAL) == before


def test_an_award_says_how_it_came_about(meters: sqlite3.Connection) -> None:
    post(meters, wagered(3, 1), NOW)
    post(meters, won(3, 5, 1), NOW)
    texts = [posting.text for posting in postings(meters, ROYAL)][-2:]
    assert texts == ["win 1: 25,000.37, one of 2 shares of 100% of meter at 50,000.7500"] * 2


def test_one_act_is_about_the_awards_of_every_meter_at_its_position(meters: sqlite3.Connection) -> None:
    golden = a_progressive(ProgressiveId("golden"), seed=1_000)
    file_progressives(meters, (PROGRESSIVE, golden), NOW, submission="")
    both = tuple(
        AwardClaim(progressive=of, odds=WHOLE_METER, positions=won(1, 2).claims[0].positions)
        for of in (ROYAL, golden.id)
    )
    post(meters, entries(1, claims=both), NOW)
    post(meters, signed(1, 2), NOW)
    assert {award.status for award in awards_of_round(meters, TABLE, won(1).round_number)} == {AwardStatus.RESET}
    assert [reading.exact for reading in readings(meters)] == [units("10.00"), units("50,000.00")]


def test_a_share_of_a_cent_is_one_of_two_when_the_third_is_rejected(meters: sqlite3.Connection) -> None:
    golden = a_progressive(ProgressiveId("golden"), seed=3)
    file_progressives(meters, (PROGRESSIVE, golden), NOW, submission="")
    claim = AwardClaim(progressive=golden.id, odds=WHOLE_METER, positions=won(1, 1, 2, 3).claims[0].positions)
    post(meters, entries(1, claims=(claim,)), NOW)
    post(meters, rejected(1, 3), NOW)
    awards = awards_of_round(meters, TABLE, won(1).round_number)
    assert [(award.amount, award.among) for award in awards] == [(1, 2), (1, 2), (1, 3)]


def test_t52_what_the_others_are_raised_by_finds_room_on_a_display_that_is_at_its_limit(
    meters: sqlite3.Connection,
) -> None:
    golden = replace(a_progressive(ProgressiveId("golden"), seed=12_00), limit=Cents(13_00))
    file_progressives(meters, (PROGRESSIVE, golden), NOW, submission="")
    claim = AwardClaim(progressive=golden.id, odds=WHOLE_METER, positions=won(1, 1, 2, 3).claims[0].positions)
    post(meters, entries(1, claims=(claim,)), NOW)
    post(meters, wagered(2, 1, wager=100_00, of=golden.id), NOW)
    post(meters, rejected(1, 3), NOW)

    awards = awards_of_round(meters, TABLE, won(1).round_number)
    assert [award.amount for award in awards] == [6_00, 6_00, 4_00]
    (reading,) = [one for one in readings(meters) if one.progressive == golden.id]
    assert (reading.exact, reading.overflow) == (units("13.00"), units("2.00"))


def test_a_reset_waits_for_the_last_share_and_names_who_gave_it(meters: sqlite3.Connection) -> None:
    post(meters, won(1, 2, 3), NOW)
    post(meters, signed(1, 2), NOW)
    post(meters, rejected(1, 3), NOW)
    (reading,) = readings(meters)
    assert reading.pending == ()
    assert postings(meters, ROYAL)[-1].text == "after win 1: reset amount 50,000.00"
