from dataclasses import replace
from datetime import UTC

from bridge.domain.gaming_day import Total
from bridge.domain.money import Cents
from bridge.reports.day_money_pdf import in_brief, money_tables
from bridge.reports.formats import Paper
from bridge.reports.paper import printed, text_width
from tests.reports.days import COINS, PlayedDays
from tests.reports.sheets import IMPRINT, sheets

WIDTH = text_width(Paper.A4)


def test_the_sums_asked_for_first_are_those_of_the_tables(blackjack: PlayedDays, baccarat: PlayedDays) -> None:
    brief = dict(in_brief(blackjack.gaming_day()))
    assert brief["Awards from meters"] == "$100,005.99"
    assert brief["Envy Bonuses"] == "$15,000.00"
    assert brief["Irregularities"] == "2"

    brief = dict(in_brief(baccarat.gaming_day()))
    assert brief["Vigorish open"] == "$0.50"
    assert brief["Vigorish marked"] == "$2.50 + 1 unknown"
    assert "Awards from meters" not in brief


def test_amounts_that_nobody_knows_are_not_printed_as_nothing(baccarat: PlayedDays) -> None:
    day = baccarat.gaming_day()
    unknown = replace(day.wagers[0], count=3, amount=Total(cents=Cents(0), unknown=3))
    partly = replace(day.wagers[1], count=3, amount=Total(cents=Cents(500), unknown=1))
    day = replace(day, wagers=(unknown, partly))
    told = " ".join(sheets(printed(IMPRINT, lambda: list(money_tables(day, WIDTH, UTC)), Paper.A4)))

    assert "Player 3 – 3" in told  # noqa: RUF001
    assert "Banker 3 $5.00 1" in told


def test_a_table_that_owes_no_vigorish_has_no_ledger(blackjack: PlayedDays) -> None:
    told = " ".join(
        sheets(printed(IMPRINT, lambda: list(money_tables(blackjack.gaming_day(), WIDTH, UTC)), Paper.A4))
    )

    assert "Vigorish" not in told


def test_T43_coins_that_are_no_wager_are_told_until_they_are_returned(blackjack: PlayedDays) -> None:
    day = replace(blackjack.gaming_day(), coins=COINS)
    told = " ".join(sheets(printed(IMPRINT, lambda: list(money_tables(day, WIDTH, UTC)), Paper.A4)))

    assert "Still to be returned $5.00" in told
    assert "To be returned at position 3 $5.00." in told
    assert dict(in_brief(day))["Coins taken"] == "$20.00"
    assert "Coins taken" not in dict(in_brief(blackjack.gaming_day()))
