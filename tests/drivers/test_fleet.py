import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.domain.cards import Card
from bridge.domain.commands import SetIndicator, SetLock
from bridge.domain.devices import DeviceState
from bridge.domain.events import (
    CardDrawn,
    CardUnread,
    DealerKeyPressed,
    DeviceLost,
    DeviceReady,
    HoleCardReaderUsed,
    IndicatorReported,
    LockOutPressed,
    LockReported,
    WagerAreaObserved,
    WagerPlaced,
    WagerRemoved,
)
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.setup import DeviceWiring
from bridge.domain.wagers import BettingPosition
from bridge.drivers.fleet import OBSERVATIONS_MAX, Fleet
from simulators.faults import Cables, Fault, FaultyCable
from simulators.modbus_io import ModbusLine
from tests.drivers.lines import (
    ACCEPTED_1,
    CROWN_1,
    IMPATIENT,
    ROYAL_1,
    WIRING,
    Record,
    Scripted,
    StoppedClock,
    background,
    device,
)
from tests.drivers.real_lines import RealTable
from tests.transports.ports import PseudoTerminal, eventually

SECOND = DeviceWiring(device=DeviceId("second"), inputs=WIRING.inputs, outputs=WIRING.outputs)


async def test_commands_reach_the_outputs_that_serve_them_and_nobody_else(tmp_path: Path) -> None:
    scripted = Scripted()
    only_lamp = DeviceWiring(device=DeviceId("lamp"), outputs=WIRING.outputs[:1])
    with PseudoTerminal() as first, PseudoTerminal() as second:
        fleet = Fleet(
            [
                scripted.line(first.path, device(1), device(2, SECOND), name="first"),
                scripted.line(second.path, device(1, only_lamp), name="second"),
                scripted.line(str(tmp_path / "missing"), device(1), name="missing"),
            ],
            StoppedClock(),
            policy=IMPATIENT,
            seed=1,
        )
        assert fleet.perform(SetLock(engaged=True))
        async with background(fleet.run):
            assert await first.read(14) == b"o1.3=1;o2.3=1;"
            assert fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
            assert await first.read(14) == b"o1.1=1;o2.1=1;"
            assert await second.read(7) == b"o1.1=1;"
            for command, active in (((ROYAL_1, LampState.ON), 1), ((CROWN_1, LampState.OFF), 1)):
                indicator, state = command
                assert fleet.perform(SetIndicator(indicator=indicator, state=state))
                assert await first.read(14) == f"o1.2={active};o2.2={active};".encode()


def test_a_command_that_no_output_serves_is_said_to_be_unserved() -> None:
    reader = DeviceWiring(device=DeviceId("reader"))
    fleet = Fleet([Scripted().line("/dev/null", device(1, reader))], StoppedClock())
    assert not fleet.perform(SetLock(engaged=True))
    nowhere = Indicator(BettingPosition(9), Lamp.ROYAL_MATCH)
    assert not fleet.perform(SetIndicator(indicator=nowhere, state=LampState.ON))


async def test_a_line_that_is_lost_and_comes_back_leaves_the_others_untouched(tmp_path: Path) -> None:
    scripted = Scripted()
    link = tmp_path / "first"
    with PseudoTerminal() as second:
        fleet = Fleet(
            [
                scripted.line(str(link), device(1), name="first"),
                scripted.line(second.path, device(1, SECOND), name="second"),
            ],
            StoppedClock(),
            policy=IMPATIENT,
        )
        record = Record(fleet.observations)
        async with background(fleet.run):
            await record.until(DeviceLost, lambda event: event.device == "module")
            await eventually(lambda: record.states("second")[-1:] == [DeviceState.PROBING])
            second.write(b"A")
            await record.until(DeviceReady, lambda event: event.device == "second")
            with PseudoTerminal() as first:
                first.link(link)
                await eventually(lambda: record.states()[-1] is DeviceState.PROBING)
                first.write(b"A")
                await record.until(DeviceReady, lambda event: event.device == "module")
            await eventually(lambda: record.states()[-1] is DeviceState.ABSENT)

        assert [event.device for event in record.of(DeviceLost)] == ["module", "module"]
        assert record.status("second").state is DeviceState.READY


