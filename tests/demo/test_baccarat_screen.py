import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.contracts.author import Author
from bridge.contracts.envelopes import Envelope, SettlementEnvelope, TableEnvelope
from bridge.demo.baccarat_screen import baccarat_screen
from bridge.demo.display import TableDisplay
from bridge.domain.identity import PersonId, TableId, Timestamp
from bridge.domain.money import Cents
from bridge.domain.settlements import Override, Result
from bridge.domain.table_view import Phase, TableView, Task, WagerArea, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.scenario_keys import SCENARIOS
from tests.simulators.little_bridge import DEMONSTRATION
from tests.whole_table import whole

WIDTH, HEIGHT = 100, 34


def a_display() -> TableDisplay:
    clock = SystemClock()
    author = Author("display", clock)
    bus = MemoryBus(MemoryBroker(), client_id="d", subscriptions=(), will=None, birth=None, clock=clock)
    return TableDisplay(TableId("t"), bus=bus, author=author, clock=clock)


def drawn(display: TableDisplay) -> str:
    console = Console(file=StringIO(), record=True, width=WIDTH, height=HEIGHT, force_terminal=True)
    console.print(baccarat_screen(display, "Minibaccarat"), height=HEIGHT)
    return console.export_text()


async def played(folder: Path, table: str, scenario: str) -> list[Envelope]:
    (script, *_) = load_baccarat_scenario(SCENARIOS / table / f"{scenario}.toml").rounds
    async with whole(folder, load_table(DEMONSTRATION.parent / f"{table}.toml")) as there:
        await there.baccarat_people.play(script)
        return there.envelopes()


def moments(envelopes: list[Envelope]) -> Iterator[tuple[TableView, str]]:
    """Yield what a table said of itself, each time with the screen as it was then."""
    display = a_display()
    for envelope in envelopes:
        display.take(envelope)
        if isinstance(envelope, TableEnvelope):
            yield envelope.view, drawn(display)


def last_in(envelopes: list[Envelope], phase: Phase) -> str:
    return [text for view, text in moments(envelopes) if view.phase is phase][-1]


async def test_a_table_that_has_said_nothing_is_being_set_up() -> None:
    assert "being set up" in drawn(a_display())


async def test_the_result_is_shown_with_point_counts_announcement_wagers_and_the_steps_in_order(
    tmp_path: Path,
) -> None:
    envelopes = await played(tmp_path, "minibaccarat_ez", "dragon_7")
    text = last_in(envelopes, Phase.RESULT)
    assert "Player's Hand  K♠ K♦ T♣   Point Count 0" in text
    assert "Banker's Hand  K♥ 3♠ 4♦   Point Count 7" in text
    assert "“Player 0, Banker 7: Banker wins, Dragon 7”" in text
    rows = [" ".join(line.replace("│", " ").split()) for line in text.splitlines()]
    assert "1 · Player accepted 25.00 banker won" in rows
    assert "2 ● Banker accepted 10.00 dragon 7, returned" in rows
    assert "Dragon 7 accepted 5.00 dragon 7 40 to 1 200.00" in rows
    assert "Golden Talons, Banker accepted 5.00 win by 7 6 to 1 30.00" in rows
    steps = [text.index(step) for step in ("7  collect", "1  collect", "3  pay 30.00", "2  pay 200.00")]
    assert steps == sorted(steps)


async def test_cards_that_lie_face_down_have_no_point_count_and_nothing_is_announced(tmp_path: Path) -> None:
    envelopes = await played(tmp_path, "baccarat", "royal_match")
    turning = [text for view, text in moments(envelopes) if Task.TURN_HANDS in {one.task for one in view.tasks}]
    assert "Player's Hand  ▒▒ ▒▒ " in turning[0]
    assert "Point Count" not in turning[0]
    assert "Nothing is announced yet" in turning[0]
    assert "Banker's Hand  ▒▒ ▒▒ " in turning[-1]
    assert "Player's Hand  K♦ Q♦   Point Count 0" in turning[-1]


async def test_vigorish_that_is_owed_and_the_end_of_the_shoe_are_shown(tmp_path: Path) -> None:
    envelopes = await played(tmp_path, "minibaccarat", "vigorish")
    texts = [text for view, text in moments(envelopes) if len(view.vigorish_owed) == 3]
    for words in ("Shoe 1", "the cut card was reached", "2  owes 1.00", "5  owes 0.50", "7  owes 0.50"):
        assert words in texts[0]
    assert "Collect the marked vigorish" in " ".join(texts[0].split())
    final = list(moments(envelopes))[-1][1]
    assert "Shoe 2" in final
    assert "no vigorish is owed" in final


async def test_a_card_of_no_hand_and_an_amount_that_is_not_known_are_shown(tmp_path: Path) -> None:
    extra = last_in(await played(tmp_path / "a", "minibaccarat", "extra_card"), Phase.RESULT)
    assert "of no hand 9♥" in extra
    envelopes = await played(tmp_path / "b", "minibaccarat", "late_wager")
    assert "banker won 1 to 1" in last_in(envelopes, Phase.RESULT)
    assert any(re.search(r"3 +· +Tie +refused", text) for _, text in moments(envelopes))
    assert re.search(r"Banker +accepted +\? +banker won 1 to 1 +\?", last_in(envelopes, Phase.RESULT))


async def test_T50_an_overridden_wager_is_shown_as_the_floorperson_says(tmp_path: Path) -> None:
    envelopes = await played(tmp_path, "minibaccarat_ez", "dragon_7")
    display = a_display()
    for envelope in envelopes:
        display.take(envelope)
        if isinstance(envelope, SettlementEnvelope) and envelope.complete:
            break
    assert display.settlement is not None
    override = Override(
        position=BettingPosition(1),
        wager=WagerKind.PLAYER,
        result=Result.PUSH,
        paid=Cents(0),
        stake_returned=Cents(25_00),
        by=PersonId("floor-1"),
        at=Timestamp(0),
        reason="misdealt",
    )
    said = replace(display.settlement.settlement, overrides=(override,))
    display.settlement = display.settlement.model_copy(update={"settlement": said})

    assert re.search(r"Player +accepted +25\.00 +overridden: returned", drawn(display))


async def test_a_voided_round_shows_that_wagers_are_returned(tmp_path: Path) -> None:
    text = last_in(await played(tmp_path, "minibaccarat", "misdeal"), Phase.VOIDED)
    assert text.count("voided, returned") == 3
    assert "Return the wagers" in text


@pytest.mark.parametrize(("wagers", "more"), [(16, ""), (20, "… and 4 more")])
async def test_more_wagers_than_there_is_room_for_are_counted(wagers: int, more: str) -> None:
    display = a_display()
    kinds = (WagerKind.PLAYER, WagerKind.TIE)
    areas = tuple(
        WagerArea(
            position=BettingPosition(number // 2 + 1), wager=kinds[number % 2], status=WagerAreaStatus.PLACED
        )
        for number in range(wagers)
    )
    display.view = replace(empty_view(), areas=areas, vigorish_owed=((BettingPosition(3), UnknownAmount.UNKNOWN),))
    text = drawn(display)
    assert text.count("placed") == 16
    assert more in text
    assert "3  owes ?" in text


def empty_view() -> TableView:
    return TableView(
        table=TableId("t"),
        round_number=1,  # type: ignore[arg-type]
        phase=Phase.WAGERS_OPEN,
        locked=False,
        acceptance_closed_by=(),
        areas=(),
        lamps=(),
        irregularities=(),
        tasks=(),
        lost_devices=(),
        vigorish_owed=((BettingPosition(1), Cents(5)),),
    )
