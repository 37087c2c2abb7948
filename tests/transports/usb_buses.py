"""A simulated USB bus in a process of its own, as the console of ``python -m simulators usb`` runs it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from bridge.domain.identity import DeviceId
from bridge.profiles import load_installed
from bridge.transports import Transport, open_transport
from bridge.transports.errors import TransportError
from bridge.wire.hid_reports import Report, ReportReader
from bridge.wire.spec import SerialSettings, Unit
from simulators.models import simulate_line
from simulators.port import hosted
from simulators.table_ports import TableLine
from simulators.usb_port import UsbPort
from simulators.usb_socket import usb_bus
from tests.leash import leashed

ROOT = Path(__file__).parents[2]
XK24 = "usb:05F3:0405?usage=000C:0001"


class BusProcess:
    """The other end of the socket."""

    def __init__(self, path: Path, process: asyncio.subprocess.Process) -> None:
        self.path = path
        self._process = process

    async def tell(self, text: str) -> str:
        """Say a line at the console; return its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())
        return await self.heard()

    async def heard(self) -> str:
        """Return the next line that the console says."""
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().rstrip("\n")

    def kill(self) -> None:
        """End the process as a crash does."""
        self._process.kill()

    def at(self, url: str) -> str:
        """Return the address of a device on this bus."""
        return f"{url}{'&' if '?' in url else '?'}bus={self.path}"

    async def open(self, url: str) -> Transport:
        """Open a device of this bus."""
        return await open_transport(self.at(url), SerialSettings())


@asynccontextmanager
async def bus_process(folder: Path, *devices: str) -> AsyncIterator[BusProcess]:
    """Keep a bus with these devices beside the body."""
    path = folder / "bus"
    process = await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-m", "simulators", "usb", str(path), *devices),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    bus = BusProcess(path, process)
    try:
        for _ in devices:
            await bus.heard()
        yield bus
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


async def reports(port: Transport, count: int, reader: ReportReader | None = None) -> list[Report]:
    """Wait for so many reports."""
    reader = reader or ReportReader()
    found: list[Report] = []
    while len(found) < count:
        arrived, junk = reader.receive_data(await port.read())
        assert not junk
        found += arrived
    return found


@asynccontextmanager
async def plugged(folder: Path, *devices: str) -> AsyncIterator[list[UsbPort]]:
    """Keep a bus of this process with devices on it, each PROFILE[:SERIAL][@PLACE]."""
    async with usb_bus(folder / "bus") as bus, AsyncExitStack() as stack:
        ports = []
        for number, device in enumerate(devices, start=1):
            named, _, place = device.partition("@")
            profile, _, serial = named.partition(":")
            spec = load_installed(profile)
            unit = Unit(address=0, spec=spec)
            line = simulate_line(
                TableLine(name=profile, serial=spec.serial, devices=((DeviceId(profile), unit),)), {}, {}
            )
            port = UsbPort.of(spec, line, bus, serial=serial or None, place=place or f"1-{number}")
            ports.append(await stack.enter_async_context(hosted(port)))
        yield ports


async def opened(url: str) -> Transport:
    """Open a device by its full address."""
    return await open_transport(url, SerialSettings())


async def refused(url: str) -> TransportError:
    """Return why a device cannot be opened."""
    with pytest.raises(TransportError) as caught:
        await opened(url)
    return caught.value


async def ended(port: Transport) -> TransportError:
    """Wait for the end of an open device; return the reason."""
    while True:
        try:
            await port.read()
        except TransportError as reason:
            return reason
