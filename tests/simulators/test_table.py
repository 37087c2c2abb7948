import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.config.load import load_table
from bridge.demo.stage import table_lines
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp
from bridge.domain.setup import DealerKeyInput, HoleCardReaderInput, LockOutButton
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.wire.modbus_frames import decode_frame, encode_frame
from simulators.hid_pos import LineModeReader
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.running import running
from simulators.table import SimulatedTable, TableWiringError, simulated_table
from simulators.table_ports import Hosting
from tests.simulators.little_bridge import DEMONSTRATION

CONFIG = load_table(DEMONSTRATION)
THREE, NINE = BettingPosition(3), BettingPosition(9)
BLACKJACK, PROGRESSIVE = WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE


def wired() -> tuple[SimulatedTable, dict[int, ModbusIoModule]]:
    modules = {number: ModbusIoModule(number) for number in (1, 2, 3, 4)}
    devices = {DeviceId(f"module-{number}"): module for number, module in modules.items()}
    return SimulatedTable(CONFIG.setup, devices, {}, seen_polls=2), modules


def test_chips_cover_the_sensors_that_the_wiring_says() -> None:
    table, modules = wired()
    table.lay_chip(THREE, BLACKJACK)
    table.lay_chip(THREE, PROGRESSIVE)
    assert modules[1].inputs.active == {3}
    assert modules[2].inputs.active == {3}
    table.take_chip(THREE, BLACKJACK)
    assert modules[1].inputs.active == frozenset()


def test_an_area_without_a_sensor_is_refused() -> None:
    with pytest.raises(TableWiringError, match=r"table bj-demo has no simulated area of .* at position 9"):
        wired()[0].lay_chip(NINE, BLACKJACK)


def test_lamps_are_seen_at_their_positions_by_kind() -> None:
    table, modules = wired()
    modules[1].outputs.replace(frozenset({2, 8}))
    modules[4].outputs.replace(frozenset({5, 8}))
    assert table.lit(Lamp.WAGER_ACCEPTED) == {2}
    assert table.lit(Lamp.CROWN_TREASURE) == {5}
    assert table.lit(Lamp.ROYAL_MATCH) == frozenset()


async def test_the_lock_is_seen_and_awaited() -> None:
    table, modules = wired()
    assert table.unlocked()
    assert not table.locked()
    waiting = asyncio.ensure_future(table.until(table.locked))
    await asyncio.sleep(0)
    modules[1].outputs.set(8, active=True)
    await waiting
    assert not table.unlocked()


async def test_a_key_is_down_until_it_was_seen_and_up_until_that_was_seen() -> None:
    table, modules = wired()
    line = ModbusLine(modules.values())
    polls: list[bool] = []

    async def poll() -> None:
        while True:
            (said,) = line.receive(encode_frame(3, 2, bytes.fromhex("00000008")), 0)
            polls.append(bool(decode_frame(said.data).data[1] & 0b10000))
            await asyncio.sleep(0)

    async with running(poll(), name="polls"):
        async with table.held(DealerKeyInput(key=DealerKey.ROUND_COMPLETE)):
            assert sum(polls) >= 2
        assert polls[-2:] == [False, False]


async def test_a_key_is_released_when_what_was_awaited_fails() -> None:
    table, modules = wired()

    async def press() -> None:
        async with table.held(LockOutButton()):
            pytest.fail("nobody polls, so it is never seen")

    pressing = asyncio.ensure_future(press())
    await asyncio.sleep(0)
    assert modules[1].inputs.active == {8}
    pressing.cancel()
    await asyncio.wait([pressing])
    assert modules[1].inputs.active == frozenset()


def test_a_role_is_there_or_not() -> None:
    table, _ = wired()
    assert table.has(HoleCardReaderInput())
    assert not SimulatedTable(CONFIG.setup, {}, {}).has(HoleCardReaderInput())


@pytest.mark.parametrize("count", [0, 2])
def test_cards_are_shown_to_exactly_one_reader(count: int) -> None:
    readers = {DeviceId(str(number)): LineModeReader({}) for number in range(count)}
    with pytest.raises(TableWiringError, match=f"this table has {count}"):
        _ = SimulatedTable(CONFIG.setup, {}, readers).reader


async def test_every_line_of_the_table_gets_a_port_under_its_name(tmp_path: Path) -> None:
    async with simulated_table(CONFIG.setup, table_lines(CONFIG), Hosting(directory=tmp_path)) as table:
        assert table.paths == {"rs485": str(tmp_path / "rs485"), "reader": str(tmp_path / "reader")}
        assert all(port.plugged_in for port in table.ports.values())
        assert sorted(table.devices) == ["module-1", "module-2", "module-3", "module-4"]
        assert isinstance(table.reader, LineModeReader)
    assert not any(port.plugged_in for port in table.ports.values())


async def test_a_slow_debounce_is_waited_out(tmp_path: Path) -> None:
    (rs485, reader) = table_lines(CONFIG)
    (first, unit), *others = rs485.devices
    slow = replace(unit.spec, parameters={**unit.spec.parameters, "debounce_polls": 7})
    lines = [replace(rs485, devices=((first, replace(unit, spec=slow)), *others)), reader]
    async with simulated_table(CONFIG.setup, lines, Hosting(directory=tmp_path)) as table:
        assert table._seen_polls == 8
