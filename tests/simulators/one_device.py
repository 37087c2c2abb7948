"""One simulated device on a real port, and the bridge's own driver at the other end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.domain.setup import DeviceWiring
from bridge.drivers.device_life import Observation
from bridge.drivers.driver import LineDriver
from bridge.drivers.line import Line, LineDevice
from bridge.profiles import load_installed
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import Unit
from simulators.device import SimulatedLine
from simulators.host import Port, PtyPort, TcpPort, hosted
from tests.drivers.lines import IMPATIENT, WIRING, Record, StoppedClock, background


@dataclass(frozen=True, slots=True)
class Driven:
    """A driver, what it tells, and the port that its device is on."""

    driver: LineDriver
    record: Record
    port: Port


@asynccontextmanager
async def driven(
    profile: str,
    device: SimulatedLine,
    folder: Path,
    *,
    address: int = 0,
    wiring: DeviceWiring = WIRING,
    over_tcp: bool = False,
    parameters: dict[str, int | bool | str] | None = None,
) -> AsyncIterator[Driven]:
    """Host the device and run a driver with its profile beside the body."""
    spec = load_installed(profile)
    spec = replace(spec, parameters={**spec.parameters, **(parameters or {})})
    port: Port = TcpPort(device) if over_tcp else PtyPort(device, folder / "device")
    async with hosted(port):
        line = Line(
            name="device",
            url=port.url,
            serial=spec.serial,
            family=PROTOCOLS[spec.protocol],
            devices=(LineDevice(device=wiring.device, unit=Unit(address=address, spec=spec), wiring=wiring),),
        )
        clock, observations = StoppedClock(), asyncio.Queue[Observation]()
        driver = LineDriver(line, clock=clock, observations=observations, policy=replace(IMPATIENT))
        async with background(driver.run):
            yield Driven(driver, Record(observations), port)
