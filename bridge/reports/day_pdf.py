"""The report of a gaming day on paper."""

from collections.abc import Iterable
from datetime import UTC, tzinfo

from reportlab.platypus import Flowable

from bridge import __version__
from bridge.domain.gaming_day import ConfirmationOfDay, GamingDay
from bridge.domain.names import outcome_name, plain
from bridge.reports import typeset
from bridge.reports.day_money_pdf import in_brief, money_tables
from bridge.reports.formats import Paper
from bridge.reports.paper import Imprint, printed, text_width
from bridge.reports.typeset import Column
from bridge.reports.words import moment


def day_pdf(day: GamingDay, paper: Paper, zone: tzinfo = UTC) -> bytes:
    """Return the report of a day as PDF; times are shown in a zone."""
    width = text_width(paper)
    imprint = Imprint(
        title="Gaming-day report",
        number=day.document,
        about=f"Table {day.table}, gaming day {day.day}",
        source=(
            f"Journal of table {day.table}, records {day.journal.first} to {day.journal.last},"
            f" SHA-256 {day.journal.last_digest}"
        ),
        dated=day.journal.last_at,
        software=f"table-bridge {__version__}",
    )
    return printed(imprint, lambda: list(_story(day, imprint, width, zone)), paper)


def _story(day: GamingDay, imprint: Imprint, width: float, zone: tzinfo) -> Iterable[Flowable]:
    yield typeset.title(imprint, width)
    if not day.over:
        yield typeset.gap()
        yield typeset.notice([f"This day is not over: figures as of {moment(day.journal.last_at, zone)}"], width)
    yield from _overview(day, width, zone)
    yield from money_tables(day, width, zone)
    yield from _irregularities(day, width, zone)
    yield from _people(day, width, zone)
    yield typeset.signatures(["Pit manager", "Count room", "Internal audit"], width)


def _overview(day: GamingDay, width: float, zone: tzinfo) -> Iterable[Flowable]:
    rounds = day.rounds
    yield from typeset.heading("The day")
    yield typeset.facts(
        [
            ("Table", day.table),
            ("Game", day.game.capitalize()),
            ("Gaming day", day.day),
            ("Last record", moment(day.journal.last_at, zone)),
            ("Software", ", ".join(day.software)),
            ("Rounds played", f"{rounds.played:,}"),
            ("with wagers", f"{rounds.with_wagers:,}"),
            ("voided", f"{rounds.voided:,}"),
            ("still open", f"{rounds.open:,}"),
            ("Round numbers", f"{rounds.first} to {rounds.last}" if rounds.played else "–"),  # noqa: RUF001
        ],
        width,
    )
    yield from typeset.heading("In brief")
    yield typeset.facts(in_brief(day), width)
    yield from typeset.listed(
        "Rules submissions played under",
        (
            Column(heading="SHA-256", share=60, fine=True),
            Column(heading="Layout approval", share=28),
            Column(heading="Rounds", share=12, figures=True),
        ),
        [(one.digest, ", ".join(one.approval_references), f"{one.rounds:,}") for one in day.rules],
        width,
    )


def _irregularities(day: GamingDay, width: float, zone: tzinfo) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Irregularities by kind",
        (Column(heading="Irregularity", share=80), Column(heading="Count", share=20, figures=True)),
        [(outcome_name(one.kind), f"{one.count:,}") for one in day.irregularities_by_kind],
        width,
    )
    if day.irregularities:
        yield from typeset.listed(
            "Irregularities",
            (
                Column(heading="Time", share=24),
                Column(heading="Round", share=13),
                Column(heading="Irregularity", share=24),
                Column(heading="Detail", share=45),
            ),
            [
                (moment(one.at, zone), str(one.round_number), outcome_name(one.kind), plain(one.detail))
                for one in day.irregularities
            ],
            width,
        )


def _people(day: GamingDay, width: float, zone: tzinfo) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Confirmed by people",
        (
            Column(heading="Time", share=24),
            Column(heading="By", share=19),
            Column(heading="Round", share=13),
            Column(heading="What", share=42),
        ),
        [
            (
                moment(one.at, zone),
                f"{one.by}, {one.role.replace('_', ' ')}",
                str(one.round_number),
                _said(one),
            )
            for one in day.confirmations
        ],
        width,
    )
    yield from typeset.listed(
        "Starts, stops and the controller",
        (
            Column(heading="Time", share=24),
            Column(heading="What", share=24),
            Column(heading="Detail", share=50),
        ),
        [(moment(one.at, zone), outcome_name(one.change), plain(one.detail)) for one in day.changes],
        width,
    )
    for found in day.disabled:
        yield typeset.note(
            f"The progressive controller was still disabled by a {outcome_name(found.reason)},"
            f" since {moment(found.since, zone)}: {found.detail}."
        )


def _said(one: ConfirmationOfDay) -> str:
    refused = f"; refused: {plain(one.refused)}" if one.refused else ""
    return (
        f"{outcome_name(one.kind)}: {plain(one.about)}{refused}"
        if one.about
        else f"{outcome_name(one.kind)}{refused}"
    )
