import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from bridge.demo.parts import (
    RECENT,
    area,
    dealer_steps,
    face,
    irregularities,
    lamp_at,
    lamp_shown,
    next_tasks,
    panel,
    too_small,
    without_felt,
)
from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.identity import Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.table_view import (
    Irregularity,
    IrregularityKind,
    LampReport,
    LampView,
    NextTask,
    Phase,
    TableView,
    Task,
    WagerArea,
    WagerAreaStatus,
)
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.table.view import view
from tests.dashboard.moments import baccarat_at, heard
from tests.demo.moments import Moment, two_crown_treasures
from tests.processes.table import scenario

ONE, TWO = BettingPosition(1), BettingPosition(2)
WINNER = Indicator(ONE, Lamp.WINNER)


def a_view() -> TableView:
    return view(Moment(scenario("lost")[0]).play.state)


def text_of(shown: RenderableType) -> str:
    console = Console(file=StringIO(), record=True, width=80, force_terminal=True)
    console.print(shown)
    return console.export_text()


@pytest.mark.parametrize(
    ("wanted", "reported", "shown"),
    [
        (LampState.ON, LampReport.ON, "●"),
        (LampState.OFF, LampReport.OFF, "·"),
        (LampState.ON, LampReport.OFF, "✗"),
        (LampState.OFF, LampReport.ON, "●"),
        (LampState.ON, LampReport.UNKNOWN, "?"),
    ],
)
def test_t49_a_lamp_is_shown_as_its_device_reports_it_and_a_difference_stands_out(
    wanted: LampState, reported: LampReport, shown: str
) -> None:
    text = lamp_shown(LampView(indicator=WINNER, wanted=wanted, reported=reported), "●")
    assert text.plain == shown
    assert ("red" in str(text.style)) is (wanted.value != reported.value)


async def test_a_lamp_that_is_not_connected_takes_its_room() -> None:
    assert lamp_shown(None, "CT").plain == "  "
    seen = replace(a_view(), lamps=(LampView(indicator=WINNER, wanted=LampState.ON, reported=LampReport.ON),))
    assert lamp_at(seen, ONE, Lamp.WINNER) == seen.lamps[0]
    assert lamp_at(seen, TWO, Lamp.WINNER) is None


@pytest.mark.parametrize(
    ("card", "shown"), [(Card.parse("Th"), "T♥"), (UnseenCard.HIDDEN, "▒▒"), (UnseenCard.UNREAD, "??")]
)
def test_a_card_is_shown_as_far_as_it_may_be_known(card: FaceOrUnseen, shown: str) -> None:
    assert face(card).plain == shown


@pytest.mark.parametrize(
    ("status", "shown"), [(WagerAreaStatus.ACCEPTED, "accepted"), (WagerAreaStatus.NOT_RECOGNISED, "refused")]
)
async def test_an_area_says_what_it_means(status: WagerAreaStatus, shown: str) -> None:
    seen = replace(a_view(), areas=(WagerArea(position=ONE, wager=WagerKind.TIE, status=status),))
    assert area(seen, ONE, WagerKind.TIE).plain == shown
    assert area(seen, TWO, WagerKind.TIE).plain == "-"


async def test_what_is_to_be_done_says_where_and_what_for() -> None:
    tasks = (NextTask(task=Task.COLLECT_VIGORISH, positions=(ONE, TWO)), NextTask(task=Task.DEAL, detail="so"))
    text = text_of(next_tasks(replace(a_view(), tasks=tasks, phase=Phase.DEALING)))
    assert "at 1, 2" in text
    assert "Deal (so)" in text


async def test_the_newest_irregularities_are_shown_and_the_older_ones_counted() -> None:
    found = tuple(
        Irregularity(kind=IrregularityKind.LATE_WAGER, at=Timestamp(number), detail=f"number {number}")
        for number in range(RECENT + 2)
    )
    text = text_of(irregularities(replace(a_view(), irregularities=found), RECENT))
    assert "and 2 before these" in text
    assert "number 1" not in text
    assert f"number {RECENT + 1}" in text
    assert "none" in text_of(irregularities(replace(a_view(), irregularities=()), 1))


def test_a_panel_has_its_title() -> None:
    assert "Shoe" in text_of(panel("Shoe", "content"))


async def test_a_terminal_without_room_for_the_felt_says_what_is_to_be_done_and_how_much_room_the_rest_takes() -> (
    None
):
    display = await two_crown_treasures()
    console = Console(file=StringIO(), record=True, width=40, height=16, force_terminal=True)

    assert too_small(console)
    console.print(without_felt(display, "Royal Match progressive"))
    text = " ".join(console.export_text().replace("│", " ").split())
    for words in (
        "Held: an award is being documented",
        "Verify the winning hand of the award, and keep",
        "72 columns",
    ):
        assert words in text

    assert not too_small(Console(file=StringIO(), width=80, height=24))


async def test_steps_of_several_wagers_say_which_one_each_is_of(tmp_path: Path) -> None:
    known = heard((await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT))[1])
    text = text_of(dealer_steps(known))

    assert re.search(r"pay \S+, dragon 7 +Dragon 7", text)
