"""Commands that hand over documents: the slip of an award, the reading of the meters, the report of a day."""

import sys
from datetime import UTC, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import JsonOption, StorageOption, TableFile, table_config
from bridge.domain.identity import RoundNumber
from bridge.domain.wagers import BettingPosition
from bridge.reports.formats import Paper

if TYPE_CHECKING:
    from bridge.config import TableConfig
    from bridge.reports.day_figures import Submissions

_NAMED = "Where to; else named by its number."
JournalOption = Annotated[Path | None, typer.Option("--journal", help="A journal elsewhere, such as a copy.")]
FormerOption = Annotated[
    list[Path] | None,
    typer.Option("--submission", metavar="RULES.toml", help="A rules submission of that time; may be repeated."),
]
PaperOption = Annotated[Paper, typer.Option("--paper", help="What is printed on.")]
ZoneOption = Annotated[str, typer.Option("--zone", help="Show times in a zone, such as America/New_York.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("hand-pay")(_hand_pay)
    app.command("meter-sheet")(_meter_sheet)
    app.command("day-report")(_day_report)


def _hand_pay(
    *,
    table: TableFile,
    number: Annotated[int, typer.Option("--round", min=1, help="The round it was won in.")],
    position: Annotated[int, typer.Option(min=1, help="The winning position.")],
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf", help=_NAMED)] = None,
    storage: StorageOption = None,
    journal: JournalOption = None,
    submission: FormerOption = None,
    paper: PaperOption = Paper.LETTER,
    zone: ZoneOption = "UTC",
    as_json: JsonOption = False,
) -> None:
    """Write the slip of an award that is not paid from the table inventory, as PDF or JSON."""
    from bridge.contracts.report_documents import HandPayDocument, write_document
    from bridge.reports.day_figures import submission_of
    from bridge.reports.hand_pay import hand_pay_slip, read_moments
    from bridge.reports.hand_pay_pdf import hand_pay_pdf
    from bridge.reports.meter_books import read_meter_books

    config = table_config(table, storage=storage)
    round_number = RoundNumber(number)
    moments = read_moments(_journal(config, journal), round_number)
    filed = submission_of(moments[-1].round, _submissions(config, submission))
    books = read_meter_books(_meters(config), filed)
    slip = hand_pay_slip(moments, BettingPosition(position), filed, books)
    if as_json:
        _print(write_document(HandPayDocument(slip=slip)))
    if to is not None or not as_json:
        _write(to or Path(f"{slip.document}.pdf"), hand_pay_pdf(slip, paper, _zone(zone)), told=not as_json)


def _meter_sheet(
    *,
    table: TableFile,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf", help=_NAMED)] = None,
    storage: StorageOption = None,
    paper: PaperOption = Paper.LETTER,
    zone: ZoneOption = "UTC",
    as_json: JsonOption = False,
) -> None:
    """Write the reading of every meter, with all the figures of a controller, as PDF or JSON."""
    from bridge.contracts.report_documents import MeterSheetDocument, write_document
    from bridge.reports.meter_books import read_meter_books
    from bridge.reports.meter_sheet import meter_sheet
    from bridge.reports.meter_sheet_pdf import meter_sheet_pdf

    config, shown_in = table_config(table, storage=storage), _zone(zone)
    sheet = meter_sheet(config.setup.table, read_meter_books(_meters(config), config.submission))
    if as_json:
        _print(write_document(MeterSheetDocument(sheet=sheet)))
    if to is not None or not as_json:
        _write(to or Path(f"{sheet.document}.pdf"), meter_sheet_pdf(sheet, paper, shown_in), told=not as_json)


def _day_report(
    *,
    table: TableFile,
    day: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The gaming day.")],
    pdf: Annotated[Path | None, typer.Option(metavar="FILE.pdf", help="Print it to this file.")] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="DIR|FILE.csv", help="A file for each table in a directory, or one file of all."),
    ] = None,
    storage: StorageOption = None,
    journal: JournalOption = None,
    submission: FormerOption = None,
    paper: PaperOption = Paper.LETTER,
    zone: ZoneOption = "UTC",
    as_json: JsonOption = False,
) -> None:
    """Write the report of a gaming day, as PDF, CSV or JSON; without a choice, as PDF named by its number."""
    from bridge.contracts.report_documents import GamingDayDocument, write_document
    from bridge.reports.day_csv import csv_file, csv_files
    from bridge.reports.day_pdf import day_pdf
    from bridge.reports.gaming_day import gaming_day
    from bridge.reports.journal_day import read_day
    from bridge.reports.meter_books import read_meter_books

    config, shown_in = table_config(table, storage=storage), _zone(zone)
    recorded = read_day(_journal(config, journal), day)
    books = read_meter_books(_meters(config), config.submission)
    report = gaming_day(recorded, _submissions(config, submission), books)
    if as_json:
        _print(write_document(GamingDayDocument(day=report)))
    if csv is not None and csv.suffix == ".csv":
        _write(csv, csv_file(report, shown_in), told=not as_json)
    elif csv is not None:
        for name, content in csv_files(report, shown_in).items():
            _write(csv / name, content, told=not as_json)
    if pdf is not None or not (as_json or csv):
        _write(pdf or Path(f"{report.document}.pdf"), day_pdf(report, paper, shown_in), told=not as_json)


def _journal(config: "TableConfig", elsewhere: Path | None) -> Path:
    return elsewhere or config.storage / f"{config.setup.table}.journal"


def _meters(config: "TableConfig") -> Path:
    return config.storage / f"{config.setup.table}.meters"


def _submissions(config: "TableConfig", former: list[Path] | None) -> "Submissions":
    """Return the rules submissions at hand by their digests: the one filed now, and those given besides."""
    from bridge.rulebook import load_submission

    given = [load_submission(path, deal_order=None) for path in former or ()]
    return {one.digest: one for one in (config.submission, *given)}


def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise typer.BadParameter(
            f"{name!r} is no time zone of this machine; write one such as America/New_York", param_hint="--zone"
        ) from None


def _print(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def _write(path: Path, content: bytes, *, told: bool) -> None:
    from bridge.reports.hand_over import hand_over

    hand_over(path, content)
    if told:
        typer.echo(str(path))
