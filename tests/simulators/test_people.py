import asyncio
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from bridge.config.load import load_table
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.confirmations import (
    CardIdentified,
    Confirmation,
    CountResolved,
    PayoutSignedOff,
    RoundVoided,
)
from bridge.domain.identity import DeviceId, RoundNumber
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.rounds import CountCheck, House
from bridge.domain.settlements import MeterShare, Result
from bridge.domain.table_view import (
    IrregularityKind,
    LampReport,
    LampView,
    NextTask,
    Phase,
    Task,
    WagerArea,
    WagerAreaStatus,
)
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.table.state import initial_state
from bridge.table.view import view
from bridge.wire.modbus_frames import encode_frame
from simulators.at_table import TableStuckError
from simulators.hid_pos import LineModeReader
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.people import LateWagerLitError, People
from simulators.running import running
from simulators.scenario import HoleCardReaderUse, UnreadableCard
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from simulators.shoe import random_rounds
from simulators.table import SimulatedTable
from tests.patience import PATIENCE_S
from tests.simulators.boards import FLOOR, Board
from tests.simulators.little_bridge import DEMONSTRATION, LittleBridge, bridged_table


def people(table: SimulatedTable, bridge: LittleBridge, patience_s: float = PATIENCE_S) -> People:
    return People(table, bridge, floorperson=FLOOR, pace=0, patience_s=patience_s)


async def played(scenario: str, directory: Path) -> LittleBridge:
    """Play a shipped scenario to its end."""
    async with bridged_table(directory) as (table, bridge):
        players = people(table, bridge)
        for round_ in load_scenario(SCENARIOS / f"{scenario}.toml").rounds:
            await players.play(round_)
        return bridge


def outcomes(bridge: LittleBridge, number: int = 0) -> dict[int, tuple[Result, str]]:
    _, settlement = bridge.finished[number]
    return {outcome.position: (outcome.result, outcome.outcome) for outcome in settlement.outcomes}


def irregularities(bridge: LittleBridge) -> set[IrregularityKind]:
    return {irregularity.kind for shown in bridge.views for irregularity in shown.irregularities}


def acts(bridge: LittleBridge) -> list[PayoutAct]:
    return [said.act for said in bridge.confirmed if isinstance(said, PayoutSignedOff)]


def confirmed(bridge: LittleBridge) -> list[type[Confirmation]]:
    return [type(confirmation) for confirmation in bridge.confirmed]


async def test_lost(tmp_path: Path) -> None:
    bridge = await played("lost", tmp_path)
    assert {result for result, _ in outcomes(bridge).values()} == {Result.LOSE}
    assert outcomes(bridge).keys() == {1, 3}
    assert irregularities(bridge) == set()
    assert bridge.confirmed == []


async def test_straight_flush_is_paid_at_once(tmp_path: Path) -> None:
    bridge = await played("straight_flush", tmp_path)
    assert outcomes(bridge)[2] == (Result.WIN, "straight_flush")
    assert outcomes(bridge)[4][0] is Result.LOSE
    assert acts(bridge) == [PayoutAct.VALIDATED]
    assert irregularities(bridge) == set()


async def test_royal_match_is_paid_at_once(tmp_path: Path) -> None:
    bridge = await played("royal_match_at_once", tmp_path)
    assert outcomes(bridge) == {3: (Result.WIN, "royal_match")}
    assert not any(shown.phase is Phase.HOLE_CARD_EXPOSED for shown in bridge.views)


async def test_royal_match_is_deferred_and_paid(tmp_path: Path) -> None:
    bridge = await played("royal_match_deferred", tmp_path)
    assert outcomes(bridge)[1] == (Result.WIN, "royal_match")
    assert any(shown.phase is Phase.HOLE_CARD_EXPOSED for shown in bridge.views)
    assert irregularities(bridge) == set()


async def test_crown_treasure_wins_the_meter_and_its_award_goes_its_way(tmp_path: Path) -> None:
    bridge = await played("crown_treasure", tmp_path)
    assert outcomes(bridge) == {4: (Result.WIN, "crown_treasure")}
    assert outcomes(bridge, 1)[4][0] is Result.LOSE
    assert acts(bridge) == [act for act in PayoutAct if act is not PayoutAct.REJECTED]
    assert [(sign_off.act, sign_off.by) for sign_off in bridge.finished[0][0].sign_offs] == [
        (PayoutAct.HAND_VERIFIED, "dealer-1"),
        (PayoutAct.LAMP_VERIFIED, "floor-1"),
        (PayoutAct.VALIDATED, "floor-1"),
        (PayoutAct.DOCUMENTED, "floor-1"),
        (PayoutAct.PAID, "floor-1"),
        (PayoutAct.RESET, "reset-1"),
    ]
    assert irregularities(bridge) == set()


