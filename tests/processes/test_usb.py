"""A whole table on USB: devices that are pulled out, put back, moved and exchanged while it is played."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bridge.contracts.envelopes import DeviceEnvelope
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp
from bridge.domain.setup import LockOutButton
from bridge.domain.table_view import Phase, TableView, WagerAreaStatus
from bridge.domain.wagers import WagerKind
from simulators.usb_port import UsbPort
from simulators.xkeys import XkeysPanel
from tests.brokers import Mosquitto, running_mosquitto
from tests.cli.program import run
from tests.processes.table import DEMONSTRATION, RunningTable, running_table
from tests.processes.test_devices import CROWN_TREASURE, POSITION, PROGRESSIVE, assert_finished, is_ready

ON_USB = DEMONSTRATION.with_name("blackjack_usb.toml")
SWITCHES, ACCEPTED, STRAIGHT_FLUSH = "switches-progressive", "strip-accepted", "strip-straight-flush"
BOTH = ("switches-blackjack", SWITCHES)
"""Two units of one model, told apart by place and unit id."""
COUNT_AGREED, HOLE_CARD_EXPOSED, ROUND_COMPLETE = 1, 3, 5
"""Keys of the panel."""
OWN = "BS000011-3.0"
"""The serial number of the lamps of accepted wagers."""


@pytest.fixture
async def broker() -> AsyncIterator[Mosquitto]:
    async with running_mosquitto() as running:
        yield running


def port_of(table: RunningTable, line: str) -> UsbPort:
    port = table.simulated.ports[line]
    assert isinstance(port, UsbPort)
    return port


def keys_of(capture: Path) -> set[int]:
    """Return the keys that were pressed at a panel, as its capture tells."""
    told = run("replay", capture, "--json")
    assert (told.exit_code, told.stderr) == (0, "")
    said = [json.loads(line) for line in told.stdout.splitlines()]
    return {one["channel"] for one in said if one["message"] == "input_changed" and one["active"]}


def swap_units(one: UsbPort, other: UsbPort) -> None:
    """Plug each of two panels in where the other was; what hangs on them goes along."""
    assert isinstance(one.line, XkeysPanel)
    assert isinstance(other.line, XkeysPanel)
    one.line.unit_id, other.line.unit_id = other.line.unit_id, one.line.unit_id
    for port in (one, other):
        port.unplug()
        port.plug_in()


def is_(state: DeviceState) -> Callable[[DeviceStatus], bool]:
    return lambda status: status.state is state


def areas(view: TableView, wager: WagerKind) -> set[WagerAreaStatus]:
    return {area.status for area in view.areas if area.wager is wager}


def disturbed(table: RunningTable) -> set[DeviceId]:
    """Return the devices that were ever said to be out of service after they had answered."""
    out: set[DeviceId] = set()
    answered: set[DeviceId] = set()
    for envelope in table.all_heard(DeviceEnvelope):
        status = envelope.status
        if is_ready(status):
            answered.add(status.device)
        elif status.device in answered:
            out.add(status.device)
    return out


async def test_a_round_is_played_to_its_end_with_units_that_are_pulled_out_and_come_back_by_themselves(
    tmp_path: Path, broker: Mosquitto
) -> None:
    recording = ("--capture", f"panel={tmp_path}/panel.capture")
    async with running_table(tmp_path, broker, file=ON_USB, daemon_options=recording) as table:
        simulated, switches, lamps = table.simulated, port_of(table, SWITCHES), port_of(table, ACCEPTED)
        await table.until_ready()
        switches.unplug()
        status = await table.until_device(SWITCHES, is_(DeviceState.ABSENT))
        assert "plug it in" in status.reason
        view = await table.until_seen(lambda view: view.lost_devices == (DeviceId(SWITCHES),), "the loss")
        assert not view.locked
        assert areas(view, PROGRESSIVE) == {WagerAreaStatus.CLOSED}
        assert areas(view, WagerKind.BLACKJACK) == {WagerAreaStatus.AWAITING}
        switches.plug_in()
        await table.until_ready()

        await table.people.wager(CROWN_TREASURE)
        await table.people.press(LockOutButton())
        await table.until_seen(lambda view: view.phase is Phase.NO_MORE_BETS, "no more bets")
        lamps.unplug()
        await table.until_device(ACCEPTED, is_(DeviceState.ABSENT))
        assert table.display.view is not None
        assert table.display.view.phase is Phase.NO_MORE_BETS
        lamps.plug_in_at("1-9.2")
        assert simulated.lit(Lamp.WAGER_ACCEPTED) == frozenset()
        await table.until(lambda: simulated.lit(Lamp.WAGER_ACCEPTED) == {POSITION}, "the lamp to be lit again")
        await table.until_ready()

        await table.people.finish(CROWN_TREASURE)
        (sign,) = simulated.signs.values()
        await sign.until_shown(lambda text: text.startswith("PROGRESSIVE $"))
        await assert_finished(table)
        assert disturbed(table) == {DeviceId(SWITCHES), DeviceId(ACCEPTED)}
    assert keys_of(tmp_path / "panel.capture") == {COUNT_AGREED, HOLE_CARD_EXPOSED, ROUND_COMPLETE}


async def test_units_that_were_exchanged_or_swapped_are_not_taken_for_those_that_were_there(
    tmp_path: Path, broker: Mosquitto
) -> None:
    async with running_table(tmp_path, broker, file=ON_USB) as table:
        await table.until_ready()

        lamps = port_of(table, ACCEPTED)
        lamps.plug_in_as("BS999999-3.0")
        status = await table.until_device(ACCEPTED, lambda status: "BS999999" in status.reason)
        assert status.state is DeviceState.ABSENT
        assert "no unit with this serial number is plugged in (there is BS999999-3.0 at " in status.reason
        lamps.plug_in_as(OWN)

        pair = [port_of(table, line) for line in BOTH]
        for port in pair:
            port.unplug()
        for line in BOTH:
            await table.until_device(line, is_(DeviceState.ABSENT))
        swap_units(*pair)
        for line, wanted, found in zip(BOTH, (1, 2), (2, 1), strict=True):
            status = await table.until_device(line, lambda status: "unit id" in status.reason)
            assert f"has the unit id {found}, and {wanted} belongs here: swap the cables back" in status.reason
            assert not is_ready(status)
        swap_units(*pair)
        await table.until_ready()

        button = port_of(table, "button")
        button.unplug()
        await table.until_seen(lambda view: view.locked, "the table to lock itself")
        button.plug_in()
        await table.until_ready()
        await table.until_seen(lambda view: not view.locked, "open wagers")


async def test_two_units_with_one_serial_number_are_told_and_neither_is_used(
    tmp_path: Path, broker: Mosquitto
) -> None:
    async with running_table(tmp_path, broker, file=ON_USB, start=("rules-worker",)) as table:
        other = port_of(table, STRAIGHT_FLUSH)
        other.plug_in_as(OWN)
        await table.daemon.start()

        status = await table.until_device(ACCEPTED, is_(DeviceState.BLOCKED))
        assert "have the same serial number; tell them apart by their place" in status.reason
        status = await table.until_device(STRAIGHT_FLUSH, is_(DeviceState.ABSENT))
        assert "no unit with this serial number is plugged in" in status.reason

        other.plug_in_as("BS000012-3.0")
        await table.until_ready()
