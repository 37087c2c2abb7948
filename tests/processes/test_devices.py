"""Devices that are not there, do not answer, talk nonsense or go away: the table says so, and they come back."""

import fcntl
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp
from bridge.domain.setup import DealerKeyInput, LockOutButton
from bridge.domain.table_view import IrregularityKind, Phase, TableView, Task, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.faults import Cables, Fault, FaultyCable
from simulators.modbus_io import ModbusLine
from tests.brokers import Mosquitto, running_mosquitto
from tests.processes.books import faces, read_books
from tests.processes.table import RunningTable, running_table, scenario

CROWN_TREASURE = scenario("crown_treasure")[0]
POSITION = BettingPosition(4)
PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE
MODULES = ("module-1", "module-2", "module-3", "module-4")


@pytest.fixture
async def broker() -> AsyncIterator[Mosquitto]:
    async with running_mosquitto() as running:
        yield running


def is_ready(status: DeviceStatus) -> bool:
    return status.state is DeviceState.READY


def status_at(view: TableView, position: BettingPosition, wager: WagerKind) -> WagerAreaStatus:
    (found,) = (area.status for area in view.areas if (area.position, area.wager) == (position, wager))
    return found


async def assert_finished(table: RunningTable) -> None:
    """Stop the table; the round that was played must be complete in its journal."""
    await table.daemon.stop()
    books = await read_books(table)
    assert [faces(round_) for round_ in books.closed] == [list(CROWN_TREASURE.initial_deal((POSITION,)))]
    assert table.eyes.lock_let_go == 0


async def test_no_such_port_says_what_to_do_and_is_used_when_it_appears(tmp_path: Path, broker: Mosquitto) -> None:
    async with running_table(tmp_path, broker, start=("rules-worker",)) as table:
        reader = table.simulated.ports["reader"]
        reader.unplug()
        await table.daemon.start()

        status = await table.until_device("card-reader", lambda status: status.state is DeviceState.ABSENT)
        assert status.port == reader.url
        assert "no such port; plug the device in, or correct the port" in status.reason
        view = await table.until_seen(lambda view: view.lost_devices == (DeviceId("card-reader"),), "the others")
        assert not view.locked
        assert [task.detail for task in view.tasks if task.task is Task.REPAIR_DEVICE] == ["card-reader"]

        reader.plug_in()
        await table.until_ready()
        await table.play(CROWN_TREASURE)
        await assert_finished(table)


async def test_t43_a_lock_out_button_that_is_stuck_keeps_the_next_round_locked_until_it_is_let_go(
    tmp_path: Path, broker: Mosquitto
) -> None:
    async with running_table(tmp_path, broker) as table:
        await table.until_ready()
        async with table.simulated.held(LockOutButton()):
            await table.until(table.simulated.locked, "the lock-out")
            await table.people.press(DealerKeyInput(key=DealerKey.ROUND_COMPLETE))
            view = await table.until_seen(
                lambda view: view.phase is Phase.DEALING and "is held down" in table.daemon.words(), "its lock"
            )
            assert view.locked
            assert [task.task for task in view.tasks] == [Task.COMPLETE_ROUND]
            table.simulated.lay_chip(POSITION, WagerKind.BLACKJACK)
            table.simulated.lay_chip(POSITION, PROGRESSIVE)
            await table.simulated.until_sensors_seen()
            assert not table.simulated.lit(Lamp.WAGER_ACCEPTED)
            table.simulated.take_chip(POSITION, WagerKind.BLACKJACK)
            table.simulated.take_chip(POSITION, PROGRESSIVE)
            await table.simulated.until_sensors_seen()
        await table.people.press(DealerKeyInput(key=DealerKey.ROUND_COMPLETE))
        await table.until_seen(lambda view: view.phase is Phase.WAGERS_OPEN and not view.locked, "open wagers")
        await table.play(CROWN_TREASURE)