async def test_T52_a_rejected_claim_is_over_without_its_documents(tmp_path: Path) -> None:
    bridge = await played("rejected_claim", tmp_path)
    assert acts(bridge) == [PayoutAct.HAND_VERIFIED, PayoutAct.LAMP_VERIFIED, PayoutAct.REJECTED]
    assert bridge.finished[0][1].rejected == (4,)
    assert irregularities(bridge) == set()


async def test_two_crown_treasures_share_the_meter_and_owe_envy_bonuses(tmp_path: Path) -> None:
    bridge = await played("two_crown_treasures", tmp_path)
    _, settlement = bridge.finished[0]
    won = {outcome.position: outcome.paid for outcome in settlement.outcomes if outcome.result is Result.WIN}
    assert won.keys() == {1, 4}
    assert all(isinstance(paid, MeterShare) and paid.among == 2 for paid in won.values())
    envies = [(bonus.position, bonus.for_hand_of) for bonus in settlement.envy_bonuses]
    assert sorted(envies) == [(1, 4), (2, 1), (2, 4), (4, 1), (6, 1), (6, 4)]


async def test_late_wager_is_refused(tmp_path: Path) -> None:
    bridge = await played("late_wager", tmp_path)
    assert outcomes(bridge).keys() == {2}
    assert irregularities(bridge) == {IrregularityKind.LATE_WAGER}


async def test_count_differs_and_the_floorperson_resolves_it(tmp_path: Path) -> None:
    bridge = await played("count_differs", tmp_path)
    round_, _ = bridge.finished[0]
    assert round_.count_check is CountCheck.RESOLVED
    assert confirmed(bridge) == [CountResolved]
    assert irregularities(bridge) == {IrregularityKind.COUNT_DIFFERED}


async def test_unreadable_card_is_named_by_the_floorperson(tmp_path: Path) -> None:
    bridge = await played("unreadable_card", tmp_path)
    assert outcomes(bridge)[3] == (Result.WIN, "royal_match")
    assert confirmed(bridge) == [CardIdentified, PayoutSignedOff]
    assert irregularities(bridge) == {IrregularityKind.CARD_UNREAD}


async def test_a_round_that_somebody_else_voids_is_left_off_and_the_next_one_played(tmp_path: Path) -> None:
    (script,) = load_scenario(SCENARIOS / "lost.toml").rounds
    async with bridged_table(tmp_path) as (table, bridge):

        async def void() -> None:
            shown = await bridge.until(lambda view: view.phase is Phase.DEALING)
            await bridge.confirm(FLOOR, RoundVoided(round_number=shown.round_number, reason="misdeal"))

        players = people(table, bridge)
        async with running(void(), name="floorperson"):
            await players.play(script)
        await players.play(script)

    assert [round_.voided for round_, _ in bridge.finished] == [True, False]
    assert outcomes(bridge, 1).keys() == {1, 3}


async def test_random_rounds_are_played_with_the_wagers_and_cards_of_the_script(tmp_path: Path) -> None:
    async with bridged_table(tmp_path) as (table, bridge):
        players = people(table, bridge)
        scripts = list(islice(random_rounds(4, table.setup.deal_order), 5))
        for script in scripts:
            await players.play(script)
    for script, (round_, _) in zip(scripts, bridge.finished, strict=True):
        hands = {hand.holder: [card.card for card in hand.cards] for hand in round_.hands}
        assert hands.pop(House.DEALER) == [script.up_card, script.hole_card]
        assert hands == {position: list(cards) for position, cards in script.hands}
        side = {wager.position for wager in round_.accepted if wager.kind is not WagerKind.BLACKJACK}
        assert side == set(script.progressive)
        assert len(round_.unassigned) == len(script.hits) + len(script.dealer_hits)


async def test_the_hole_card_reader_used_too_early_is_an_irregularity(tmp_path: Path) -> None:
    (script,) = load_scenario(SCENARIOS / "lost.toml").rounds
    async with bridged_table(tmp_path) as (table, bridge):
        early = replace(script, hole_card_reader=HoleCardReaderUse.BEFORE_SETTLEMENT)
        await people(table, bridge).play(early)
    assert irregularities(bridge) == {IrregularityKind.HOLE_CARD_READER_BEFORE_SETTLEMENT}


async def test_a_progressive_wager_without_a_blackjack_wager_is_given_back(tmp_path: Path) -> None:
    (script,) = load_scenario(SCENARIOS / "lost.toml").rounds
    async with bridged_table(tmp_path) as (table, bridge):
        careless = replace(script, progressive=(*script.progressive, BettingPosition(7)))
        await people(table, bridge).play(careless)
    assert outcomes(bridge).keys() == {1, 3}
    assert irregularities(bridge) == {IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER}


