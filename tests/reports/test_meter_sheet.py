from dataclasses import replace

import pytest

from bridge.domain.meter_sheet import WINS_SHOWN_MAX
from bridge.domain.meters import ByRound
from bridge.reports.meter_sheet import NoMetersError, meter_sheet
from tests.reports.days import PlayedDays


def test_605a_7_a_every_meter_is_read_with_its_last_change_and_last_wins(blackjack: PlayedDays) -> None:
    books, table = blackjack.books, blackjack.config.setup.table
    sheet = meter_sheet(table, books)
    (meter,) = sheet.meters

    assert sheet.document == f"MS-bj-demo-{books.readings[0].records}"
    assert meter.reading == books.readings[0]
    assert meter.last_posting == books.postings[-1]
    assert sheet.read_to == meter.last_posting.at
    assert [record.award.win_number for record in meter.last_awards] == [2, 2, 1]
    assert sheet.answers == max(
        posting.cause.answers for posting in books.postings if isinstance(posting.cause, ByRound)
    )


def test_5320_8_b_the_last_25_wins_are_shown(blackjack: PlayedDays) -> None:
    books = replace(blackjack.books, awards=blackjack.books.awards * 20)
    (meter,) = meter_sheet(blackjack.config.setup.table, books).meters

    assert len(meter.last_awards) == WINS_SHOWN_MAX == 25
    assert meter.last_awards[0] == books.awards[-1]


def test_a_table_without_a_meter_has_no_sheet(baccarat: PlayedDays) -> None:
    with pytest.raises(NoMetersError, match="mb-demo has no meter"):
        meter_sheet(baccarat.config.setup.table, baccarat.books)
