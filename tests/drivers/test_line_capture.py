from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.cards import Card
from bridge.domain.commands import SetIndicator
from bridge.domain.events import CardDrawn, DeviceLost, DeviceReady, TableEvent, WagerPlaced, WagerRemoved
from bridge.domain.indicators import LampState
from bridge.drivers.fleet import Fleet
from bridge.drivers.line_capture import capture_head, recorded_ports
from bridge.transports.capture_file import CaptureError
from bridge.transports.ports import Ports
from simulators.port import hosted
from tests.drivers.lines import ACCEPTED_1, AT, IMPATIENT, Record, StoppedClock, background
from tests.drivers.real_lines import RealTable, modbus_line, reader_line
from tests.transports.ports import eventually


def test_a_capture_begins_with_what_is_needed_to_decode_it() -> None:
    line = modbus_line("/dev/ttyUSB0")
    head = capture_head(line, AT)

    assert (head.line, head.serial, head.started) == ("modules", line.serial, AT)
    assert [(unit.address, unit.profile) for unit in head.units] == [(1, "modbus_io8"), (2, "modbus_io8")]
    assert head.units[0].parameters["debounce_polls"] == "2"
    assert head.units[0].parameters["active_low"] == "false"


def test_a_capture_that_cannot_be_made_is_told_before_a_port_is_opened(tmp_path: Path) -> None:
    lines = [modbus_line("/dev/ttyUSB0")]
    with (
        pytest.raises(CaptureError, match="cannot be made"),
        recorded_ports(lines, {"modules": tmp_path / "none" / "file"}, StoppedClock()),
    ):
        pass


def facts(record: Record, device: str) -> list[TableEvent]:
    """Return what was observed of a device, without the words in which a loss is told."""
    return [
        replace(event, reason="") if isinstance(event, DeviceLost) else event
        for event in record.events()
        if getattr(event, "device", "") == device
    ]


async def test_a_capture_replayed_into_drivers_gives_the_events_again(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    files = {"modules": tmp_path / "modules.capture", "reader": tmp_path / "reader.capture"}
    clock = StoppedClock()
    lines = [modbus_line(table.modules_port.url), reader_line(table.reader_port.url)]
    async with hosted(table.modules_port), hosted(table.reader_port):
        with recorded_ports(lines, files, clock) as ports:
            fleet = Fleet(lines, clock, open_port=ports.open, policy=IMPATIENT, seed=1)
            recorded = Record(fleet.observations)
            async with background(fleet.run):
                await eventually(lambda: len(recorded.of(DeviceReady)) == 3)
                fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
                table.first.inputs.set(1, active=True)
                await recorded.until(WagerPlaced)
                table.modules_port.unplug()
                await eventually(lambda: len(recorded.of(DeviceLost)) == 2)
                table.modules_port.plug_in()
                await eventually(lambda: len(recorded.of(DeviceReady)) == 5)
                table.first.inputs.set(1, active=False)
                await recorded.until(WagerRemoved)
                table.reader.show(Card.parse("Kh"))
                await recorded.until(CardDrawn)
    before = {device: facts(recorded, device) for device in ("module", "second", "reader")}

    replayed = [replace(line, url=f"replay:{files[line.name]}?speed=0") for line in lines]
    fleet = Fleet(replayed, clock, open_port=Ports({}).open, policy=IMPATIENT, seed=1)
    again = Record(fleet.observations)
    fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
    async with background(fleet.run):
        for device, expected in before.items():
            await eventually(lambda device=device, expected=expected: len(facts(again, device)) >= len(expected))  # type: ignore[misc]

    assert {device: facts(again, device)[: len(expected)] for device, expected in before.items()} == before