def test_observations_are_bounded() -> None:
    assert Fleet([], StoppedClock()).observations.maxsize == OBSERVATIONS_MAX == 10_000


# --- real codecs, simulated devices, real ports ---


def is_module(event: DeviceReady | DeviceLost) -> bool:
    return event.device == "module"


async def all_ready(record: Record) -> None:
    names = {"module", "second", "reader"}
    await eventually(lambda: {event.device for event in record.of(DeviceReady)} == names)


def reported_by(name: str) -> Callable[[LockReported], bool]:
    return lambda event: event.device == name and event.engaged


def covered(record: Record) -> bool:
    """Return what was last told of position 1, as an edge or as a level."""
    for event in reversed(record.events()):
        if isinstance(event, WagerPlaced | WagerRemoved | WagerAreaObserved) and event.position == 1:
            return isinstance(event, WagerPlaced) or (isinstance(event, WagerAreaObserved) and event.covered)
    return False


def lit(indicator: Indicator) -> Callable[[IndicatorReported], bool]:
    return lambda event: event.indicator == indicator and event.state is LampState.ON


@pytest.mark.parametrize("over_tcp", [False, True])
async def test_from_input_to_event_and_from_command_to_report(over_tcp: bool, tmp_path: Path) -> None:
    table = RealTable(tmp_path, over_tcp=over_tcp)
    async with table.played() as (fleet, record):
        await all_ready(record)
        assert [event.covered for event in record.of(WagerAreaObserved)] == [False, False]

        table.first.inputs.set(1, active=True)
        placed = await record.until(WagerPlaced)
        assert (placed.device, placed.position) == ("module", 1)
        table.first.inputs.set(1, active=False)
        await record.until(WagerRemoved)
        table.first.inputs.set(3, active=True)
        await record.until(LockOutPressed)
        table.first.inputs.set(4, active=True)
        await record.until(DealerKeyPressed)
        table.first.inputs.set(5, active=True)
        await record.until(HoleCardReaderUsed)

        assert fleet.perform(SetIndicator(indicator=CROWN_1, state=LampState.ON))
        for indicator in (ROYAL_1, CROWN_1):
            await record.until(IndicatorReported, lit(indicator))
        assert fleet.perform(SetLock(engaged=True))
        for name in ("module", "second"):
            await record.until(LockReported, reported_by(name))
        assert table.first.outputs.active == table.second.outputs.active == {2, 3}

        table.reader.show(Card.parse("Kh"))
        assert (await record.until(CardDrawn)).card == Card.parse("Kh")
        table.reader.show_unreadable("9999")
        assert (await record.until(CardUnread)).raw == "9999"


@pytest.mark.parametrize("over_tcp", [False, True])
async def test_a_line_that_is_unplugged_gets_its_whole_state_again_and_the_other_line_goes_on(
    over_tcp: bool, tmp_path: Path
) -> None:
    table = RealTable(tmp_path, over_tcp=over_tcp)
    async with table.played() as (fleet, record):
        await all_ready(record)
        fleet.perform(SetLock(engaged=True))
        fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
        await record.until(IndicatorReported, lit(ACCEPTED_1))
        record.forget()

        table.modules_port.unplug()
        table.modules_port.line.power_cycle()
        table.first.inputs.set(2, active=True)
        lost = await record.until(DeviceLost, is_module)
        assert "port is gone" in lost.reason or "closed the connection" in lost.reason
        table.reader.show(Card.parse("Ad"))
        await record.until(CardDrawn)
        fleet.perform(SetIndicator(indicator=ROYAL_1, state=LampState.ON))
        assert record.status().state is DeviceState.ABSENT

        table.modules_port.plug_in()
        await record.until(IndicatorReported, lit(ROYAL_1))
        await eventually(lambda: table.first.outputs.active == table.second.outputs.active == {1, 2, 3})
        await eventually(lambda: [event.covered for event in record.of(WagerAreaObserved)] == [False, True])

        lost_devices = sorted(event.device for event in record.of(DeviceLost))
        assert lost_devices == ["module", "second"]
        await eventually(lambda: sorted(event.device for event in record.of(DeviceReady)) == ["module", "second"])
        kinds = [type(event) for event in record.events() if getattr(event, "device", "") == "module"]
        assert kinds.index(DeviceReady) < kinds.index(WagerAreaObserved)
        assert not record.of(WagerPlaced)


