"""Sets the stage: a broker in this process, simulated devices on their ports, and the processes of a table.

Daemon, rules worker and dashboard are started by the same command that starts them on a real table, with the same
configuration; only ports, broker and storage are pointed at what is simulated here.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bridge.bus.embedded import EmbeddedBroker
from bridge.bus.mqtt_settings import MqttSettings
from bridge.config import TableConfig
from bridge.demo.own_table import own_table
from bridge.domain.errors import BridgeError
from bridge.transports.usb_address import UsbAddress
from simulators.table import SimulatedTable, simulated_table
from simulators.table_ports import Hosting, TableLine

DASHBOARD = "dashboard"
_STOP_S = 10.0


class ProcessEndedError(BridgeError):
    """A process of the table ended although nobody stopped it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A table that is being played."""

    table: SimulatedTable
    settings: MqttSettings
    processes: Mapping[str, asyncio.subprocess.Process]
    directory: Path
    dashboard: str | None
    """Where a browser finds the table; None where no dashboard is wanted."""

    async def until_a_process_ends(self) -> None:
        """Wait for ever; raise ``ProcessEndedError`` with its last words if a process ends by itself."""
        waits = {asyncio.ensure_future(process.wait()): name for name, process in self.processes.items()}
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        raise _ended(self.directory, waits[done.pop()])


def table_lines(config: TableConfig) -> tuple[TableLine, ...]:
    """Return the lines of a table as their devices' simulators stand on them."""
    return tuple(
        TableLine(
            name=line.name,
            serial=line.serial,
            devices=tuple((device.device, device.unit) for device in line.devices),
            usb=line.address if isinstance(line.address, UsbAddress) else None,
        )
        for line in config.lines
    )


@asynccontextmanager
async def stage(
    config: TableConfig, file: Path, directory: Path, *, dashboard_port: int | None = None
) -> AsyncIterator[Stage]:
    """Set up the table of a configuration file in a directory, and take it down again.

    With a port, 0 for a free one, it has a dashboard there. Raise ``ProcessEndedError``.
    """
    ports = directory / "ports"
    ports.mkdir(parents=True, exist_ok=True)
    simulated = simulated_table(config.setup, table_lines(config), Hosting(directory=ports))
    async with EmbeddedBroker() as broker, simulated as table:
        table_file = str(own_table(file, directory, host=broker.host, port=broker.port))
        storage = ["--storage", str(directory / "var")]
        options = [
            table_file,
            "--broker",
            f"{broker.host}:{broker.port}",
            *storage,
            *(word for name, url in table.paths.items() for word in ("--port", f"{name}={url}")),
        ]
        async with AsyncExitStack() as stack:
            processes = {
                name: await stack.enter_async_context(_process(name, options, directory))
                for name in ("daemon", "rules-worker")
            }
            address = None
            if dashboard_port is not None:
                words = [table_file, "--public", "--port", str(dashboard_port), *storage]
                served = _process(DASHBOARD, words, directory, speaks=True)
                processes[DASHBOARD] = await stack.enter_async_context(served)
                address = await _address(processes[DASHBOARD], directory)
            yield Stage(
                table=table,
                settings=MqttSettings(host=broker.host, port=broker.port),
                processes=processes,
                directory=directory,
                dashboard=None if address is None else f"{address}tables/{config.setup.table}",
            )


def log_of(directory: Path, name: str) -> Path:
    """Return where a process of the stage writes its log."""
    return directory / f"{name}.log"


async def _address(dashboard: asyncio.subprocess.Process, directory: Path) -> str:
    """Return what a dashboard says of where it is; raise ``ProcessEndedError`` if it ends before."""
    assert dashboard.stdout is not None  # noqa: S101 - it was started so
    said = (await dashboard.stdout.readline()).decode()
    if not said:
        raise _ended(directory, DASHBOARD)
    return said.split()[-1]


def _ended(directory: Path, name: str) -> ProcessEndedError:
    words = log_of(directory, name).read_text(errors="replace").strip().splitlines()[-5:]
    return ProcessEndedError(f"the {name} ended by itself; its log ends with:\n" + "\n".join(words))


@asynccontextmanager
async def _process(
    command: str, options: Sequence[str], directory: Path, *, speaks: bool = False
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a command of the bridge as a process of its own, and stop it as a service manager would.

    What it prints is in its log, unless it ``speaks`` to us.
    """
    with log_of(directory, command).open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bridge",
            command,
            *options,
            "--until-stdin-closes",
            # Nothing is ever written to it: it closes when this process ends, however it ends.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE if speaks else log,
            stderr=log,
            # An interrupt at the keyboard is for the demonstration, which stops them in order.
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(_STOP_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
