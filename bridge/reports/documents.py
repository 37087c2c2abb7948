"""Every document of a table: made from its files and its rules, and written down, for whoever asks for it."""

from bridge.contracts.report_documents import (
    GamingDayDocument,
    HandPayDocument,
    MeterSheetDocument,
    write_document,
)
from bridge.domain.gaming_day import GamingDay
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.identity import RoundNumber
from bridge.domain.meter_records import RoundSpan
from bridge.domain.meter_sheet import MeterSheet
from bridge.domain.wagers import BettingPosition
from bridge.reports.day_csv import csv_file
from bridge.reports.day_figures import rounds_told, submission_of
from bridge.reports.day_pdf import day_pdf
from bridge.reports.formats import Form, Paper
from bridge.reports.gaming_day import gaming_day
from bridge.reports.hand_pay import hand_pay_slip, read_moments
from bridge.reports.hand_pay_pdf import hand_pay_pdf
from bridge.reports.journal_day import read_day
from bridge.reports.meter_books import read_meter_books
from bridge.reports.meter_sheet import read_meter_sheet
from bridge.reports.meter_sheet_pdf import meter_sheet_pdf
from bridge.reports.wanted import DayWanted, HandPayWanted, MeterSheetWanted, NoSuchFormError, Sources, Wanted
from bridge.reports.zones import zone_of

Document = HandPaySlip | GamingDay | MeterSheet


def made(wanted: Wanted, sources: Sources) -> Document:
    """Return a document; raise the error of whatever it lacks, which says what to do."""
    match wanted:
        case HandPayWanted(round_number=number, position=position):
            return made_slip(sources, number, position)
        case DayWanted(day=day):
            return made_day(sources, day)
        case MeterSheetWanted():
            return made_meter_sheet(sources)


def made_slip(sources: Sources, number: RoundNumber, position: BettingPosition) -> HandPaySlip:
    """Return the slip of an award.

    Raise ``NoSuchAwardError``, ``MissingSubmissionError``, ``JournalError`` or ``MeterStoreError``.
    """
    moments = read_moments(sources.journal, number)
    filed = submission_of(moments[-1].round, sources.submissions)
    span = RoundSpan(table=sources.table, first=number, last=number)
    return hand_pay_slip(moments, position, filed, read_meter_books(sources.meters, filed, span))


def made_day(sources: Sources, day: str) -> GamingDay:
    """Return the report of a gaming day.

    Raise ``NoSuchDayError``, ``MissingSubmissionError``, ``JournalError`` or ``MeterStoreError``.
    """
    recorded = read_day(sources.journal, day)
    played = rounds_told(recorded.rounds)
    span = RoundSpan(table=sources.table, first=played.first, last=played.last)
    return gaming_day(recorded, sources.submissions, read_meter_books(sources.meters, sources.submission, span))


def made_meter_sheet(sources: Sources) -> MeterSheet:
    """Return the reading of every meter; raise ``NoMetersError`` or ``MeterStoreError``."""
    return read_meter_sheet(sources.table, sources.meters, sources.submission)


def written(document: Document, form: Form, paper: Paper, zone: str) -> bytes:
    """Return a document as the content of a file; paper and zone count where the form shows them.

    Raise ``NoSuchZoneError`` or ``NoSuchFormError``.
    """
    shown_in = zone_of(zone)
    match form, document:
        case Form.JSON, _:
            return as_json(document) + b"\n"
        case Form.PDF, HandPaySlip():
            return hand_pay_pdf(document, paper, shown_in)
        case Form.PDF, GamingDay():
            return day_pdf(document, paper, shown_in)
        case Form.PDF, MeterSheet():
            return meter_sheet_pdf(document, paper, shown_in)
        case Form.CSV, GamingDay():
            return csv_file(document, shown_in)
        case _:
            raise NoSuchFormError(f"{document.document} is no table of values; ask for it as PDF or JSON")


def as_json(document: Document) -> bytes:
    """Return a document as one line of JSON, without its end."""
    match document:
        case HandPaySlip():
            return write_document(HandPayDocument(slip=document))
        case GamingDay():
            return write_document(GamingDayDocument(day=document))
        case MeterSheet():
            return write_document(MeterSheetDocument(sheet=document))
