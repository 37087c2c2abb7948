"""Commands that hand over documents: the slip of an award, the reading of the meters, the report of a day."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import JsonOption, StorageOption, TableFile, table_config
from bridge.domain.identity import RoundNumber
from bridge.domain.wagers import BettingPosition
from bridge.reports.formats import Form, Paper

if TYPE_CHECKING:
    from datetime import tzinfo

    from bridge.reports.wanted import Sources
    from bridge.rules.submission import RulesSubmission

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
    from bridge.reports.documents import made_slip, written

    _zone(zone)
    sources = _sources(table, storage, journal, submission)
    slip = made_slip(sources, RoundNumber(number), BettingPosition(position))
    if as_json:
        _print(written(slip, Form.JSON, paper, zone))
    if to is not None or not as_json:
        _write(to or Path(f"{slip.document}.pdf"), written(slip, Form.PDF, paper, zone), told=not as_json)


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
    from bridge.reports.documents import made_meter_sheet, written

    _zone(zone)
    sheet = made_meter_sheet(_sources(table, storage))
    if as_json:
        _print(written(sheet, Form.JSON, paper, zone))
    if to is not None or not as_json:
        _write(to or Path(f"{sheet.document}.pdf"), written(sheet, Form.PDF, paper, zone), told=not as_json)


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
    from bridge.reports.day_csv import csv_files
    from bridge.reports.documents import made_day, written

    shown_in = _zone(zone)
    report = made_day(_sources(table, storage, journal, submission), day)
    if as_json:
        _print(written(report, Form.JSON, paper, zone))
    if csv is not None and csv.suffix == ".csv":
        _write(csv, written(report, Form.CSV, paper, zone), told=not as_json)
    elif csv is not None:
        for name, content in csv_files(report, shown_in).items():
            _write(csv / name, content, told=not as_json)
    if pdf is not None or not (as_json or csv):
        _write(pdf or Path(f"{report.document}.pdf"), written(report, Form.PDF, paper, zone), told=not as_json)


def _sources(
    table: Path, storage: Path | None, journal: Path | None = None, former: list[Path] | None = None
) -> "Sources":
    from bridge.reports.wanted import sources_of

    config = table_config(table, storage=storage)
    filed = config.submission
    return sources_of(
        config.setup.table, config.storage, filed, journal=journal, former=former_submissions(former)
    )


def former_submissions(files: list[Path] | None) -> "tuple[RulesSubmission, ...]":
    """Return the rules submissions that are given besides the one that is filed now."""
    from bridge.rulebook import load_submission

    return tuple(load_submission(path, deal_order=None) for path in files or ())


def _zone(name: str) -> "tzinfo":
    from bridge.reports.zones import NoSuchZoneError, zone_of

    try:
        return zone_of(name)
    except NoSuchZoneError as error:
        raise typer.BadParameter(str(error), param_hint="--zone") from None


def _print(lines: bytes) -> None:
    sys.stdout.buffer.write(lines)
    sys.stdout.buffer.flush()


def _write(path: Path, content: bytes, *, told: bool) -> None:
    from bridge.reports.hand_over import hand_over

    hand_over(path, content)
    if told:
        typer.echo(str(path))