async def test_a_round_without_progressive_wagers_is_locked_and_played_all_the_same(tmp_path: Path) -> None:
    (script,) = load_scenario(SCENARIOS / "lost.toml").rounds
    async with bridged_table(tmp_path) as (table, bridge):
        await people(table, bridge).play(replace(script, progressive=()))
    assert outcomes(bridge) == {}
    assert irregularities(bridge) == set()


async def test_a_table_that_reads_cards_as_shown_sees_the_hole_card_when_it_is_turned(tmp_path: Path) -> None:
    demonstration = Path(__file__).parents[2] / "simulators" / "tables"
    for name in ("blackjack.toml", "blackjack.rules.toml"):
        text = (demonstration / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace('"as_drawn"', '"as_shown"'), encoding="utf-8")
    (script,) = load_scenario(SCENARIOS / "royal_match_deferred.toml").rounds
    async with bridged_table(tmp_path, table=tmp_path / "blackjack.toml") as (table, bridge):
        await people(table, bridge).play(script)
    assert outcomes(bridge)[1] == (Result.WIN, "royal_match")
    assert irregularities(bridge) == set()


# --- people in front of a display that a test writes --------------------------------------------------------


class Bench:
    """The demonstration's devices on a line that is polled in memory, and a board."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        config = load_table(DEMONSTRATION)
        self.modules = {number: ModbusIoModule(number) for number in (1, 2, 3, 4)}
        self.line = ModbusLine(self.modules.values())
        devices = {DeviceId(f"module-{number}"): module for number, module in self.modules.items()}
        cards = [Card(rank, suit) for rank in Rank for suit in Suit]
        reader = LineModeReader({card: str(card) for card in cards})
        self.said = bytearray()
        reader.connect(self.said.extend)
        self.table = SimulatedTable(config.setup, devices, {DeviceId("card-reader"): reader})
        self.board = Board(view(initial_state(config.setup)))
        self.board.show(locked=False, areas=(), tasks=())
        self.people = People(self.table, self.board, floorperson=FLOOR, pace=0, patience_s=patience_s)

    async def poll(self) -> None:
        """Ask every module for its inputs, over and over."""
        while True:
            for number in self.modules:
                self.line.receive(encode_frame(number, 2, bytes.fromhex("00000008")), 0)
            await asyncio.sleep(0)

    async def mirror_sensors(self) -> None:
        """Let every acceptance lamp follow its sensor for ever, and the lock its button."""
        while True:
            pressed = self.modules[1].inputs.active & {8}
            locked = self.modules[1].outputs.active & {8}
            self.modules[1].outputs.replace(self.modules[2].inputs.active - {8} | pressed | locked)
            await asyncio.sleep(0)


def signed(act: PayoutAct, position: BettingPosition) -> PayoutSignedOff:
    return PayoutSignedOff(round_number=RoundNumber(1), position=position, act=act)


SOON_S = 0.2
LOST = load_scenario(SCENARIOS / "lost.toml").rounds[0]


async def test_a_table_that_never_opens_is_reported_with_what_its_display_shows() -> None:
    bench = Bench(SOON_S)
    bench.board.show(phase=Phase.AWARD_HELD, tasks=(NextTask(task=Task.DOCUMENT_AWARD),))
    with pytest.raises(TableStuckError) as stuck:
        await bench.people.play(LOST)
    assert str(stuck.value) == (
        "waited 0.2 s for open wagers; the display shows round 1, phase award_held, tasks: document_award; "
        "acceptance lamps are lit at no position; the lock-out is off"
    )


async def test_wagers_are_not_placed_where_the_area_is_closed() -> None:
    bench = Bench(SOON_S)
    closed = WagerArea(
        position=BettingPosition(3), wager=WagerKind.ROYAL_MATCH_PROGRESSIVE, status=WagerAreaStatus.CLOSED
    )
    bench.board.show(areas=(closed,))
    with pytest.raises(TableStuckError, match=r"waited 0\.2 s for open wagers"):
        await bench.people.play(LOST)
    assert all(not module.inputs.active for module in bench.modules.values())


async def test_a_lamp_that_stays_dark_is_reported() -> None:
    bench = Bench(SOON_S)
    async with running(bench.poll(), name="polls"):
        with pytest.raises(TableStuckError, match="for acceptance lamps at 1, 3 and nowhere else"):
            await bench.people.play(LOST)
    assert bench.modules[1].inputs.active == {1, 3, 5}
    assert bench.modules[2].inputs.active == {1, 3}


async def test_a_line_that_is_not_polled_is_reported() -> None:
    bench = Bench(SOON_S)
    with pytest.raises(TableStuckError, match="for the sensors to be polled"):
        await bench.people._see_polled()


async def test_a_late_wager_that_is_acknowledged_is_an_error() -> None:
    bench = Bench()
    async with running(bench.poll(), name="polls"), running(bench.mirror_sensors(), name="lamps"):
        with pytest.raises(LateWagerLitError, match="acknowledged at 5"):
            await bench.people.play(replace(LOST, late=(BettingPosition(5),)))


async def test_a_key_that_nothing_reacts_to_is_pressed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.at_table.AGAIN_AFTER_S", 0.01)
    bench = Bench()
    presses = 0

    async def count_presses() -> None:
        nonlocal presses
        button = bench.modules[1].inputs
        while presses < 3:
            await button.until(lambda active: 8 in active)
            presses += 1
            await button.until(lambda active: 8 not in active)
        bench.modules[1].outputs.replace(frozenset({8}))

    bench.board.show(phase=Phase.DEALING)
    async with running(bench.poll(), name="polls"), asyncio.TaskGroup() as tasks:
        tasks.create_task(count_presses(), name="presses")
        await bench.people._lock_out(LOST, frozenset())
    assert presses == 3


async def test_a_confirmation_that_is_lost_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.at_table.AGAIN_AFTER_S", 0.01)
    bench = Bench()
    bench.board.show(phase=Phase.PLAY, tasks=(NextTask(task=Task.VALIDATE_PAYOUT, positions=LOST.progressive),))

    def lose_the_first(_: Confirmation) -> None:
        if len(bench.board.confirmed) == 4:
            bench.board.show(tasks=())

    bench.board.on_confirm = lose_the_first
    await bench.people._settle_side_wagers(LOST)
    expected = [signed(PayoutAct.VALIDATED, position) for position in LOST.progressive]
    assert bench.board.confirmed == [*expected, *expected]


async def test_633b_18_h_2_nobody_says_that_a_lamp_is_lit_before_it_is_reported_so() -> None:
    bench = Bench(SOON_S)
    lamp = Indicator(BettingPosition(3), Lamp.CROWN_TREASURE)
    dark = LampView(indicator=lamp, wanted=LampState.ON, reported=LampReport.UNKNOWN)
    task = NextTask(task=Task.VERIFY_LAMP, positions=(BettingPosition(3),))
    bench.board.show(phase=Phase.AWARD_HELD, tasks=(task,), lamps=(dark,))
    with pytest.raises(TableStuckError, match="verify_lamp"):
        await bench.people._attend(LOST, "the end", lambda shown: not shown.tasks)
    assert bench.board.confirmed == []

    bench.board.show(lamps=(replace(dark, reported=LampReport.ON),))
    bench.board.on_confirm = lambda _: bench.board.show(tasks=())
    await bench.people._attend(LOST, "the end", lambda shown: not shown.tasks)
    assert bench.board.confirmed == [signed(PayoutAct.LAMP_VERIFIED, BettingPosition(3))]


async def test_a_card_that_somebody_else_has_to_name_is_not_named_by_the_people() -> None:
    bench = Bench(SOON_S)
    script = replace(LOST, unreadable=UnreadableCard(order=2, text="????", identified=False))
    await bench.people._deal(script)
    assert bench.said.startswith(b"Ks\r????\rTc\r9d\r")
    bench.board.show(phase=Phase.MANUAL, tasks=(NextTask(task=Task.IDENTIFY_CARD),))
    with pytest.raises(TableStuckError, match="phase manual, tasks: identify_card"):
        await bench.people._settle_side_wagers(script)
    assert bench.board.confirmed == []


async def test_people_pause_as_their_pace_says(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def note(seconds: float) -> None:
        slept.append(seconds)

    bench = Bench()
    hurried = People(bench.table, bench.board, floorperson=FLOOR, pace=0.5)
    monkeypatch.setattr("simulators.at_table.asyncio.sleep", note)
    await hurried._deal(LOST)
    assert slept == [0.25] * 8


async def test_T45_a_player_whose_chip_is_not_recognised_takes_it_up_and_lays_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("simulators.at_table.AGAIN_AFTER_S", 0.05)
    bench = Bench()
    for position in LOST.progressive:
        bench.table.lay_chip(position, WagerKind.ROYAL_MATCH_PROGRESSIVE)

    async def acknowledge_new_chips() -> None:
        await bench.modules[2].inputs.until(lambda active: active == frozenset())
        await bench.mirror_sensors()

    async with running(bench.poll(), name="polls"), running(acknowledge_new_chips(), name="lamps"):
        await bench.people._see_acknowledged(frozenset(LOST.progressive))
    assert bench.modules[2].inputs.active == set(LOST.progressive)
    assert bench.table.lit(Lamp.WAGER_ACCEPTED) == set(LOST.progressive)
