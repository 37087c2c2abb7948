"""The report of a day, from journal, rules and meters that a whole table has left."""

from dataclasses import replace
from fractions import Fraction

from bridge.domain.awards import AwardStatus
from bridge.domain.money import Cents
from bridge.domain.settlements import Override, Result
from bridge.domain.table_view import IrregularityKind
from bridge.reports.day_csv import csv_files
from bridge.reports.day_pdf import day_pdf
from bridge.reports.formats import Paper
from bridge.reports.gaming_day import gaming_day
from tests.one_process import FLOOR
from tests.reports.days import DAY, NEXT_DAY, PlayedDays
from tests.reports.recomputed import recomputed
from tests.reports.sheets import sheets


def test_r39_awards_and_contributions_are_those_of_the_meter_store(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    (meter,) = day.meters

    assert Fraction((meter.contributed - meter.taken_back).units, 100) == recomputed(blackjack).contributed
    assert meter.agrees
    assert (meter.awards_won, meter.awards_posted) == (3, 3)
    assert [(one.award.position, one.award.among, one.award.win_number) for one in day.awards] == [
        (4, 1, 1),
        (4, 2, 2),
        (1, 2, 2),
    ]
    assert {one.award.status for one in day.awards} == {AwardStatus.RESET}


def test_r45_envy_bonuses_of_two_crown_treasures_are_told_one_by_one(blackjack: PlayedDays) -> None:
    bonuses = blackjack.gaming_day().envy_bonuses

    assert sum(one.bonus.amount for one in bonuses) == recomputed(blackjack).envy > 0
    assert len({one.round_number for one in bonuses}) == 1


def test_t50_an_override_is_told_beside_what_was_decided(baccarat: PlayedDays) -> None:
    journal = baccarat.journal_day()
    played = journal.rounds[0]
    end = next(end for end in baccarat.published[played.round.number][1].outcomes if end.result is Result.WIN)
    said = Override(
        position=end.position,
        wager=end.kind,
        result=Result.LOSE,
        paid=Cents(0),
        stake_returned=Cents(0),
        by=FLOOR,
        at=played.last.event.at,
        reason="chips laid late",
    )
    overridden = replace(played, round=replace(played.round, overrides=(said,)))
    journal = replace(journal, rounds=(overridden, *journal.rounds[1:]))
    day = gaming_day(journal, baccarat.submissions, baccarat.books)
    told = " ".join(sheets(day_pdf(day, Paper.A4)))
    (row,) = csv_files(day)["overrides.csv"].decode().splitlines()[1:]

    assert [(one.said, one.decided, one.decided_paid) for one in day.overrides] == [(said, Result.WIN, end.paid)]
    assert day.outcomes == baccarat.gaming_day().outcomes, "what was decided stays"
    assert "Overridden outcomes 1" in told
    assert "chips laid late" in told
    assert row.endswith("chips laid late")


def test_days_are_apart_and_the_last_one_is_not_over(blackjack: PlayedDays) -> None:
    first, second = blackjack.gaming_day(DAY), blackjack.gaming_day(NEXT_DAY)

    assert (first.document, second.document) == ("DR-bj-demo-2026-11-29", "DR-bj-demo-2026-11-30")
    assert first.over
    assert not second.over
    assert first.rounds.last < second.rounds.first
    assert second.journal.first > first.journal.first
    assert second.awards == ()


def test_irregularities_are_told_one_by_one_and_by_kind(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()

    assert {one.kind: one.count for one in day.irregularities_by_kind} == {
        IrregularityKind.LATE_WAGER: 1,
        IrregularityKind.COUNT_DIFFERED: 1,
    }
    assert len(day.irregularities) == 2


def test_a_baccarat_day_has_no_meter(baccarat: PlayedDays) -> None:
    day = baccarat.gaming_day()

    assert day.meters == ()
    assert day.awards == ()
    assert day.rounds.voided == 1
