"""Documents are made in processes of their own, a few at a time, and an error comes back as what to do."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bridge.dashboard.press import (
    NoSuchDocumentError,
    NotMadeError,
    Order,
    Press,
    PressBusyError,
    print_document,
)
from bridge.domain.identity import RoundNumber
from bridge.domain.wagers import BettingPosition
from bridge.reports.formats import Form, Paper
from bridge.reports.wanted import DayWanted, HandPayWanted, MeterSheetWanted, Wanted, sources_of
from tests.reports.days import DAY, PlayedDays
from tests.transports.ports import eventually

Ordering = Callable[[Wanted, Form], Order]


@pytest.fixture
def order(blackjack: PlayedDays, blackjack_storage: Path) -> Ordering:
    sources = sources_of(blackjack.config.setup.table, blackjack_storage, blackjack.config.submission)

    def order(wanted: Wanted, form: Form = Form.PDF) -> Order:
        return Order(sources=sources, wanted=wanted, form=form, paper=Paper.A4, zone="America/New_York")

    return order


class Asked:
    """Is asked for in the place of a document, by another process: it calls a function there."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._call = function, arguments

    def __reduce__(self) -> Any:
        return self._call


def asking(order: Order, function: Callable[..., object], *arguments: object) -> Order:
    return replace(order, wanted=cast("Wanted", Asked(function, *arguments)))


async def test_a_few_are_made_at_a_time_some_wait_and_no_more(order: Ordering) -> None:
    making = Press(asyncio.Event(), at_once=1, waiting_max=2)
    day, sheet = order(DayWanted(day=DAY), Form.CSV), order(MeterSheetWanted(), Form.JSON)
    missing = order(DayWanted(day="2026-12-24"), Form.PDF)
    first, second, third, *others = await asyncio.gather(
        *(making.print(one) for one in (day, missing, sheet, sheet, sheet)), return_exceptions=True
    )

    assert (first, third) == (print_document(day), print_document(sheet))
    assert isinstance(second, NoSuchDocumentError)
    assert "gaming days 2026-11-29 to 2026-11-30, not 2026-12-24" in str(second)
    assert [type(one) for one in others] == [PressBusyError, PressBusyError]


def noted(file: Path) -> Wanted:
    """Note how this process stands behind others."""
    file.write_text(str(os.getpriority(os.PRIO_PROCESS, 0)))
    return MeterSheetWanted()


async def test_the_process_that_makes_documents_comes_after_all_others_and_its_death_is_told(
    order: Ordering, tmp_path: Path
) -> None:
    making, asked, note = Press(asyncio.Event()), order(MeterSheetWanted(), Form.JSON), tmp_path / "note"
    first = await making.print(asked)
    assert first.name.startswith("MS-bj-demo-")
    assert await making.print(asking(asked, noted, note)) == first
    assert int(note.read_text()) >= 10
    assert os.getpriority(os.PRIO_PROCESS, 0) < 10

    with pytest.raises(NotMadeError, match="was ended, as happens when memory runs out"):
        await making.print(asking(asked, os._exit, 1))
    assert await making.print(asked) == first


def endless(begun: Path) -> Wanted:
    """Be made for ever."""
    begun.touch()
    while True:
        pass


async def test_a_dashboard_that_ends_waits_for_no_document(order: Ordering, tmp_path: Path) -> None:
    closing, begun = asyncio.Event(), tmp_path / "begun"
    asked = asking(order(MeterSheetWanted(), Form.JSON), endless, begun)
    making = asyncio.create_task(Press(closing).print(asked))
    await eventually(begun.exists)
    closing.set()

    with pytest.raises(NotMadeError, match="is being stopped"):
        await making


@pytest.mark.parametrize(
    ("wanted", "form", "told"),
    [
        (DayWanted(day="yesterday"), Form.PDF, "not yesterday; write a day as 2026-11-29"),
        (HandPayWanted(round_number=RoundNumber(7), position=BettingPosition(1)), Form.PDF, "not round 7"),
        (MeterSheetWanted(), Form.CSV, "ask for it as PDF or JSON"),
    ],
)
def test_what_there_is_not_is_told_from_what_cannot_be_made(
    order: Ordering, wanted: Wanted, form: Form, told: str
) -> None:
    with pytest.raises(NoSuchDocumentError, match=told):
        print_document(order(wanted, form))


@pytest.mark.parametrize("start", range(0, 120_000, 15_838))
def test_whatever_is_damaged_no_error_gets_out_that_does_not_say_what_to_do(
    order: Ordering, start: int, blackjack_storage: Path
) -> None:
    for file in [one for one in blackjack_storage.rglob("*") if one.is_file()]:
        content = file.read_bytes()
        at = start % len(content)
        damaged = bytes(byte ^ 0xFF for byte in content[at : at + 64])
        file.chmod(0o600)
        file.write_bytes(content[:at] + damaged + content[at + 64 :])
    for wanted in (DayWanted(day=DAY), MeterSheetWanted()):
        with contextlib.suppress(NotMadeError, NoSuchDocumentError):
            assert print_document(order(wanted, Form.JSON)).content


def test_a_disk_that_gives_nothing_is_told_with_what_to_do(
    order: Ordering, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("bridge.reports.documents.made", broken)
    with pytest.raises(
        NotMadeError, match=r"cannot read .*var: Input/output error; let the user of the dashboard"
    ):
        print_document(order(DayWanted(day=DAY), Form.PDF))
