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
from bridge.profiles import load_installed
from bridge.wire.modbus_frames import decode_frame, encode_frame
from bridge.wire.shoe_commands import LOCK, encode_command
from bridge.wire.spec import DeviceSpec, SerialSettings, Unit
from simulators.alpha_sign import MeterSign
from simulators.angel_eye import AngelEyeShoe
from simulators.blinkstick import BlinkStick
from simulators.cctalk_acceptor import CctalkLine
from simulators.delcom import DelcomButton
from simulators.device import SimulatedCardReader, SimulatedDevice
from simulators.feig_reader import FeigLine
from simulators.generic_line import GenericDevice
from simulators.hid_pos import LineModeReader
from simulators.hid_pos_usb import WedgeReader
from simulators.host import running
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.rapidradio_reader import RapidRadioReader
from simulators.table import (
    SimulatedTable,
    TableWiringError,
    simulate_line,
    simulate_module,
    simulate_sign,
    simulated_table,
)
from simulators.table_ports import Hosting, TableLine
from simulators.xkeys import XkeysPanel
from tests.simulators.little_bridge import DEMONSTRATION
from tests.wire.acceptors import acceptor_spec, packet
from tests.wire.buttons import button_spec
from tests.wire.cables import modbus_spec
from tests.wire.panels import xk24_spec

CONFIG = load_table(DEMONSTRATION)
THREE, NINE = BettingPosition(3), BettingPosition(9)
BLACKJACK, PROGRESSIVE = WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE


def spec(protocol: str, **parameters: int | bool | str) -> DeviceSpec:
    return DeviceSpec(
        profile="p",
        title="t",
        protocol=protocol,
        serial=SerialSettings(),
        parameters=parameters,
        card_codes={},
        inputs=4,
        outputs=2,
        examples=(),
    )


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


@pytest.mark.parametrize(
    ("includes_stx", "bcc_in", "check"), [(True, "exclude_enq", b"62"), (False, "include_enq", b"67")]
)
def test_a_shoe_is_what_its_profile_says(includes_stx: bool, bcc_in: str, check: bytes) -> None:
    unit = Unit(address=0, spec=spec("angel_eye", cmd_bcc_includes_stx=includes_stx, bcc_in=bcc_in))
    line = TableLine(name="shoe", serial=SerialSettings(), devices=((DeviceId("shoe"), unit),))
    readers: dict[DeviceId, SimulatedCardReader] = {}
    shoe = simulate_line(line, {}, readers)
    assert isinstance(shoe, AngelEyeShoe)
    assert readers == {DeviceId("shoe"): shoe}
    said: list[bytes] = []
    shoe.connect(said.append)
    shoe.stand_by()
    assert said == [b"\x051P\x03" + check] * 3
    (answer,) = shoe.receive(encode_command(LOCK, includes_stx=includes_stx), 0)
    assert answer.data == b"\x06"


def test_a_module_is_what_its_profile_says() -> None:
    module = simulate_module(Unit(address=9, spec=modbus_spec(inputs=4, outputs=2, active_low=True)))
    assert (module.unit, module.inputs.count, module.outputs.count) == (9, 4, 2)
    (said,) = ModbusLine([module]).receive(encode_frame(9, 2, bytes.fromhex("00000004")), 0)
    assert decode_frame(said.data).data == bytes((1, 0b1111))


def test_a_board_of_another_make_has_its_channels_where_its_profile_has_them() -> None:
    board = modbus_spec(
        inputs=4,
        outputs=2,
        inputs_are="input_registers",
        inputs_from=0x81,
        outputs_from=16,
        check_output_modes=False,
    )
    module = simulate_module(Unit(address=9, spec=board))
    module.inputs.set(3, active=True)
    line = ModbusLine([module])

    def answer(function: int, data: str) -> str:
        (said,) = line.receive(encode_frame(9, function, bytes.fromhex(data)), 0)
        return decode_frame(said.data).data.hex()

    assert answer(4, "00810001") == "020004"
    assert answer(5, "0011ff00") == "0011ff00"
    assert answer(1, "00100002") == "0102"
    assert [answer(function, "00000001") for function in (1, 2, 4)] == ["02", "01", "02"]
    assert [answer(3, "10000002"), answer(5, "02000007"), answer(5, "00ffff00")] == ["01", "02", "02"]


