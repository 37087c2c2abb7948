"""Documents from the command line, over the files that whole tables have left."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from bridge.contracts.report_documents import (
    GamingDayDocument,
    HandPayDocument,
    MeterSheetDocument,
    read_document,
)
from tests.cli.program import BLACKJACK, TABLES, run
from tests.reports.days import DAY, PlayedDays, stored
from tests.reports.sheets import sheets

CROWN_TREASURE = 1
MINIBACCARAT = TABLES / "minibaccarat.toml"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def storage(blackjack_storage: Path) -> Path:
    return blackjack_storage


def test_465a_26_the_slip_of_an_award_is_written_as_pdf(blackjack: PlayedDays, storage: Path, here: Path) -> None:
    number = blackjack.numbers()[CROWN_TREASURE]
    result = run("hand-pay", BLACKJACK, "--storage", storage, "--round", number, "--position", 4)
    named = here / f"HP-bj-demo-{number}-4.pdf"

    assert (result.exit_code, result.output) == (0, f"{named.name}\n")
    (told,) = sheets(named.read_bytes())
    assert "$50,002.25" in told


def test_a_slip_goes_where_it_is_wanted_and_prints_for_programs(
    blackjack: PlayedDays, storage: Path, here: Path
) -> None:
    number, file = blackjack.numbers()[CROWN_TREASURE], here / "slips" / "one.pdf"
    asked = ("hand-pay", BLACKJACK, "--storage", storage, "--round", number, "--position", 4)
    (line,) = run(
        *asked, "--to", file, "--paper", "a4", "--zone", "America/New_York", "--json"
    ).stdout.splitlines()
    document = read_document(line.encode())

    assert isinstance(document, HandPayDocument)
    assert document.slip.amount == 5_000_225
    assert "07:00:00 -0500" in sheets(file.read_bytes())[0]
    assert set(here.iterdir()) == {storage, file.parent}
    assert json.loads(run(*asked, "--json").stdout)["kind"] == "hand_pay"


def test_no_award_is_told_with_status_2_and_nothing_is_written(
    blackjack: PlayedDays, storage: Path, here: Path
) -> None:
    for number, position, told in (
        (blackjack.numbers()[0], 1, "no award"),
        (blackjack.numbers()[CROWN_TREASURE], 7, "an award there: 4"),
        (7, 1, "not round 7"),
    ):
        result = run("hand-pay", BLACKJACK, "--storage", storage, "--round", number, "--position", position)
        assert result.exit_code == 2
        assert told in result.stderr or "nothing is decided" in result.stderr
    assert list(here.iterdir()) == [storage]


def test_605a_7_a_the_meters_are_read_onto_a_sheet(blackjack: PlayedDays, storage: Path, here: Path) -> None:
    named = f"MS-bj-demo-{blackjack.books.readings[0].records}.pdf"
    result = run("meter-sheet", BLACKJACK, "--storage", storage)
    (line,) = run("meter-sheet", BLACKJACK, "--storage", storage, "--json").stdout.splitlines()
    document = read_document(line.encode())

    assert (result.exit_code, result.output) == (0, f"{named}\n")
    assert "Attendant-paid" in sheets((here / named).read_bytes())[0]
    assert isinstance(document, MeterSheetDocument)
    assert document.sheet.meters[0].reading == blackjack.books.readings[0]
    assert "no meter" in run("meter-sheet", MINIBACCARAT, "--storage", storage).stderr


def test_a_day_is_reported_as_pdf_csv_and_json(blackjack: PlayedDays, storage: Path, here: Path) -> None:
    pdf, folder, file = here / "day.pdf", here / "tables", here / "day.csv"
    asked = ("day-report", BLACKJACK, "--storage", storage, "--day", DAY)

    assert run(*asked, "--pdf", pdf, "--csv", folder).exit_code == 0
    assert run(*asked, "--csv", file).output == f"{file}\n"
    (line,) = run(*asked, "--json").stdout.splitlines()
    document = read_document(line.encode())

    assert isinstance(document, GamingDayDocument)
    assert document.day == blackjack.gaming_day()
    assert "DR-bj-demo-2026-11-29" in sheets(pdf.read_bytes())[0]
    with (folder / "wagers.csv").open(newline="") as wagers:
        counted = sum(int(row["count"]) for row in csv.DictReader(wagers))
    assert counted == sum(one.count for one in document.day.wagers)
    with file.open(newline="") as rows:
        assert {row["table"] for row in csv.DictReader(rows)} > {"wagers", "awards", "confirmations"}


def test_without_a_choice_a_day_is_printed_under_its_number(baccarat: PlayedDays, here: Path) -> None:
    storage = stored(baccarat, here / "var")
    result = run("day-report", MINIBACCARAT, "--storage", storage, "--day", DAY)

    assert result.output == "DR-mb-demo-2026-11-29.pdf\n"
    assert "Vigorish open $0.50" in " ".join(sheets((here / "DR-mb-demo-2026-11-29.pdf").read_bytes()))


def test_r49_a_day_under_rules_that_changed_since_needs_the_former_document(
    blackjack: PlayedDays, storage: Path, here: Path
) -> None:
    for name in ("blackjack.toml", "blackjack.rules.toml"):
        shutil.copy(TABLES / name, here / name)
    rules = here / "blackjack.rules.toml"
    rules.write_text(rules.read_text().replace("# What this table files", "# What this table filed later"))
    asked = ("day-report", here / "blackjack.toml", "--storage", storage, "--day", DAY, "--json")
    refused = run(*asked)

    assert refused.exit_code == 2
    assert blackjack.config.submission.digest in refused.stderr
    assert "--submission" in refused.stderr
    assert run(*asked, "--submission", TABLES / "blackjack.rules.toml").exit_code == 0


def test_a_day_a_paper_and_a_zone_that_there_is_not_are_wrong_use(storage: Path, here: Path) -> None:
    asked = ("day-report", BLACKJACK, "--storage", storage)
    for words, told in (
        (("--day", "2026-12-24"), "gaming days 2026-11-29 to 2026-11-30"),
        (("--day", DAY, "--paper", "a5"), "'a5' is not one of"),
        (("--day", DAY, "--zone", "Mars/Olympus"), "no time zone"),
        (("--day", DAY, "--zone", "../../etc"), "no time zone"),
    ):
        result = run(*asked, *words)
        assert result.exit_code == 2
        assert told in result.stderr, words
    assert list(here.iterdir()) == [storage]


def test_a_journal_elsewhere_is_read(blackjack: PlayedDays, storage: Path, here: Path) -> None:
    asked = ("day-report", BLACKJACK, "--storage", storage, "--day", DAY, "--json")
    (storage / "bj-demo.journal").unlink()
    shutil.rmtree(storage / "bj-demo.journal.finished")

    assert "there is no journal" in run(*asked).stderr
    assert run(*asked, "--journal", blackjack.journal).exit_code == 0
    assert here.is_dir()
