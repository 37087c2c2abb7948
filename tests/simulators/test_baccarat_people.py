from dataclasses import replace
from pathlib import Path

import pytest

from bridge.config.load import load_table
from bridge.domain.confirmations import AmountDeclared, CardIdentified, RoundVoided, VigorishCollected
from bridge.domain.identity import DeviceId
from bridge.domain.settlements import Result
from bridge.domain.table_view import IrregularityKind, Phase, Task
from bridge.table.state import initial_state
from bridge.table.view import view
from simulators.at_table import TableStuckError
from simulators.baccarat_people import BaccaratPeople
from simulators.baccarat_scenario import BaccaratRound
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.hid_pos import LineModeReader
from simulators.running import running
from simulators.scenario import UnreadableCard
from simulators.scenario_keys import SCENARIOS
from simulators.table import SimulatedTable, TableWiringError
from tests.patience import PATIENCE_S
from tests.simulators.boards import FLOOR, Board
from tests.simulators.little_bridge import DEMONSTRATION, LittleBridge, bridged_table

TABLES = DEMONSTRATION.parent


def scripts(table: str, scenario: str) -> tuple[BaccaratRound, ...]:
    return load_baccarat_scenario(SCENARIOS / table / f"{scenario}.toml").rounds


async def played(directory: Path, table: str, *rounds: BaccaratRound) -> LittleBridge:
    async with bridged_table(directory, table=TABLES / f"{table}.toml") as (simulated, bridge):
        people = BaccaratPeople(simulated, bridge, floorperson=FLOOR, pace=0, patience_s=PATIENCE_S)
        for script in rounds:
            await people.play(script)
        return bridge


def results(bridge: LittleBridge, number: int = 0) -> dict[tuple[int, str], Result]:
    _, settlement = bridge.finished[number]
    return {(end.position, end.kind.value): end.result for end in settlement.outcomes}


def irregularities(bridge: LittleBridge) -> set[IrregularityKind]:
    return {irregularity.kind for shown in bridge.views for irregularity in shown.irregularities}


async def test_a_round_is_dealt_settled_and_closed_without_a_floorperson(tmp_path: Path) -> None:
    bridge = await played(tmp_path, "minibaccarat", *scripts("minibaccarat", "naturals"))
    assert results(bridge)[1, "player"] is Result.WIN
    assert {type(said) for said in bridge.confirmed} == {AmountDeclared}
    assert irregularities(bridge) == set()


async def test_hands_dealt_face_down_are_turned_player_first_and_third_cards_come_after(tmp_path: Path) -> None:
    bridge = await played(tmp_path, "baccarat", *scripts("baccarat", "royal_match"))
    asked = [task.detail for shown in bridge.views for task in shown.tasks if task.task is Task.TURN_HANDS]
    assert list(dict.fromkeys(asked)) == ["player, banker", "banker"]
    assert results(bridge)[5, "majestic_match_player"] is Result.WIN
    assert irregularities(bridge) == set()


async def test_the_shoe_is_changed_after_the_cut_card_and_the_vigorish_is_collected(
    tmp_path: Path,
) -> None:
    bridge = await played(tmp_path, "minibaccarat", *scripts("minibaccarat", "vigorish"))
    collected = [said.position for said in bridge.confirmed if isinstance(said, VigorishCollected)]
    assert collected == [2, 5, 7]
    assert (bridge.state.shoe.number, bridge.state.vigorish, irregularities(bridge)) == (2, (), set())


async def test_a_card_of_the_initial_deal_that_is_not_read_is_named_after_it(tmp_path: Path) -> None:
    (script,) = scripts("minibaccarat", "naturals")
    unread = replace(script, unreadable=UnreadableCard(order=2), burned=script.player)
    bridge = await played(tmp_path, "minibaccarat", unread)
    named = [said for said in bridge.confirmed if isinstance(said, CardIdentified)]
    assert [(said.order, said.card) for said in named] == [(4, script.banker[0])], "burned cards count too"
    assert irregularities(bridge) == {IrregularityKind.CARD_UNREAD}


async def test_a_misdeal_is_voided_with_its_reason_when_its_cards_were_seen(tmp_path: Path) -> None:
    bridge = await played(tmp_path, "minibaccarat", scripts("minibaccarat", "misdeal")[0])
    (round_, _), *_ = bridge.finished
    assert [said.reason for said in bridge.confirmed if isinstance(said, RoundVoided)] == ["misdeal"]
    assert round_.voided
    assert sum(len(hand.cards) for hand in round_.hands) == 3
    assert any(shown.phase is Phase.VOIDED for shown in bridge.views)
    assert irregularities(bridge) == set()


async def test_a_round_that_somebody_voids_is_ended_at_the_shoe_and_the_next_played(tmp_path: Path) -> None:
    (script,) = scripts("minibaccarat", "naturals")
    async with bridged_table(tmp_path, table=TABLES / "minibaccarat.toml") as (simulated, bridge):

        async def void() -> None:
            shown = await bridge.until(lambda view: view.phase is Phase.DEALING)
            await bridge.confirm(FLOOR, RoundVoided(round_number=shown.round_number, reason="misdeal"))

        people = BaccaratPeople(simulated, bridge, floorperson=FLOOR, pace=0, patience_s=PATIENCE_S)
        async with running(void(), name="floorperson"):
            await people.play(script)
        await people.play(script)

    assert [round_.voided for round_, _ in bridge.finished] == [True, False]
    assert results(bridge, 1)[1, "player"] is Result.WIN


async def test_a_table_that_never_opens_is_reported_with_its_winner_lamps() -> None:
    config = load_table(TABLES / "minibaccarat.toml")
    board = Board(view(initial_state(config.setup)))
    table = SimulatedTable(config.setup, {}, {})
    people = BaccaratPeople(table, board, floorperson=FLOOR, pace=0, patience_s=0.1)  # type: ignore[arg-type]
    with pytest.raises(TableStuckError, match=r"for open wagers; .* winner lamps are lit at no position"):
        await people.play(scripts("minibaccarat", "naturals")[0])


async def test_a_reader_that_says_nothing_of_hands_cannot_be_dealt_from() -> None:
    config = load_table(TABLES / "minibaccarat.toml")
    table = SimulatedTable(config.setup, {}, {DeviceId("shoe"): LineModeReader({})})
    board = Board(view(initial_state(config.setup)))
    people = BaccaratPeople(table, board, floorperson=FLOOR)  # type: ignore[arg-type]
    with pytest.raises(TableWiringError, match="cards of minibaccarat are drawn from a shoe that says for whom"):
        people._shoe()


async def test_amounts_are_said_by_the_floorperson_where_there_is_no_dealer() -> None:
    config = load_table(TABLES / "minibaccarat.toml")
    board = Board(view(initial_state(config.setup)))
    alone = replace(config.setup, people=config.setup.people[:1])
    said_by = [
        BaccaratPeople(SimulatedTable(setup, {}, {}), board, floorperson=FLOOR)._dealer()  # type: ignore[arg-type]
        for setup in (config.setup, alone)
    ]
    assert said_by == ["dealer-1", FLOOR]
