"""Simulated devices of one profile on a real port, and the bridge's own drivers at the other end."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from bridge.domain.setup import DeviceWiring
from bridge.drivers.fleet import Fleet
from bridge.drivers.line import Line, LineDevice
from bridge.profiles import load_installed
from bridge.wire.messages import Order
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import Unit
from simulators.device import SimulatedLine
from simulators.port import Port, hosted
from simulators.pty_port import PtyPort
from simulators.tcp_port import TcpPort
from tests.drivers.lines import IMPATIENT, WIRING, Record, StoppedClock, background

PortT = TypeVar("PortT", bound=Port)
ALONE: Mapping[int, DeviceWiring] = {0: WIRING}


class Driven(NamedTuple, Generic[PortT]):
    """The drivers, what they tell, and the port that the devices are on."""

    fleet: Fleet
    record: Record
    port: PortT

    def order(self, *orders: Order) -> None:
        """Order what no command of a table orders."""
        ((_, driver, _),) = self.fleet._lines
        driver.order(orders)


def on_port(line: SimulatedLine, folder: Path, *, over_tcp: bool) -> Port:
    return on_tcp(line) if over_tcp else on_pty(line, folder)


def on_pty(line: SimulatedLine, folder: Path) -> PtyPort:
    return PtyPort(line, folder / "line")


def on_tcp(line: SimulatedLine) -> TcpPort:
    return TcpPort(line)


@asynccontextmanager
async def driven(
    profile: str, port: PortT, wirings: Mapping[int, DeviceWiring] = ALONE, **parameters: int | bool | str
) -> AsyncIterator[Driven[PortT]]:
    """Host the port, and run the drivers of the devices at these addresses beside the body."""
    spec = load_installed(profile)
    spec = replace(spec, parameters={**spec.parameters, **parameters})
    async with hosted(port):
        line = Line(
            name=profile,
            url=port.url,
            serial=spec.serial,
            family=PROTOCOLS[spec.protocol],
            devices=tuple(
                LineDevice(device=wiring.device, unit=Unit(address=address, spec=spec), wiring=wiring)
                for address, wiring in wirings.items()
            ),
        )
        fleet = Fleet([line], StoppedClock(), policy=replace(IMPATIENT), seed=1)
        record = Record(fleet.observations)
        async with background(fleet.run):
            yield Driven(fleet, record, port)
