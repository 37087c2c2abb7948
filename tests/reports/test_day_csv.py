"""Comma-separated values that any reader of RFC 4180 takes, with the figures of the day."""

import csv
import re
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from bridge.domain.gaming_day import GamingDay
from bridge.domain.money import Cents
from bridge.reports.day_csv import GUARDED, csv_file, csv_files
from tests.reports.days import COINS, PlayedDays
from tests.reports.recomputed import recomputed


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode(), newline="")))


def test_every_table_has_a_file_with_headings(blackjack: PlayedDays, baccarat: PlayedDays) -> None:
    for played in (blackjack, baccarat):
        for name, content in csv_files(played.gaming_day()).items():
            first = content.split(b"\r\n")[0].decode()
            assert re.fullmatch(r"[a-z0-9_]+(,[a-z0-9_]+)*", first), name
            assert content.endswith(b"\r\n")
            assert b"\n" not in content.replace(b"\r\n", b"")


def test_the_files_hold_the_figures_of_the_day_in_integer_cents(blackjack: PlayedDays) -> None:
    files = {name: rows(content) for name, content in csv_files(blackjack.gaming_day()).items()}
    expected = recomputed(blackjack)

    assert {row["wager"]: int(row["wagered_cents"]) for row in files["wagers.csv"]} == {
        kind: expected.wagered[kind] for kind in expected.wagers
    }
    assert sum(int(row["paid_cents"]) for row in files["outcomes.csv"]) == expected.paid
    assert sum(int(row["paid_cents"]) for row in files["envy_bonuses.csv"]) == expected.envy
    assert [row["award_cents"] for row in files["awards.csv"]] == ["5000225", "2500187", "2500187"]
    (meter,) = files["meters.csv"]
    assert int(meter["contributed_cent_hundredths"]) == expected.contributed * 100
    assert meter["agrees"] == "yes"


def test_vigorish_balances_in_the_file(baccarat: PlayedDays) -> None:
    entries = {
        row["entry"]: int(row["vigorish_cents"]) for row in rows(csv_files(baccarat.gaming_day())["vigorish.csv"])
    }

    assert entries["owed_before"] + entries["marked"] - entries["collected_later"] == entries["open"]
    assert entries["open_at_position"] == entries["open"]


def test_coins_balance_in_the_file(blackjack: PlayedDays) -> None:
    day = replace(blackjack.gaming_day(), coins=COINS)
    told = [(row["entry"], row["position"], int(row["coins_cents"])) for row in rows(csv_files(day)["coins.csv"])]
    entries = {entry: cents for entry, _, cents in told}

    assert entries["owed_before"] + entries["no_wager"] - entries["returned"] == entries["open"]
    assert told[-1] == ("open_at_position", "3", 500)


def test_t55_times_are_iso_8601_in_the_zone_asked_for(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    here = rows(csv_files(day)["confirmations.csv"])
    there = rows(csv_files(day, ZoneInfo("America/New_York"))["confirmations.csv"])
    times = [datetime.fromisoformat(row["at"]) for row in there]

    assert times == [datetime.fromisoformat(row["at"]) for row in here]
    assert {time.utcoffset() for time in times} == {timedelta(hours=-5)}


def test_one_file_holds_every_row_of_every_table(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    together = rows(csv_file(day))

    for name, content in csv_files(day).items():
        of_table = [row for row in together if f"{row['table']}.csv" == name]
        assert [
            {key: row[key] for key in apart} for row, apart in zip(of_table, rows(content), strict=True)
        ] == rows(content)
    assert len(together) == sum(len(rows(content)) for content in csv_files(day).values())


def test_text_with_commas_quotes_and_line_breaks_survives(blackjack: PlayedDays) -> None:
    day = blackjack.gaming_day()
    said = replace(day.confirmations[0], about='recounted, "twice"\r\nby two')
    (told,) = rows(csv_files(replace(day, confirmations=(said,)))["confirmations.csv"])

    assert told["detail"] == 'recounted, "twice"\r\nby two'


FORMULAS = (
    *("=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "'=1", "''\t=1"),
    *("\uff1d1", "\uff0b1", "\uff0d1", "\uff201"),
)
"""What spreadsheets execute, and what would look like one of ours that was guarded."""
BEGINS_A_FORMULA = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


@pytest.fixture(scope="module")
def day(blackjack: PlayedDays) -> GamingDay:
    return blackjack.gaming_day()


def details(day: GamingDay, *texts: str) -> list[str]:
    """Return these texts as they stand in the file, each as what went wrong."""
    irregularities = tuple(replace(day.irregularities[0], detail=text) for text in texts)
    file = csv_files(replace(day, irregularities=irregularities))["irregularities.csv"]
    return [row["detail"] for row in rows(file)]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_a_formula_to_a_spreadsheet(day: GamingDay, text: str) -> None:
    assert details(day, text) == [f"'{text}"]


@given(texts=st.lists(st.text(st.sampled_from("'=+-@ \t\r\n,\"a1\u00a0\uff1d"), max_size=5), max_size=20))
def test_a_program_that_takes_one_apostrophe_away_reads_every_text_as_it_was_said(
    day: GamingDay, texts: list[str]
) -> None:
    cells = details(day, *texts)

    assert [cell[1:] if GUARDED.match(cell) else cell for cell in cells] == texts
    assert BEGINS_A_FORMULA.isdisjoint(cell.strip()[:1] for cell in cells)


def test_numbers_stay_numbers_below_zero_too(day: GamingDay) -> None:
    owing = replace(day, coins=replace(COINS, open=Cents(-500)))
    (open_,) = [row for row in rows(csv_files(owing)["coins.csv"]) if row["entry"] == "open"]

    assert open_["coins_cents"] == "-500"
