from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.meters import Pool
from bridge.domain.money import MeterAmount
from bridge.reports.meter_books import NO_METERS, read_meter_books
from bridge.stores.meter_store import MeterStoreError
from tests.reports.days import PlayedDays


def test_the_books_hold_everything_that_is_on_record(blackjack: PlayedDays) -> None:
    books, table = blackjack.books, blackjack.config.setup.table
    (reading,) = books.readings
    on_display = [posting.amount for posting in books.postings if posting.pool is Pool.DISPLAY]

    assert MeterAmount.total(on_display) == reading.exact
    assert books.awards_of(table, frozenset(blackjack.numbers())) == books.awards
    assert len(books.awards) == 3
    assert books.awards_of(table, frozenset({RoundNumber(1)})) == ()
    assert books.awards_of(TableId("another"), frozenset(blackjack.numbers())) == ()


def test_a_table_without_a_progressive_has_no_books(tmp_path: Path, baccarat: PlayedDays) -> None:
    assert read_meter_books(tmp_path / "none", baccarat.config.submission) == NO_METERS


def test_meters_that_are_not_there_are_told_and_not_made(tmp_path: Path, blackjack: PlayedDays) -> None:
    with pytest.raises(MeterStoreError, match="there are no meters"):
        read_meter_books(tmp_path / "none", blackjack.config.submission)
    assert list(tmp_path.iterdir()) == []


def test_reading_changes_no_byte(blackjack: PlayedDays) -> None:
    before = blackjack.meters.read_bytes()
    read_meter_books(blackjack.meters, replace(blackjack.config.submission, digest="another"))

    assert blackjack.meters.read_bytes() == before
