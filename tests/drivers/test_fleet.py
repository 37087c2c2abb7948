from pathlib import Path

from bridge.domain.commands import SetIndicator, SetLock
from bridge.domain.devices import DeviceState
from bridge.domain.events import DeviceLost, DeviceReady
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.setup import DeviceWiring
from bridge.domain.wagers import BettingPosition
from bridge.drivers.fleet import OBSERVATIONS_MAX, Fleet
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