async def test_a_port_in_use_says_by_whom_and_is_used_when_it_is_free(tmp_path: Path, broker: Mosquitto) -> None:
    async with running_table(tmp_path, broker, start=("rules-worker",)) as table:
        held = os.open(table.simulated.ports["reader"].url, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        await table.daemon.start()

        status = await table.until_device("card-reader", lambda status: status.state is DeviceState.BLOCKED)
        assert "in use by" in status.reason
        assert f"(process {os.getpid()})" in status.reason
        assert "close that, or use another port" in status.reason

        os.close(held)
        await table.until_device("card-reader", is_ready)


async def test_a_silent_device_closes_what_it_serves_and_nothing_else(tmp_path: Path, broker: Mosquitto) -> None:
    async with running_table(tmp_path, broker) as table:
        await table.until_ready()
        line = table.simulated.ports["rs485"].line
        assert isinstance(line, ModbusLine)
        module = line.modules.pop(2)

        status = await table.until_device("module-2", lambda status: status.state is DeviceState.SILENT)
        assert "does not answer" in status.reason or "no answer" in status.reason
        view = await table.until_seen(lambda view: view.lost_devices == (DeviceId("module-2"),), "the loss")
        assert not view.locked
        assert status_at(view, POSITION, PROGRESSIVE) is WagerAreaStatus.CLOSED
        assert status_at(view, POSITION, WagerKind.BLACKJACK) is WagerAreaStatus.AWAITING
        assert [one.kind for one in view.irregularities] == [IrregularityKind.DEVICE_LOST]

        line.modules[2] = module
        await table.until_ready()
        await table.play(CROWN_TREASURE)
        await assert_finished(table)


async def test_T46_a_line_unplugged_before_lock_out_closes_acceptance(tmp_path: Path, broker: Mosquitto) -> None:
    async with running_table(tmp_path, broker) as table:
        await table.until_ready()
        port = table.simulated.ports["rs485"]
        port.unplug()

        for module in MODULES:
            status = await table.until_device(module, lambda status: status.state is DeviceState.ABSENT)
            assert port.url in status.reason
        view = await table.until_seen(lambda view: len(view.lost_devices) == len(MODULES), "the loss of the line")
        assert view.locked
        assert view.acceptance_closed_by == ("module-1 does not answer",)
        assert {area.status for area in view.areas} == {WagerAreaStatus.CLOSED}

        port.plug_in()
        await table.until_ready()
        await table.play(CROWN_TREASURE)
        await assert_finished(table)


@pytest.mark.parametrize("line", ["rs485", "reader"])
async def test_a_line_unplugged_in_mid_round_comes_back_by_itself_and_the_round_goes_on(
    tmp_path: Path, broker: Mosquitto, line: str
) -> None:
    async with running_table(tmp_path, broker) as table:
        port = table.simulated.ports[line]

        async def pull_out_and_put_back(place: int) -> None:
            if place == 3:
                port.unplug()
                await table.until_seen(lambda view: bool(view.lost_devices), "the loss")
                assert table.display.view is not None
                assert table.display.view.locked
                port.plug_in()
                await table.until_ready()

        await table.until_ready()
        table.people.before_card = pull_out_and_put_back

        await table.play(CROWN_TREASURE)

        await assert_finished(table)
        assert "answers again" in table.daemon.words()


async def test_a_module_that_lost_power_in_a_locked_round_is_locked_and_lit_again(
    tmp_path: Path, broker: Mosquitto
) -> None:
    async with running_table(tmp_path, broker) as table:
        await table.until_ready()
        await table.people.wager(CROWN_TREASURE)
        await table.people.press(LockOutButton())
        await table.until_seen(lambda view: view.phase is Phase.NO_MORE_BETS, "no more bets")
        port = table.simulated.ports["rs485"]

        port.unplug()
        port.line.power_cycle()
        assert table.simulated.unlocked()
        port.plug_in()

        await table.until(table.simulated.locked, "the lock-out to be engaged again")
        await table.until(
            lambda: table.simulated.lit(Lamp.WAGER_ACCEPTED) == {POSITION}, "the lamp to be lit again"
        )


async def test_junk_on_both_lines_is_counted_and_changes_nothing(tmp_path: Path, broker: Mosquitto) -> None:
    junk = {Fault.JUNK_BEFORE: 0.05, Fault.GARBLE: 0.03, Fault.SPLIT: 0.1}
    cables = {
        "rs485": Cables(to_host=FaultyCable(seed=1, chances=junk), to_device=FaultyCable(seed=2, chances=junk))
    }
    async with running_table(tmp_path, broker, cables=cables) as table:
        table.simulated.ports["reader"].say(b"\x00\xff\xfe9999\r\n\r\n")
        await table.until_ready()

        await table.play(CROWN_TREASURE)

        noisy = await table.until_device("module-1", lambda status: bool(status.faults))
        assert sum(count for _, count in noisy.faults) > 0
        await assert_finished(table)
