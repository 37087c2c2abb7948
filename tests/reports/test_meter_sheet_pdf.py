"""The reading on paper has every figure of a controller."""

from dataclasses import replace

from bridge.domain.meter_sheet import MeterSheet
from bridge.domain.money import Cents
from bridge.reports.formats import Paper
from bridge.reports.meter_sheet import read_meter_sheet
from bridge.reports.meter_sheet_pdf import meter_sheet_pdf
from bridge.reports.words import dollars, exact_dollars
from tests.reports.days import PlayedDays
from tests.reports.sheets import fonts, sheets


def of(played: PlayedDays) -> MeterSheet:
    return read_meter_sheet(played.config.setup.table, played.meters, played.config.submission)


def test_605a_7_a_every_figure_of_a_meter_is_on_one_sheet(blackjack: PlayedDays) -> None:
    reading = blackjack.books.readings[0]
    (told,) = sheets(meter_sheet_pdf(of(blackjack), Paper.LETTER))

    for figure in (
        f"Progressive {reading.progressive}",
        dollars(reading.displayed),
        exact_dollars(reading.exact),
        f"qualifying wagers {reading.in_meter}",
        "not every claim was rejected 2",
        "Wins what they come to $100,005.99",
        "none at a live table $0.00",
        "never reset $100,005.99",
        "Awards that are hit and not over None.",
        "$25,001.87",
        "Witness",
    ):
        assert figure in told, figure


def test_t52_an_award_that_is_hit_and_not_over_is_told_beside_its_meter(blackjack: PlayedDays) -> None:
    sheet = of(blackjack)
    (meter,) = sheet.meters
    frozen = replace(meter, reading=replace(meter.reading, pending=(meter.last_awards[0].award,), limit=Cents(9)))
    (told,) = sheets(meter_sheet_pdf(replace(sheet, meters=(frozen,)), Paper.A4))

    assert "Win no. Table Round Position Status Frozen 2 bj-demo" in told
    assert "the most that is shown $0.09" in told


def test_each_meter_has_a_sheet_of_its_own_and_the_bytes_are_the_same(blackjack: PlayedDays) -> None:
    sheet = of(blackjack)
    two = replace(sheet, meters=sheet.meters * 2)
    content = meter_sheet_pdf(two, Paper.A4)

    assert len(sheets(content)) == 2
    assert meter_sheet_pdf(two, Paper.A4) == content
    assert all(fonts(content).values())
