"""The reading of every meter on paper, to be signed by those who took it."""

from collections.abc import Iterable
from datetime import UTC, tzinfo

from reportlab.platypus import Flowable, PageBreak

from bridge import __version__
from bridge.domain.meter_records import AwardRecord
from bridge.domain.meter_sheet import MeterOnSheet, MeterSheet
from bridge.domain.meters import MeterReading, NoLimit
from bridge.domain.money import Cents
from bridge.domain.names import outcome_name
from bridge.reports import typeset
from bridge.reports.formats import Paper
from bridge.reports.paper import Imprint, printed, text_width
from bridge.reports.typeset import Column
from bridge.reports.words import amount_in_words, dollars, exact_dollars, moment


def meter_sheet_pdf(sheet: MeterSheet, paper: Paper, zone: tzinfo = UTC) -> bytes:
    """Return the sheet as PDF, each meter on a sheet of its own; times are shown in a zone."""
    width = text_width(paper)
    imprint = Imprint(
        title="Meter reading",
        number=sheet.document,
        about=f"Table {sheet.table}, as of {moment(sheet.read_to, zone)}",
        source=(
            f"Meter store of table {sheet.table}, {sheet.records:,} records, to journal record {sheet.answers:,}"
        ),
        dated=sheet.read_to,
        software=f"table-bridge {__version__}",
    )
    return printed(imprint, lambda: list(_story(sheet, imprint, width, zone)), paper)


def _story(sheet: MeterSheet, imprint: Imprint, width: float, zone: tzinfo) -> Iterable[Flowable]:
    yield typeset.title(imprint, width)
    for place, meter in enumerate(sheet.meters):
        if place:
            yield PageBreak()
        yield from _meter(meter, width, zone)
    yield typeset.signatures(["Read by", "Witness", "Accounting"], width)


def _meter(meter: MeterOnSheet, width: float, zone: tzinfo) -> Iterable[Flowable]:
    reading = meter.reading
    yield from typeset.heading(f"Progressive {reading.progressive}")
    yield typeset.amount(dollars(reading.displayed), amount_in_words(reading.displayed), width)
    yield from typeset.heading("Figures")
    yield typeset.table(
        (
            Column(heading="Figure", share=28),
            Column(heading="What it counts", share=50),
            Column(heading="Reading", share=22, figures=True),
        ),
        list(_figures(reading)),
        width,
    )
    last = meter.last_posting
    yield typeset.note(
        f"Last changed {moment(last.at, zone)} by {last.by}: {outcome_name(last.reason)} of"
        f" {exact_dollars(last.amount)}."
    )
    yield from typeset.listed(
        "Awards that are hit and not over",
        (
            Column(heading="Win no.", share=10, figures=True),
            Column(heading="Table", share=20),
            Column(heading="Round", share=16),
            Column(heading="Position", share=12, figures=True),
            Column(heading="Status", share=20),
            Column(heading="Frozen", share=22, figures=True),
        ),
        [
            (
                *(str(one.win_number), one.table, str(one.round_number), str(one.position)),
                *(outcome_name(one.status), dollars(one.amount)),
            )
            for one in reading.pending
        ],
        width,
    )
    yield from typeset.listed(
        "Last wins, newest first",
        (
            Column(heading="Win no.", share=9, figures=True),
            Column(heading="Hit", share=24),
            Column(heading="Table, round, position", share=28),
            Column(heading="Among", share=8, figures=True),
            Column(heading="Status", share=15),
            Column(heading="Amount", share=16, figures=True),
        ),
        [_win(record, zone) for record in meter.last_awards],
        width,
    )


def _figures(reading: MeterReading) -> Iterable[tuple[str, str, str]]:
    """Yield every figure of a controller (N.J.A.C. 13:69E-1.39A(b), § 605a.7(a))."""
    yield "Current", "on the display, to a hundredth of a cent", exact_dollars(reading.exact)
    yield "In-meter", "qualifying wagers", f"{reading.in_meter:,}"
    yield "Hits", "wins of which not every claim was rejected", f"{reading.hits:,}"
    yield "Wins", "what they come to", dollars(reading.wins)
    yield "Overflow", "above the limit, waits for the next reset", exact_dollars(reading.overflow)
    yield "Reserve", "of the hidden rate, goes into the next reset", exact_dollars(reading.reserve)
    yield "Device-paid", "awards that a device paid itself; none at a live table", dollars(reading.device_paid)
    yield "Attendant-paid", "awards that an attendant paid; never reset", dollars(reading.attendant_paid)
    yield "Cumulative", "both ways of paying together; never reset", dollars(reading.cumulative_paid)
    held = f"{reading.held.count:,} contributions too large to be believed, in no pool"
    yield "Held back", held, exact_dollars(reading.held.amount)
    yield "Base amount", "filed for the first start", dollars(reading.base_amount)
    yield "Reset amount", "filed for after a win", dollars(reading.reset_amount)
    yield "Limit", "filed as the most that is shown", _limit(reading.limit)


def _limit(limit: Cents | NoLimit) -> str:
    return "none" if isinstance(limit, NoLimit) else dollars(limit)


def _win(record: AwardRecord, zone: tzinfo) -> tuple[str, ...]:
    award = record.award
    return (
        str(award.win_number),
        moment(record.hit_at, zone),
        f"{award.table}, {award.round_number}, {award.position}",
        str(award.among),
        outcome_name(award.status),
        dollars(award.amount),
    )
