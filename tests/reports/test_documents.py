"""Every document comes out of one piece of code, whoever asks for it, and in every form that it has."""

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from bridge.contracts.report_documents import read_document
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.identity import RoundNumber
from bridge.domain.meter_sheet import MeterSheet
from bridge.domain.wagers import BettingPosition
from bridge.reports.day_figures import MissingSubmissionError
from bridge.reports.documents import Document, as_json, made, made_day, made_meter_sheet, made_slip, written
from bridge.reports.formats import Form, Paper
from bridge.reports.wanted import (
    DayWanted,
    HandPayWanted,
    MeterSheetWanted,
    NoSuchFormError,
    Sources,
    sources_of,
)
from bridge.reports.zones import NoSuchZoneError
from tests.reports.days import DAY, PlayedDays
from tests.reports.sheets import sheets

FOUR = BettingPosition(4)


@pytest.fixture
def sources(blackjack: PlayedDays, blackjack_storage: Path) -> Sources:
    return sources_of(blackjack.config.setup.table, blackjack_storage, blackjack.config.submission)


@pytest.fixture
def won_in(blackjack: PlayedDays) -> RoundNumber:
    return blackjack.numbers()[1]


def every(sources: Sources, won_in: RoundNumber) -> list[Document]:
    return [made_slip(sources, won_in, FOUR), made_day(sources, DAY), made_meter_sheet(sources)]


def test_what_is_wanted_is_made(blackjack: PlayedDays, sources: Sources, won_in: RoundNumber) -> None:
    slip = made(HandPayWanted(round_number=won_in, position=FOUR), sources)
    sheet = made(MeterSheetWanted(), sources)

    assert isinstance(slip, HandPaySlip)
    assert slip.amount == 5_000_225
    assert made(DayWanted(day=DAY), sources) == blackjack.gaming_day()
    assert isinstance(sheet, MeterSheet)
    assert sheet.meters[0].reading == blackjack.books.readings[0]


def test_a_document_is_the_same_value_in_json_and_is_printed_under_its_number(
    sources: Sources, won_in: RoundNumber
) -> None:
    for document in every(sources, won_in):
        line = written(document, Form.JSON, Paper.A4, "UTC")
        told = " ".join(sheets(written(document, Form.PDF, Paper.A4, "America/New_York")))

        assert line == as_json(document) + b"\n"
        assert document in vars(read_document(line.strip())).values()
        assert json.loads(line)["kind"] in {"hand_pay", "gaming_day", "meter_sheet"}
        assert document.document in told
        assert "-0500" in told


def test_a_day_is_a_table_of_values_and_nothing_else_is(sources: Sources, won_in: RoundNumber) -> None:
    slip, day, sheet = every(sources, won_in)
    rows = csv.DictReader(StringIO(written(day, Form.CSV, Paper.LETTER, "UTC").decode(), newline=""))

    assert {"day", "awards", "outcomes"} <= {row["table"] for row in rows}
    for document in (slip, sheet):
        with pytest.raises(NoSuchFormError, match=f"{document.document} is no table of values; ask for it as PDF"):
            written(document, Form.CSV, Paper.LETTER, "UTC")


def test_a_zone_that_there_is_not_is_refused(sources: Sources) -> None:
    with pytest.raises(NoSuchZoneError):
        written(made_meter_sheet(sources), Form.PDF, Paper.LETTER, "Mars/Olympus")


def test_r49_former_rules_have_to_be_at_hand(sources: Sources, won_in: RoundNumber) -> None:
    filed = sources.submission
    later = replace(sources, submission=replace(filed, digest="ab" * 32))
    with pytest.raises(MissingSubmissionError, match=f"{filed.digest}.*--submission FILE"):
        made_slip(later, won_in, FOUR)
    with pytest.raises(MissingSubmissionError):
        made_day(later, DAY)

    assert made_slip(replace(later, former=(filed,)), won_in, FOUR) == made_slip(sources, won_in, FOUR)
