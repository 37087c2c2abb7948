"""The slip of an award, from what a whole table has left (§ 465a.26, § 633b.18(h)(4))."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bridge.domain.awards import AwardStatus, PayoutAct
from bridge.domain.cards import Card
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import Ownership
from bridge.domain.settlements import MeterShare
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.reports.folding import folded
from bridge.reports.hand_pay import NoSuchAwardError, hand_pay_slip, moments_of, read_moments
from bridge.reports.meter_books import NO_METERS
from bridge.stores.journal_files import finished_files
from bridge.stores.journal_reader import chained_records, table_starts
from tests.reports.chained import chained
from tests.reports.days import NEXT_DAY, PlayedDays, rejected_days
from tests.stores.days import days_of_play
from tests.stores.test_journal_reader import written
from tests.table.tables import Play

CROWN_TREASURE, TWO_CROWN_TREASURES = 1, 3
"""Which rounds of the first day they are."""


@cache
def slip(played: PlayedDays, place: int, position: int, day: str = "2026-11-29") -> HandPaySlip:
    number = played.numbers(day)[place]
    return hand_pay_slip(
        moments_of(played.records, number),
        BettingPosition(position),
        played.config.submission,
        played.books,
    )


def test_465a_26_a_crown_treasure_has_all_that_its_slip_needs(blackjack: PlayedDays) -> None:
    told = slip(blackjack, CROWN_TREASURE, 4)

    assert told.document == f"HP-bj-demo-{blackjack.numbers()[CROWN_TREASURE]}-4"
    assert (told.table, told.position, told.gaming_day) == ("bj-demo", 4, "2026-11-29")
    assert (told.wager, told.wagered, told.odds) == (
        WagerKind.ROYAL_MATCH_PROGRESSIVE,
        500,
        Odds.of_meter(1),  # type: ignore[arg-type]
    )
    assert told.hand == (Card.parse("Qs"), Card.parse("Ks"))
    assert told.dealer_hand == (Card.parse("Qd"), Card.parse("Kd"))
    assert (told.amount, told.amount_in_words) == (5_000_225, "Fifty thousand two and 25/100 dollars")
    assert told.shared_by == (4,)
    assert told.win_number == 1
    assert told.approval_reference == "DEMONSTRATION-LAYOUT-1"
    assert told.rules_digest == blackjack.config.submission.digest


def test_r45_two_winners_share_and_what_is_left_goes_into_the_reset(blackjack: PlayedDays) -> None:
    one, other = slip(blackjack, TWO_CROWN_TREASURES, 1), slip(blackjack, TWO_CROWN_TREASURES, 4)

    assert one.amount == other.amount == 2_500_187
    assert set(one.shared_by) == set(other.shared_by) == {1, 4}
    assert one.meter == other.meter
    assert one.meter.before == MeterAmount(500_037_500)
    assert one.meter.left == one.meter.before - MeterAmount.of_cents(2 * one.amount)
    assert one.meter.put_back == MeterAmount.of_cents(one.meter.reset_amount) == MeterAmount.of_cents(5_000_000)
    assert one.win_number == other.win_number == 2


def test_the_award_stands_on_the_record_that_decided_it(blackjack: PlayedDays) -> None:
    told = slip(blackjack, CROWN_TREASURE, 4)
    record = blackjack.records[told.hit.sequence - 1]
    moments = moments_of(blackjack.records, told.round_number)
    before = [moment for moment in moments if moment.record.sequence < told.hit.sequence]

    assert told.hit.digest == record.digest
    assert told.hit.at == record.event.at
    assert told.hit.sequence < told.read_to.sequence
    with pytest.raises(NoSuchAwardError, match="nothing is decided for position 4"):
        hand_pay_slip(before, told.position, blackjack.config.submission, blackjack.books)


def test_r35_to_r40_who_did_what_and_when_stands_in_its_order(blackjack: PlayedDays) -> None:
    told = slip(blackjack, CROWN_TREASURE, 4)

    assert [act.act for act in told.acts] == [
        PayoutAct.HAND_VERIFIED,
        PayoutAct.LAMP_VERIFIED,
        PayoutAct.VALIDATED,
        PayoutAct.DOCUMENTED,
        PayoutAct.PAID,
        PayoutAct.RESET,
    ]
    assert [act.at for act in told.acts] == sorted(act.at for act in told.acts)
    assert (told.acts[0].by, told.acts[-1].by) == ("dealer-1", "reset-1")
    assert told.status is AwardStatus.RESET
    assert told.hit.at < told.acts[0].at


async def test_t52_a_rejected_award_is_told_as_rejected(tmp_path: Path) -> None:
    played = await rejected_days(tmp_path)
    (number,) = played.numbers()
    moments, submission = read_moments(played.journal, number), played.config.submission
    told = hand_pay_slip(moments, BettingPosition(1), submission, played.books)
    other = hand_pay_slip(moments, BettingPosition(4), submission, played.books)

    assert told.status is AwardStatus.REJECTED
    assert (told.acts[-1].act, told.acts[-1].reason) == (PayoutAct.REJECTED, "hole card exposed too early")
    assert told.meter.restored == MeterAmount.of_cents(told.amount) > MeterAmount(0)
    assert told.shared_by == (1, 4)
    assert other.shared_by == (4,)
    assert other.amount == told.amount * 2, "divided again among those who are left"
    assert (other.meter.awarded, other.meter.put_back) == (other.amount, MeterAmount(0))


def test_t24_the_player_is_named_where_the_floorperson_said_who(blackjack: PlayedDays) -> None:
    moments = list(moments_of(blackjack.records, blackjack.numbers()[CROWN_TREASURE]))
    owned = Ownership(position=BettingPosition(4), owner=PersonId("J. Doe"))
    last = replace(moments[-1], round=replace(moments[-1].round, owners=(owned,)))
    submission, books = blackjack.config.submission, blackjack.books

    assert hand_pay_slip([*moments[:-1], last], BettingPosition(4), submission, books).player == "J. Doe"
    assert hand_pay_slip(moments, BettingPosition(4), submission, books).player == ""


def test_r39_a_payout_at_fixed_odds_has_no_slip(blackjack: PlayedDays) -> None:
    (number,) = blackjack.numbers(NEXT_DAY)
    _, settlement = blackjack.published[number]
    paid = next(end for end in settlement.outcomes if end.paid and not isinstance(end.paid, MeterShare))

    with pytest.raises(NoSuchAwardError, match=r"ended as royal match, paid \$300.00.*part of a meter"):
        slip(blackjack, 0, paid.position, NEXT_DAY)


def test_an_award_that_the_meters_do_not_hold_is_told(blackjack: PlayedDays) -> None:
    moments = moments_of(blackjack.records, blackjack.numbers()[CROWN_TREASURE])
    with pytest.raises(NoSuchAwardError, match="the meter store holds no award"):
        hand_pay_slip(moments, BettingPosition(4), blackjack.config.submission, NO_METERS)


def test_a_position_without_a_wager_has_no_slip(blackjack: PlayedDays) -> None:
    with pytest.raises(NoSuchAwardError, match="positions with an award there: 4"):
        slip(blackjack, CROWN_TREASURE, 7)


def test_a_round_that_the_journal_does_not_hold_is_told() -> None:
    with pytest.raises(NoSuchAwardError, match=r"holds rounds \d+ to \d+, not round 7"):
        moments_of(chained(Play().events), RoundNumber(7))
    with pytest.raises(NoSuchAwardError, match="holds no round, not round 7"):
        moments_of([], RoundNumber(7))


def test_t48_a_hole_card_that_lies_face_down_is_on_no_slip(blackjack: PlayedDays) -> None:
    told = slip(blackjack, CROWN_TREASURE, 4)

    assert all(isinstance(card, Card) for card in told.dealer_hand)
    assert told.meter.awarded == Cents(5_000_225)


def test_a_round_is_read_from_the_state_kept_before_it_and_is_the_same(blackjack: PlayedDays) -> None:
    for number in (*blackjack.numbers(), *blackjack.numbers(NEXT_DAY)):
        assert read_moments(blackjack.journal, number) == moments_of(blackjack.records, number)


def test_a_round_that_was_archived_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "bj.journal"
    written(file, days_of_play(3))
    *_, beginning = table_starts(file)
    first, *_, last = (step.after.round.number for step in folded(chained_records(beginning)))
    assert read_moments(file, first)
    assert {moment.software for moment in read_moments(file, last)} == {"1"}

    finished_files(file)[0].unlink()
    with pytest.raises(NoSuchAwardError, match="does not go back to round"):
        read_moments(file, first)
    assert {moment.software for moment in read_moments(file, last)} == {""}, "its start is not here"