def test_acceptors_are_what_their_profiles_say() -> None:
    device = replace(acceptor_spec(coins_taken=0b10, coin_id="EU100", echo=False), serial=SerialSettings())
    units = tuple((DeviceId(f"slot-{at}"), Unit(address=at, spec=device)) for at in (2, 3))
    devices: dict[DeviceId, SimulatedDevice] = {}
    line = simulate_line(TableLine(name="slots", serial=SerialSettings(), devices=units), devices, {})
    assert isinstance(line, CctalkLine)
    assert list(devices.values()) == list(line.acceptors.values())
    (said,) = line.receive(packet(3, 1, 184, 2), 0)
    assert said.data == packet(1, 3, 0, *b"EU100.")


@pytest.mark.parametrize(("device", "kind"), [(xk24_spec(unit_id=7), XkeysPanel), (button_spec(), DelcomButton)])
def test_usb_devices_are_what_their_profiles_say(device: DeviceSpec, kind: type) -> None:
    devices: dict[DeviceId, SimulatedDevice] = {}
    units = ((DeviceId("usb"), Unit(address=0, spec=device)),)
    line = simulate_line(TableLine(name="usb", serial=SerialSettings(), devices=units), devices, {})
    assert isinstance(line, kind)
    assert id(devices[DeviceId("usb")]) == id(line)
    assert getattr(line, "unit_id", 7) == 7


@pytest.mark.parametrize(
    "protocols",
    [
        ["cctalk"],
        ["xkeys", "xkeys"],
        ["delcom_switch", "delcom_switch"],
        ["modbus_rtu", "hid_pos"],
        ["hid_pos", "hid_pos"],
        ["angel_eye", "angel_eye"],
    ],
)
def test_a_line_that_nothing_simulates_is_refused(protocols: list[str]) -> None:
    units = tuple(
        (DeviceId(str(number)), Unit(address=number, spec=spec(protocol)))
        for number, protocol in enumerate(protocols, start=1)
    )
    line = TableLine(name="odd", serial=SerialSettings(), devices=units)
    with pytest.raises(TableWiringError, match=f"line odd: nothing here simulates {len(protocols)} devices of"):
        simulate_line(line, {}, {})


@pytest.mark.parametrize(
    ("profile", "kind", "touched", "reads"),
    [
        ("alpha_sign", MeterSign, False, False),
        ("blinkstick", BlinkStick, True, False),
        ("rrhfoem04", RapidRadioReader, True, False),
        ("generic_line", GenericDevice, True, False),
        ("hid_pos_wedge", WedgeReader, False, True),
    ],
)
def test_every_profile_is_simulated_by_its_device(profile: str, kind: type, touched: bool, reads: bool) -> None:
    device, model = DeviceId("one"), load_installed(profile)
    line = TableLine(name="line", serial=model.serial, devices=((device, Unit(address=0, spec=model)),))
    devices: dict[DeviceId, SimulatedDevice] = {}
    readers: dict[DeviceId, SimulatedCardReader] = {}
    simulated = simulate_line(line, devices, readers)
    assert type(simulated) is kind
    assert [id(one) for one in devices.values()] == [id(simulated)] * touched
    assert [id(one) for one in readers.values()] == [id(simulated)] * reads


def test_a_device_that_somebody_built_reads_cards_if_its_profile_says_so() -> None:
    unit = Unit(address=0, spec=spec("generic_line", reads_cards=True))
    line = TableLine(name="line", serial=SerialSettings(), devices=((DeviceId("box"), unit),))
    readers: dict[DeviceId, SimulatedCardReader] = {}
    built = simulate_line(line, {}, readers)
    assert [id(one) for one in readers.values()] == [id(built)]


def test_signs_and_chip_readers_are_at_their_addresses() -> None:
    assert simulate_sign(Unit(address=0x1F, spec=spec("alpha_sign"))).address == "1F"
    assert simulate_sign(Unit(address=0, spec=spec("alpha_sign"))).address == "01"
    units = tuple((DeviceId(f"at-{at}"), Unit(address=at, spec=spec("iso15693", reader="feig"))) for at in (3, 4))
    touched: dict[DeviceId, SimulatedDevice] = {}
    readers = simulate_line(TableLine(name="line", serial=SerialSettings(), devices=units), touched, {})
    assert isinstance(readers, FeigLine)
    assert list(touched) == ["at-3", "at-4"]
    assert list(readers.readers) == [3, 4]
