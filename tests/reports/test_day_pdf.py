"""The report on paper tells the figures of the day, and is the same each time."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from bridge.domain.controller import Disabled, DisabledReason
from bridge.reports.day_pdf import day_pdf
from bridge.reports.formats import Paper
from tests.reports.days import NEXT_DAY, PlayedDays
from tests.reports.recomputed import recomputed
from tests.reports.sheets import fonts, sheets


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def test_a_blackjack_day_on_paper_tells_its_figures(blackjack: PlayedDays) -> None:
    told = " ".join(sheets(day_pdf(blackjack.gaming_day(), Paper.A4)))
    expected = recomputed(blackjack)

    for figure in (
        f"Total {sum(expected.wagers.values())} {dollars(sum(expected.wagered.values()))}",
        f"6 in all {dollars(expected.envy)}",
        "$50,002.25",
        "$25,001.87",
        f"13 {dollars(int(expected.contributed))}00 $0.0000",
        "The meter store holds for each of these rounds what it settles to.",
        "late wager 1",
        "payout signed off: position 4, hand verified",
        "DR-bj-demo-2026-11-29",
        blackjack.gaming_day().journal.last_digest,
        blackjack.config.submission.digest,
    ):
        assert figure in told, figure


def test_a_baccarat_day_on_paper_tells_its_vigorish(baccarat: PlayedDays) -> None:
    told = " ".join(sheets(day_pdf(baccarat.gaming_day(), Paper.LETTER)))

    for figure in ("Marked $2.50 1", "Collected later $2.00 1", "Open $0.50", "Open at position 7 $0.50."):
        assert figure in told, figure
    assert "Awards, not paid" not in told
    assert "voided 1" in told


def test_a_day_that_is_not_over_says_so(baccarat: PlayedDays) -> None:
    day = baccarat.gaming_day(NEXT_DAY)

    assert "This day is not over: figures as of 2026-11-30" in sheets(day_pdf(day, Paper.A4))[0]
    assert "not over" not in sheets(day_pdf(replace(day, over=True), Paper.A4))[0]


def test_a_difference_to_the_meter_store_cannot_be_overlooked(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    differing = replace(day, meters=tuple(replace(one, awards_posted=0) for one in day.meters))

    told = " ".join(sheets(day_pdf(differing, Paper.A4)))
    assert "The meter store does not hold what the rounds settle to: royal-match-demo" in told


@pytest.mark.parametrize("paper", Paper)
def test_the_same_day_gives_the_same_bytes_with_every_font(blackjack: PlayedDays, paper: Paper) -> None:
    day = blackjack.gaming_day()
    content = day_pdf(day, paper)

    assert day_pdf(day, paper) == content
    assert all(fonts(content).values())


def test_a_long_day_goes_on_over_sheets_with_headings(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    long = replace(day, irregularities=day.irregularities * 100)
    told = sheets(day_pdf(long, Paper.A4, ZoneInfo("America/New_York")))

    assert sum("Time Round Irregularity Detail" in sheet for sheet in told) > 3
    assert all(f"of {len(told)}" in sheet for sheet in told)
    assert "2026-11-29 07:00:00 -0500" in told[-1]


def test_5321_18_a_controller_that_is_still_disabled_is_told_with_its_reason(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    found = Disabled(reason=DisabledReason.LOST_LINK, since=day.journal.last_at, detail="not heard of for 30 s")
    told = " ".join(sheets(day_pdf(replace(day, disabled=(found,)), Paper.A4)))

    assert "still disabled by a lost link, since 2026-11-29 12:00:00 UTC: not heard of for 30 s." in told
