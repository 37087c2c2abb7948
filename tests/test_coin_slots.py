"""Coin slots at a whole table: from the coin in the acceptor to meter, ledger and the report of the day."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bridge.contracts.envelopes import RoundEnvelope, TableEnvelope
from bridge.domain.confirmations import CoinsReturned
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import WagerPlaced, WagerReportLost
from bridge.domain.gaming_day import CoinLedger
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp
from bridge.domain.money import Cents
from bridge.domain.setup import DealerKeyInput, LockOutButton
from bridge.domain.table_view import IrregularityKind, Task
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.reports.journal_day import read_day
from simulators.cctalk_acceptor import CctalkLine, CoinAcceptor
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from tests.one_process import FLOOR
from tests.patience import PATIENCE_S
from tests.tables_written import Draft
from tests.transports.ports import eventually
from tests.whole_table import Whole, whole

PROGRESSIVE, BLACKJACK = WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.BLACKJACK
TWO, FIVE = BettingPosition(2), BettingPosition(5)


def slotted() -> Draft:
    """The demonstration's table with a coin slot at each position; the acceptors' lock is the only one."""
    draft = Draft()
    draft.take("outputs", role="lock")
    for entry in draft.sensors("royal_match_progressive"):
        draft.add(
            f"slot-{entry['position']}",
            "cctalk_acceptor",
            line="slots",
            address=entry["position"] + 1,
            inputs=[{**entry, "role": "coin_slot", "cents": 500}],
            outputs=[{"role": "lock"}],
            parameters={"coin_id": "US500", "read_back_ms": 20},
        )
    return draft


@asynccontextmanager
async def open_slots(folder: Path) -> AsyncIterator[Whole]:
    """A table with coin slots that takes wagers."""
    async with whole(folder, slotted().load(folder)) as table, asyncio.timeout(PATIENCE_S):
        await eventually(lambda: not table.parts.daemon.state.lost)
        await table.simulated.until(table.simulated.unlocked)
        yield table


def acceptor(table: Whole, position: int) -> CoinAcceptor:
    device = table.simulated.devices[DeviceId(f"slot-{position}")]
    assert isinstance(device, CoinAcceptor)
    return device


async def lock_out(table: Whole) -> None:
    async with table.simulated.held(LockOutButton()):
        await table.simulated.until(table.simulated.locked)


async def test_633b_18_d_2_no_acceptor_takes_a_coin_after_lock_out_not_even_one_that_lost_its_power(
    tmp_path: Path,
) -> None:
    async with open_slots(tmp_path) as table:
        slot, line = acceptor(table, 2), table.ports["slots"].line
        assert isinstance(line, CctalkLine)
        table.simulated.lay_chip(TWO, BLACKJACK)
        assert slot.drop_coin(1)
        await table.simulated.until(lambda: table.simulated.lit(Lamp.WAGER_ACCEPTED) == {2})
        await lock_out(table)
        assert not slot.drop_coin(1), "handed back"

        line.power_cycle()
        assert slot.outputs.active == frozenset(), "an acceptor comes up with its master inhibit released"
        await table.simulated.until(table.simulated.locked)
        await eventually(lambda: not table.parts.daemon.state.lost)
        assert not slot.drop_coin(1)
        accepted = table.parts.daemon.state.round.accepted
        assert [(one.position, one.kind, one.amount) for one in accepted[1:]] == [(2, PROGRESSIVE, 500)]
        assert table.parts.daemon.state.coins_owed == ()


async def test_T43_a_coin_that_dropped_before_the_lock_reached_its_acceptor_is_owed_until_it_is_returned(
    tmp_path: Path,
) -> None:
    async with open_slots(tmp_path) as table:
        state = table.parts.daemon
        for position in (TWO, FIVE):
            table.simulated.lay_chip(position, BLACKJACK)
        acceptor(table, 2).drop_coin(1)
        await table.simulated.until(lambda: table.simulated.lit(Lamp.WAGER_ACCEPTED) == {2})
        acceptor(table, 5).answering = False
        await eventually(lambda: DeviceId("slot-5") in state.state.lost)
        acceptor(table, 5).outputs.replace(frozenset())
        assert acceptor(table, 5).drop_coin(1), "the lock does not reach it"
        async with table.simulated.held(LockOutButton()):
            await eventually(lambda: state.state.round.locked)
        acceptor(table, 5).answering = True
        await eventually(lambda: state.state.coins_owed == ((FIVE, 500),))

        await table.parts.until_quiet()
        view = [one.view for one in table.envelopes() if isinstance(one, TableEnvelope)][-1]
        assert view.coins_owed == ((FIVE, 500),)
        (task,) = [task for task in view.tasks if task.task is Task.RETURN_COINS]
        assert (task.positions, task.detail) == ((FIVE,), "5.00 at position 5")
        assert [wager.position for wager in state.state.round.accepted if wager.kind is PROGRESSIVE] == [2]
        assert table.simulated.lit(Lamp.WAGER_ACCEPTED) == {2}, "the late coin stays dark"
        number = state.state.round.number
        await table.parts.say(CoinsReturned(round_number=number, position=FIVE, amount=Cents(500)), by=FLOOR)
        assert state.state.coins_owed == ()
        (reading,) = await table.parts.meters.readings()
        assert str(reading.exact) == "50,000.7500", "it contributed nothing"

        await table.parts.stop_daemon()
        day = read_day(tmp_path / "journal", "2026-11-29")
        assert [one.kind for one in day.irregularities if one.kind is not IrregularityKind.DEVICE_LOST] == [
            IrregularityKind.LATE_WAGER,
            IrregularityKind.COIN_NOT_A_WAGER,
        ]
        assert day.irregularities[-1].detail == "5.00 was taken at position 5 and is no wager: return it"
        assert day.coins == CoinLedger(
            taken=Cents(1_000),
            owed_before=Cents(0),
            no_wager=Cents(500),
            returned=Cents(500),
            open=Cents(0),
            open_at=(),
        )
        (said,) = day.confirmations
        assert (said.kind, said.by, said.about) == ("coins_returned", FLOOR, "position 5, amount $5.00")


async def test_a_coin_wager_is_played_to_its_end_and_the_next_round_begins_with_empty_slots(
    tmp_path: Path,
) -> None:
    lost = load_scenario(SCENARIOS / "lost.toml").rounds[0]
    async with open_slots(tmp_path) as table:
        await table.people.play(lost)
        assert [area.taken for area in table.parts.daemon.state.areas if area.taken] == []
        await table.people.play(lost)
        rounds = {one.round.number: one.round for one in table.envelopes() if isinstance(one, RoundEnvelope)}
        accepted = [
            [wager.amount for wager in one.accepted if wager.kind is PROGRESSIVE]
            for one in rounds.values()
            if one.locked
        ]
        assert accepted == [[500] * len(lost.progressive)] * 2
        taken = [event for event in table.parts.journalled() if isinstance(event, WagerPlaced) and event.taken]
        assert len(taken) == 2 * len(lost.progressive)
        assert table.parts.daemon.state.coins_owed == ()


async def test_T46_coins_that_an_acceptor_counted_and_cannot_tell_are_an_irregularity(tmp_path: Path) -> None:
    async with open_slots(tmp_path) as table:
        slot = acceptor(table, 2)
        slot.answering = False
        await eventually(lambda: DeviceId("slot-2") in table.parts.daemon.state.lost)
        slot.outputs.replace(frozenset())
        for _ in range(7):
            assert slot.drop_coin(1)
        slot.answering = True
        await eventually(lambda: any(isinstance(one, WagerReportLost) for one in table.parts.journalled()))
        await eventually(lambda: table.parts.daemon.state.coins_owed == ((TWO, 4 * 500),))
        assert [area.taken for area in table.parts.daemon.state.areas if area.taken] == [500], "five are told"
        lost = [
            one.detail
            for one in table.parts.daemon.state.irregularities
            if one.kind is IrregularityKind.WAGER_REPORT_LOST
        ]
        assert len(lost) == 1
        assert lost[0].startswith("slot-2: ")


async def test_633b_18_e_a_coin_without_a_blackjack_wager_is_owed_when_the_table_locks(tmp_path: Path) -> None:
    async with open_slots(tmp_path) as table:
        acceptor(table, 5).drop_coin(1)
        await eventually(lambda: any(area.taken for area in table.parts.daemon.state.areas))
        await lock_out(table)
        await eventually(lambda: table.parts.daemon.state.coins_owed == ((FIVE, 500),))
        async with table.simulated.held(DealerKeyInput(key=DealerKey.ROUND_COMPLETE)):
            await eventually(lambda: not table.parts.daemon.state.round.locked)
        assert table.parts.daemon.state.coins_owed == ((FIVE, 500),), "it outlives its round"
