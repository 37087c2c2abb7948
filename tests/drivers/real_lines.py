"""A table of real codecs and simulated devices: two modules on one line, and a card reader on another."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bridge.domain.identity import DeviceId
from bridge.domain.setup import DeviceWiring
from bridge.drivers.fleet import Fleet
from bridge.drivers.line import Line, LineDevice
from bridge.profiles.load import load_installed
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import Unit
from simulators.faults import Cables
from simulators.hid_pos import LineModeReader
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import Port, hosted
from simulators.pty_port import PtyPort
from simulators.tcp_port import TcpPort
from tests.drivers.lines import IMPATIENT, READER_WIRING, WIRING, Record, StoppedClock, background

MODULE = load_installed("modbus_io8")
READER = load_installed("hid_pos_reader")
SECOND = DeviceWiring(device=DeviceId("second"), outputs=WIRING.outputs)


def modbus_line(url: str) -> Line:
    """Return the bridge's view of the line with two modules."""
    return Line(
        name="modules",
        url=url,
        serial=MODULE.serial,
        family=PROTOCOLS[MODULE.protocol],
        devices=tuple(
            LineDevice(device=wiring.device, unit=Unit(address=address, spec=MODULE), wiring=wiring)
            for address, wiring in ((1, WIRING), (2, SECOND))
        ),
    )


def reader_line(url: str) -> Line:
    """Return the bridge's view of the card reader."""
    device = LineDevice(device=READER_WIRING.device, unit=Unit(address=0, spec=READER), wiring=READER_WIRING)
    return Line(name="reader", url=url, serial=READER.serial, family=PROTOCOLS[READER.protocol], devices=(device,))


class RealTable:
    """Simulated devices on real ports."""

    def __init__(self, folder: Path, *, over_tcp: bool = False, cables: Cables | None = None) -> None:
        self.first, self.second = ModbusIoModule(1), ModbusIoModule(2)
        self.reader = LineModeReader({card: code for code, card in READER.card_codes.items()})
        modules = ModbusLine((self.first, self.second))
        cables = cables or Cables()
        self.modules_port: Port = (
            TcpPort(modules, cables=cables) if over_tcp else PtyPort(modules, folder / "modules", cables=cables)
        )
        self.reader_port = PtyPort(self.reader, folder / "reader")

    @asynccontextmanager
    async def played(self) -> AsyncIterator[tuple[Fleet, Record]]:
        """Host the devices and run the fleet beside the body."""
        async with hosted(self.modules_port), hosted(self.reader_port):
            lines = [modbus_line(self.modules_port.url), reader_line(self.reader_port.url)]
            fleet = Fleet(lines, StoppedClock(), policy=replace(IMPATIENT), seed=1)
            record = Record(fleet.observations)
            async with background(fleet.run):
                yield fleet, record
