from dataclasses import replace
from pathlib import Path

from bridge.domain.events import DeviceLost, DeviceReady, WagerPlaced
from bridge.drivers.fleet import Fleet
from bridge.drivers.line_capture import recorded_ports
from bridge.drivers.offline import Decoded, decoded
from bridge.profiles import load_installed
from bridge.transports.capture_file import read_capture
from bridge.transports.playback import Playback
from bridge.wire.messages import CardRead, InputChanged, UnitAnswering, UnitSilent
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import Unit
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import hosted
from simulators.pty_port import PtyPort
from tests.drivers.lines import IMPATIENT, Record, StoppedClock, background
from tests.drivers.real_lines import modbus_line
from tests.transports.captures import capture
from tests.transports.ports import eventually


def decode(folder: Path, profile: str, address: int, events: str) -> tuple[list[Decoded], Playback]:
    spec = load_installed(profile)
    codec = PROTOCOLS[spec.protocol].codec([Unit(address=address, spec=spec)])
    read = read_capture(capture(folder, events))
    playback = Playback("a.capture", read.events)
    return list(decoded(playback, read.events[0], codec)), playback


def test_what_a_reader_said_is_decoded_with_its_place_and_time(tmp_path: Path) -> None:
    told, playback = decode(tmp_path, "hid_pos_reader", 0, "0 opened\n700 < 32 31 33\n900 < 30 0D\n")
    assert [(found.event.at_us, found.event.place) for found in told if isinstance(found.message, CardRead)] == [
        (900, 8)
    ]
    assert playback.differences == []


async def test_a_polled_line_is_decoded_as_it_was_when_it_was_recorded(tmp_path: Path) -> None:
    module, clock = ModbusIoModule(1), StoppedClock()
    async with hosted(PtyPort(ModbusLine([module]), tmp_path / "line")) as port:
        line = replace(modbus_line(port.url), devices=modbus_line(port.url).devices[:1])
        with recorded_ports([line], {line.name: tmp_path / "a.capture"}, clock) as ports:
            fleet = Fleet([line], clock, open_port=ports.open, policy=IMPATIENT, seed=1)
            record = Record(fleet.observations)
            async with background(fleet.run):
                await record.until(DeviceReady)
                module.inputs.set(1, active=True)
                await record.until(WagerPlaced)
                port.unplug()
                await record.until(DeviceLost)
                port.plug_in()
                await eventually(lambda: len(record.of(DeviceReady)) == 2)

    read = read_capture(tmp_path / "a.capture")
    codec = line.family.codec([device.unit for device in line.devices])
    told = [found.message for found in decoded(Playback("a", read.events), read.events[0], codec)]

    assert [message for message in told if isinstance(message, UnitAnswering | InputChanged | UnitSilent)][:4] == [
        UnitAnswering(address=1, active_inputs=frozenset()),
        InputChanged(address=1, channel=1, active=True),
        UnitSilent(address=1, reason="unit 1 (modbus_io8) is out of reach: its line is gone"),
        UnitAnswering(address=1, active_inputs=frozenset({1})),
    ]


def test_a_capture_that_ends_while_the_port_is_gone_comes_to_its_end(tmp_path: Path) -> None:
    told, _ = decode(tmp_path, "modbus_io8", 1, "0 opened\n500 gone pulled out\n600 closed\n")
    assert told == []