async def test_a_silent_module_is_lost_alone_and_comes_back_with_its_lamps(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    line = table.modules_port.line
    assert isinstance(line, ModbusLine)
    async with table.played() as (fleet, record):
        await all_ready(record)
        fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
        await eventually(lambda: table.second.outputs.active == {1})
        record.forget()
        del line.modules[2]
        lost = await record.until(DeviceLost)
        assert lost.device == "second"
        assert record.status("second").state is DeviceState.SILENT
        table.first.inputs.set(1, active=True)
        await record.until(WagerPlaced)

        table.second.power_cycle()
        line.modules[2] = table.second
        await record.until(DeviceReady)
        await eventually(lambda: table.second.outputs.active == {1})

    assert [event.device for event in record.of(DeviceLost)] == ["second"]


async def test_a_button_held_while_its_module_is_found_locks_before_any_chip_is_seen(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    for channel in (1, 3, 4):
        table.first.inputs.set(channel, active=True)
    async with table.played() as (_, record):
        await record.until(WagerAreaObserved)
        kinds = [type(event) for event in record.events() if getattr(event, "device", "") == "module"]

    assert kinds[:3] == [DeviceReady, LockOutPressed, WagerAreaObserved]
    assert not record.of(DealerKeyPressed)


async def test_a_noisy_late_and_lossy_line_invents_nothing_and_still_works(tmp_path: Path) -> None:
    noisy = FaultyCable(
        seed=7,
        chances={
            Fault.GARBLE: 0.05,
            Fault.JUNK_BEFORE: 0.05,
            Fault.JUNK_AFTER: 0.05,
            Fault.SPLIT: 0.2,
            Fault.LOSS: 0.02,
            Fault.DUPLICATE: 0.05,
        },
        pause_us=1000,
    )
    table = RealTable(tmp_path, cables=Cables(to_host=noisy))
    async with table.played() as (fleet, record):
        await record.until(DeviceReady, is_module)
        for _ in range(5):
            table.first.inputs.set(1, active=True)
            await eventually(lambda: covered(record))
            table.first.inputs.set(1, active=False)
            await eventually(lambda: not covered(record))
        fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
        await record.until(IndicatorReported, lit(ACCEPTED_1))
        await eventually(lambda: bool(record.status().faults))

    assert not record.of(LockOutPressed)
    assert not record.of(DealerKeyPressed)


async def test_an_answer_that_comes_late_is_not_taken_for_the_next(tmp_path: Path) -> None:
    late = FaultyCable(seed=1, pause_us=150_000)  # longer than a module is given to answer
    table = RealTable(tmp_path, cables=Cables(to_host=late))
    async with table.played() as (_, record):
        await all_ready(record)
        late.force(Fault.DELAY)
        await eventually(lambda: bool(record.status().faults) or bool(record.status("second").faults))
        table.first.inputs.set(1, active=True)
        await record.until(WagerPlaced)

    assert not record.of(LockOutPressed)
    assert not record.of(WagerRemoved)


async def test_junk_on_the_readers_line_is_counted_and_draws_no_card(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    async with table.played() as (_, record):
        await all_ready(record)
        table.reader.make_noise(b"\xff\xfe\r")
        await eventually(lambda: bool(record.status("reader").faults))
        table.reader.show(Card.parse("2c"))
        assert (await record.until(CardDrawn)).card == Card.parse("2c")

    assert not record.of(CardUnread)


async def test_a_port_in_use_is_told_and_taken_when_it_is_free() -> None:
    with PseudoTerminal() as terminal:
        fleet = Fleet([Scripted().line(terminal.path, device(1))], StoppedClock(), policy=IMPATIENT)
        record = Record(fleet.observations)
        holder = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(holder, fcntl.LOCK_EX)
        async with background(fleet.run):
            lost = await record.until(DeviceLost)
            assert f"{terminal.path}: in use by" in lost.reason
            assert f"process {os.getpid()}" in lost.reason
            os.close(holder)
            await eventually(lambda: record.states()[-1] is DeviceState.PROBING)
