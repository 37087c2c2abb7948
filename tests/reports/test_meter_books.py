from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.meter_records import RoundSpan
from bridge.domain.meters import ByRound, Pool, PostingReason
from bridge.domain.money import MeterAmount
from bridge.reports.meter_books import NO_METERS, read_meter_books
from bridge.stores.meter_store import MeterStoreError
from tests.reports.days import PlayedDays


def span(played: PlayedDays, first: int = 1, last: int = 1) -> RoundSpan:
    return RoundSpan(table=played.config.setup.table, first=RoundNumber(first), last=RoundNumber(last))


def test_the_books_hold_everything_that_is_on_record(blackjack: PlayedDays) -> None:
    books, table = blackjack.books, blackjack.config.setup.table
    (reading,) = books.readings
    on_display = [posting.amount for posting in books.postings if posting.pool is Pool.DISPLAY]

    assert MeterAmount.total(on_display) == reading.exact
    assert books.awards_of(table, frozenset(blackjack.numbers())) == books.awards
    assert len(books.awards) == 3
    assert books.awards_of(table, frozenset({RoundNumber(1)})) == ()
    assert books.awards_of(TableId("another"), frozenset(blackjack.numbers())) == ()


def test_of_other_rounds_the_books_hold_what_no_wager_caused(blackjack: PlayedDays) -> None:
    everything, lost = blackjack.books, blackjack.numbers()[0]
    books = read_meter_books(blackjack.meters, blackjack.config.submission, span(blackjack, lost, lost))
    besides = [one for one in everything.postings if one.reason is not PostingReason.CONTRIBUTION]
    contributed = [one for one in books.postings if one.reason is PostingReason.CONTRIBUTION]

    assert books.readings == everything.readings
    assert books.awards == ()
    assert [one for one in books.postings if one not in contributed] == besides
    assert contributed
    assert {one.cause.round_number for one in contributed if isinstance(one.cause, ByRound)} == {lost}


def test_a_table_without_a_progressive_has_no_books(tmp_path: Path, baccarat: PlayedDays) -> None:
    assert read_meter_books(tmp_path / "none", baccarat.config.submission, span(baccarat)) == NO_METERS


def test_meters_that_are_not_there_are_told_and_not_made(tmp_path: Path, blackjack: PlayedDays) -> None:
    with pytest.raises(MeterStoreError, match="there are no meters"):
        read_meter_books(tmp_path / "none", blackjack.config.submission, span(blackjack))
    assert list(tmp_path.iterdir()) == []


def test_reading_changes_no_byte(blackjack: PlayedDays) -> None:
    before = blackjack.meters.read_bytes()
    read_meter_books(blackjack.meters, replace(blackjack.config.submission, digest="another"), span(blackjack))

    assert blackjack.meters.read_bytes() == before
