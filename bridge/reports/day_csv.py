"""The report of a gaming day as comma-separated values: headings first, ISO times, integer cents (RFC 4180).

A meter is finer than a cent; its amounts are integer hundredths of one, as their headings say.

Text that a spreadsheet would take for a formula has an apostrophe before it, and so stays text; a program that
reads the file takes one apostrophe away from every cell that begins as ``GUARDED`` does. Numbers stay numbers, the
negative ones too.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, tzinfo
from io import StringIO
from typing import Final

from bridge.domain.gaming_day import GamingDay, Total, WagersAccepted, WagersWithoutOutcome
from bridge.domain.wagers import UnknownAmount, WagerAmount
from bridge.reports.words import iso

_Cell = str | int

_FORMULA: Final = re.compile(r"['\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|'*[\t\r\n]")
"""What begins a formula: also the wide signs of East Asian keyboards, and also behind white space."""
GUARDED: Final = re.compile(rf"'(?:{_FORMULA.pattern})")
"""The beginning of a cell that has an apostrophe more than the text it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvTable:
    """One table of the report; every row has the same keys, which are its headings."""

    name: str
    headings: tuple[str, ...]
    rows: tuple[tuple[_Cell, ...], ...]


def csv_files(day: GamingDay, zone: tzinfo = UTC) -> dict[str, bytes]:
    """Return a file for each table of the report, by its name."""
    return {f"{table.name}.csv": _text(table.headings, table.rows) for table in csv_tables(day, zone)}


def csv_file(day: GamingDay, zone: tzinfo = UTC) -> bytes:
    """Return one file with all tables below each other: the first column names the table a row is of."""
    tables = csv_tables(day, zone)
    headings = ("table", *dict.fromkeys(heading for table in tables for heading in table.headings))
    rows = [
        {"table": table.name, **dict(zip(table.headings, row, strict=True))}
        for table in tables
        for row in table.rows
    ]
    return _text(headings, (tuple(row.get(heading, "") for heading in headings) for row in rows))


def csv_tables(day: GamingDay, zone: tzinfo = UTC) -> tuple[CsvTable, ...]:
    """Return the tables of the report; one without rows keeps its headings."""
    return (
        _day(day, zone),
        CsvTable(
            name="rules",
            headings=("rules_sha256", "approval_references", "rounds_played"),
            rows=tuple((one.digest, " ".join(one.approval_references), one.rounds) for one in day.rules),
        ),
        _wagers("wagers", day.wagers),
        _outcomes(day),
        _wagers("without_outcome", day.without_outcome),
        _meters(day),
        _postings(day, zone),
        _awards(day, zone),
        _envy_bonuses(day),
        _overrides(day, zone),
        _vigorish(day),
        _coins(day),
        *_record_tables(day, zone),
    )


def _day(day: GamingDay, zone: tzinfo) -> CsvTable:
    journal, rounds = day.journal, day.rounds
    return CsvTable(
        name="day",
        headings=(
            *("document", "table_id", "game", "gaming_day", "over", "first_record", "last_record"),
            *("last_record_sha256", "last_record_at", "software", "rounds_played", "rounds_with_wagers"),
            *("rounds_voided", "rounds_open", "first_round", "last_round"),
        ),
        rows=(
            (
                *(day.document, day.table, day.game, day.day, _yes(holds=day.over), journal.first, journal.last),
                *(journal.last_digest, iso(journal.last_at, zone), " ".join(day.software)),
                *(rounds.played, rounds.with_wagers, rounds.voided, rounds.open, rounds.first, rounds.last),
            ),
        ),
    )


def _wagers(name: str, wagers: Iterable[WagersAccepted | WagersWithoutOutcome]) -> CsvTable:
    return CsvTable(
        name=name,
        headings=("wager", "count", "wagered_cents", "wagered_unknown"),
        rows=tuple((one.kind, one.count, *_total(one.amount)) for one in wagers),
    )


def _outcomes(day: GamingDay) -> CsvTable:
    return CsvTable(
        name="outcomes",
        headings=(
            *("wager", "result", "outcome", "odds", "count", "wagered_cents", "wagered_unknown"),
            *("paid_cents", "paid_unknown", "returned_cents", "returned_unknown", "paid_from_meter"),
        ),
        rows=tuple(
            (
                *(one.kind, one.result, one.outcome, one.odds, one.count),
                *(*_total(one.wagered), *_total(one.paid), *_total(one.returned), one.of_meter),
            )
            for one in day.outcomes
        ),
    )


def _meters(day: GamingDay) -> CsvTable:
    return CsvTable(
        name="meters",
        headings=(
            *("progressive", "contributions", "contributed_cent_hundredths", "reserved_cent_hundredths"),
            *("taken_back_cent_hundredths", "posted_cent_hundredths", "held", "held_cent_hundredths"),
            *("awards_won", "awards_posted", "agrees"),
        ),
        rows=tuple(
            (
                *(one.progressive, one.contributions, one.contributed.units, one.reserved.units),
                *(one.taken_back.units, one.posted.units, one.held, one.held_amount.units),
                *(one.awards_won, one.awards_posted, _yes(holds=one.agrees)),
            )
            for one in day.meters
        ),
    )


