from pathlib import Path

import pytest

from bridge.domain.identity import RoundNumber
from bridge.domain.money import MeterAmount
from bridge.reports.meter_books import MeterBooks, read_meter_books
from bridge.stores.meter_store import MeterStoreError
from tests.reports.days import PlayedDays


def test_the_books_hold_the_awards_of_the_rounds_asked_for(blackjack: PlayedDays) -> None:
    table, progressives = blackjack.config.setup.table, blackjack.config.submission.progressives()
    books = read_meter_books(blackjack.meters, progressives, table, blackjack.numbers())
    of_no_round = read_meter_books(blackjack.meters, progressives, table, [RoundNumber(1)])

    assert len(books.awards) == 3
    assert of_no_round.awards == ()
    assert of_no_round.readings == books.readings
    ((_, postings),) = books.postings
    assert MeterAmount.total(one.amount for one in postings) == books.readings[0].exact


def test_a_table_without_a_progressive_has_no_books(tmp_path: Path, baccarat: PlayedDays) -> None:
    assert read_meter_books(tmp_path / "none", (), baccarat.config.setup.table, []) == MeterBooks()


def test_meters_that_are_not_there_are_told_and_not_made(tmp_path: Path, blackjack: PlayedDays) -> None:
    progressives = blackjack.config.submission.progressives()
    with pytest.raises(MeterStoreError, match="there are no meters"):
        read_meter_books(tmp_path / "none", progressives, blackjack.config.setup.table, [])
    assert list(tmp_path.iterdir()) == []
