"""Money, cards and times as documents print them."""

import re
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.identity import Timestamp
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.wagers import UnknownAmount
from bridge.reports import words
from tests.one_process import NOON

ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SMALL = {"zero": 0} | {word: number for number, word in enumerate((*ONES, *TEENS), start=1)}
SMALL |= {word: 10 * number for number, word in enumerate(TENS, start=2)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def read_aloud(text: str) -> int:
    """Return the number that somebody writes down who hears it."""
    whole = part = 0
    for word in re.split("[ -]", text.lower()):
        if word in SCALES:
            whole, part = whole + part * SCALES[word], 0
        elif word == "hundred":
            part *= 100
        else:
            part += SMALL[word]
    return whole + part


@pytest.mark.parametrize(
    ("cents", "in_words"),
    [
        (5_000_375, "Fifty thousand three and 75/100 dollars"),
        (2_500_150, "Twenty-five thousand one and 50/100 dollars"),
        (7, "Zero and 07/100 dollars"),
        (100, "One and 00/100 dollars"),
        (
            111_111_119_99,
            "One hundred eleven million one hundred eleven thousand one hundred nineteen and 99/100 dollars",
        ),
    ],
)
def test_an_amount_is_written_out_as_on_a_cheque(cents: int, in_words: str) -> None:
    assert words.amount_in_words(Cents(cents)) == in_words


@given(st.integers(0, 10**17 - 1))
def test_an_amount_in_words_is_heard_as_what_it_is(cents: int) -> None:
    dollars, _, rest = words.amount_in_words(Cents(cents)).rpartition(" and ")

    assert read_aloud(dollars) == cents // 100
    assert rest == f"{cents % 100:02d}/100 dollars"


def test_money_is_printed_with_its_currency_and_unknown_as_such() -> None:
    assert words.dollars(Cents(5_000_375)) == "$50,003.75"
    assert words.dollars(Cents(-5)) == "-$0.05"
    assert words.dollars(UnknownAmount.UNKNOWN) == "unknown"
    assert words.exact_dollars(MeterAmount(500_037_550)) == "$50,003.7550"


def test_a_card_is_printed_with_the_sign_of_its_suit() -> None:
    assert [words.card(Card.parse(text)) for text in ("Kc", "Td", "Ah", "2s")] == ["K♣", "10♦", "A♥", "2♠"]
    assert words.cards([Card.parse("Qc"), UnseenCard.UNREAD]) == "Q♣\u2002unread"
    assert words.cards([]) == "–"  # noqa: RUF001


def test_t55_a_time_is_printed_with_its_offset() -> None:
    at, new_york = Timestamp(NOON + 123_456), ZoneInfo("America/New_York")

    assert words.moment(at) == "2026-11-29 12:00:00 UTC"
    assert words.moment(at, new_york) == "2026-11-29 07:00:00 -0500"
    assert words.iso(at) == "2026-11-29T12:00:00.123456+00:00"
    assert words.iso(at, new_york) == "2026-11-29T07:00:00.123456-05:00"
    assert words.iso(Timestamp(-1)) == "1969-12-31T23:59:59.999999+00:00"