def _postings(day: GamingDay, zone: tzinfo) -> CsvTable:
    return CsvTable(
        name="postings",
        headings=("at", "progressive", "pool", "reason", "amount_cent_hundredths", "by", "detail"),
        rows=tuple(
            (iso(one.at, zone), one.progressive, one.pool, one.reason, one.amount.units, one.by, one.text)
            for one in day.postings
        ),
    )


def _awards(day: GamingDay, zone: tzinfo) -> CsvTable:
    return CsvTable(
        name="awards",
        headings=(
            *("at", "round", "position", "progressive", "win_number", "among", "award_cents"),
            *("meter_before_cent_hundredths", "meter_after_cent_hundredths", "status"),
        ),
        rows=tuple(
            (
                *(iso(one.hit_at, zone), one.award.round_number, one.award.position, one.award.progressive),
                *(one.award.win_number, one.award.among, one.award.amount, one.award.meter_before.units),
                *(one.meter_after.units, one.award.status),
            )
            for one in day.awards
        ),
    )


def _envy_bonuses(day: GamingDay) -> CsvTable:
    return CsvTable(
        name="envy_bonuses",
        headings=("round", "position", "for_hand_of", "paid_cents"),
        rows=tuple(
            (one.round_number, one.bonus.position, one.bonus.for_hand_of, one.bonus.amount)
            for one in day.envy_bonuses
        ),
    )


def _overrides(day: GamingDay, zone: tzinfo) -> CsvTable:
    return CsvTable(
        name="overrides",
        headings=(
            *("round", "position", "wager", "decided", "decided_paid_cents", "decided_paid_unknown"),
            *("decided_returned_cents", "decided_returned_unknown", "said", "said_paid_cents"),
            *("said_returned_cents", "by", "at", "detail"),
        ),
        rows=tuple(
            (
                *(one.round_number, one.said.position, one.said.wager, one.decided),
                *(*_amount(one.decided_paid), *_amount(one.decided_returned), one.said.result, one.said.paid),
                *(one.said.stake_returned, one.said.by, iso(one.said.at, zone), one.said.reason),
            )
            for one in day.overrides
        ),
    )


def _vigorish(day: GamingDay) -> CsvTable:
    ledger = day.vigorish
    sums = (
        ("owed_before", ledger.owed_before),
        ("marked", ledger.marked),
        ("collected_later", ledger.collected_later),
        ("open", ledger.open),
        ("collected_with_payment", ledger.collected_with_payment),
    )
    return CsvTable(
        name="vigorish",
        headings=("entry", "position", "vigorish_cents", "vigorish_unknown"),
        rows=(
            *((entry, "", *_total(total)) for entry, total in sums),
            *(("open_at_position", position, *_amount(amount)) for position, amount in ledger.open_at),
        ),
    )


def _coins(day: GamingDay) -> CsvTable:
    coins = day.coins
    sums = (
        ("taken", coins.taken),
        ("owed_before", coins.owed_before),
        ("no_wager", coins.no_wager),
        ("returned", coins.returned),
        ("open", coins.open),
    )
    return CsvTable(
        name="coins",
        headings=("entry", "position", "coins_cents"),
        rows=(
            *((entry, "", amount) for entry, amount in sums),
            *(("open_at_position", position, amount) for position, amount in coins.open_at),
        ),
    )


def _record_tables(day: GamingDay, zone: tzinfo) -> tuple[CsvTable, ...]:
    return (
        CsvTable(
            name="irregularities_by_kind",
            headings=("irregularity", "count"),
            rows=tuple((one.kind, one.count) for one in day.irregularities_by_kind),
        ),
        CsvTable(
            name="irregularities",
            headings=("at", "round", "irregularity", "detail"),
            rows=tuple((iso(one.at, zone), one.round_number, one.kind, one.detail) for one in day.irregularities),
        ),
        CsvTable(
            name="confirmations",
            headings=("at", "by", "role", "round", "confirmation", "detail", "refused"),
            rows=tuple(
                (iso(one.at, zone), one.by, one.role, one.round_number, one.kind, one.about, one.refused)
                for one in day.confirmations
            ),
        ),
        CsvTable(
            name="changes",
            headings=("at", "change", "detail"),
            rows=tuple((iso(one.at, zone), one.change, one.detail) for one in day.changes),
        ),
        CsvTable(
            name="disabled",
            headings=("at", "reason", "detail"),
            rows=tuple((iso(one.since, zone), one.reason, one.detail) for one in day.disabled),
        ),
    )


def _text(headings: tuple[str, ...], rows: Iterable[tuple[_Cell, ...]]) -> bytes:
    lines = StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(headings)
    writer.writerows(map(_guarded, row) for row in rows)
    return lines.getvalue().encode()


def _guarded(cell: _Cell) -> _Cell:
    """Return a cell that no spreadsheet executes; people write reasons, and one may be ``=HYPERLINK(...)``."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _total(total: Total) -> tuple[int, int]:
    return total.cents, total.unknown


def _amount(amount: WagerAmount) -> tuple[int, int]:
    return (0, 1) if isinstance(amount, UnknownAmount) else (amount, 0)


def _yes(*, holds: bool) -> str:
    return "yes" if holds else "no"
