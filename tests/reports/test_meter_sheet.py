from pathlib import Path

import pytest

from bridge.domain.meter_sheet import WINS_SHOWN_MAX
from bridge.domain.meters import ByRound
from bridge.reports import meter_sheet
from bridge.reports.meter_sheet import NoMetersError, read_meter_sheet
from tests.reports.days import PlayedDays


def test_605a_7_a_every_meter_is_read_with_its_last_change_and_last_wins(blackjack: PlayedDays) -> None:
    books, table = blackjack.books, blackjack.config.setup.table
    sheet = read_meter_sheet(table, blackjack.meters, blackjack.config.submission)
    (meter,) = sheet.meters

    assert sheet.document == f"MS-bj-demo-{books.readings[0].records}"
    assert meter.reading == books.readings[0]
    assert meter.last_posting == books.postings[-1]
    assert sheet.read_to == meter.last_posting.at
    assert [record.award.win_number for record in meter.last_awards] == [2, 2, 1]
    assert meter.last_awards == books.awards[::-1]
    assert sheet.answers == max(
        posting.cause.answers for posting in books.postings if isinstance(posting.cause, ByRound)
    )


def test_5320_8_b_the_last_25_wins_are_shown(blackjack: PlayedDays, monkeypatch: pytest.MonkeyPatch) -> None:
    assert WINS_SHOWN_MAX == 25
    monkeypatch.setattr(meter_sheet, "WINS_SHOWN_MAX", 2)
    table, submission = blackjack.config.setup.table, blackjack.config.submission
    (meter,) = read_meter_sheet(table, blackjack.meters, submission).meters

    assert meter.last_awards == blackjack.books.awards[:0:-1]


def test_a_table_without_a_meter_has_no_sheet(tmp_path: Path, baccarat: PlayedDays) -> None:
    with pytest.raises(NoMetersError, match="mb-demo has no meter"):
        read_meter_sheet(baccarat.config.setup.table, tmp_path / "none", baccarat.config.submission)
