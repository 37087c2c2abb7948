"""A table of real parts: devices on pseudo-terminals or a USB bus, a broker, daemon and rules worker as processes.

async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
    await table.play(*crown_treasure())
    await table.daemon.kill()
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from bridge.bus.mqtt import MqttBus
from bridge.clock import SystemClock
from bridge.config import TableConfig, load_table
from bridge.contracts.author import Author
from bridge.contracts.envelopes import Envelope
from bridge.demo.display import TableDisplay
from bridge.demo.stage import table_lines
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.identity import DeviceId, PersonId
from bridge.domain.table_view import TableView
from bridge.known_table import subscriptions
from simulators.faults import Cables
from simulators.running import running
from simulators.scenario import ScriptedRound
from simulators.scenario_file import load_scenario, shipped_scenarios
from simulators.table import SimulatedTable, simulated_table
from simulators.table_ports import Hosting
from tests.brokers import Address, RunningBroker, settings_for
from tests.patience import PATIENCE_S
from tests.processes.forked import ForkedProcess, fork
from tests.processes.people import AttentivePeople, Eyes

ROOT = Path(__file__).parents[2]
DEMONSTRATION = ROOT / "simulators" / "tables" / "blackjack.toml"
FLOORPERSON = PersonId("floor-1")
_BAUD = 115_200
"""Fast lines: the table's own speed is not what these tests are about, but a line without any never rests."""

_E = TypeVar("_E", bound=Envelope)


class BridgeProcess:
    """A command of the bridge as a process of its own, which a test may kill, stop and start again."""

    def __init__(self, command: str, options: Sequence[str], log: Path, module: str = "bridge") -> None:
        """``module`` is run in place of the bridge where it has to meet with something before it starts."""
        self.command = command
        self.log = log
        self._module = module
        self._options = tuple(options)
        self._process: ForkedProcess | None = None
        self._started_us = 0
        self._may_end = True

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def started_us(self) -> int:
        """Return when the process that runs now was started, in wall microseconds; 0 if none runs."""
        return self._started_us if self.running else 0

    async def start(self, *dying: str) -> None:
        """Start it; ``dying`` are a moment and when, as ``mortal`` takes them."""
        assert not self.running
        self._may_end = bool(dying)
        self._started_us = SystemClock().wall()
        module, *before = ("tests.processes.mortal", *dying) if dying else (self._module,)
        with self.log.open("ab") as log:
            self._process = await fork(module, *before, self.command, *self._options, out=log, errors=log)

    async def kill(self) -> None:
        """End it at once, as a power cut would."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Ask it to end, as a service manager would."""
        await self._end(signal.SIGTERM)

    @property
    def failed(self) -> bool:
        """Whether it has ended although nobody asked it to."""
        return self._process is not None and not self.running and not self._may_end

    async def ended(self, patience_s: float | None = PATIENCE_S) -> int:
        """Wait until it has ended, and return its exit status; None waits for ever."""
        assert self._process is not None
        async with asyncio.timeout(patience_s):
            return await self._process.wait()

    def words(self) -> str:
        """Return everything it has logged."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    async def _end(self, sign: signal.Signals) -> None:
        if self._process is None:
            return
        self._may_end = True
        self._process.send_signal(sign)
        try:
            await self.ended()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
            raise AssertionError(f"the {self.command} did not end:\n{self.words()}") from None


@dataclass(slots=True, kw_only=True)
class RunningTable:
    """The table, what is said about it, and the people at it."""

    config: TableConfig
    directory: Path
    simulated: SimulatedTable
    display: TableDisplay
    people: AttentivePeople
    eyes: Eyes
    daemon: BridgeProcess
    worker: BridgeProcess

    @property
    def journal(self) -> Path:
        return self.directory / "var" / f"{self.config.setup.table}.journal"

    @property
    def meters(self) -> Path:
        return self.directory / "var" / f"{self.config.setup.table}.meters"

    async def play(self, *scripts: ScriptedRound) -> None:
        """Let the people play rounds."""
        for script in scripts:
            await self.people.play(script)

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait for something that the display can hear of, or that lamps and locks show."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                # Looked at after each message, and the broker says that a process has gone.
                await self.eyes.until(lambda: condition() or self.daemon.failed or self.worker.failed)
        except TimeoutError:
            pass
        if not condition():
            raise AssertionError(
                f"waited for {what}\nthe display shows {self.display.view}\n"
                f"daemon:\n{self.daemon.words()[-2000:]}\nworker:\n{self.worker.words()[-2000:]}"
            )

    async def until_seen(self, condition: Callable[[TableView], bool], what: str) -> TableView:
        """Wait until the display shows something; return what it shows."""
        await self.until(lambda: self.display.view is not None and condition(self.display.view), what)
        assert self.display.view is not None
        return self.display.view

    async def until_device(self, device: str, condition: Callable[[DeviceStatus], bool]) -> DeviceStatus:
        """Wait until a device's published status is as expected; return it."""
        name = DeviceId(device)

        def holds() -> bool:
            return name in self.display.devices and condition(self.display.devices[name])

        await self.until(holds, f"a status of {device}; it has {self.display.devices.get(name)}")
        return self.display.devices[name]

    async def until_ready(self, *services: str) -> None:
        """Wait until every device answers and these processes have said that they are there; else both."""
        ready = set(self.config_devices())
        awaited = set(services or ("daemon", "rules-worker"))

        def all_there() -> bool:
            states = {name: status.state for name, status in self.display.devices.items()}
            online = {name for name, health in self.display.health.items() if health.online}
            lost = self.display.view is None or self.display.view.lost_devices
            return (
                not lost
                and awaited <= online
                and {name for name, state in states.items() if state is DeviceState.READY} == ready
            )

        await self.until(all_there, f"every device to be ready, and {sorted(awaited)} to be online")

    def config_devices(self) -> tuple[DeviceId, ...]:
        return tuple(device.device for line in self.config.lines for device in line.devices)

    def all_heard(self, kind: type[_E]) -> list[_E]:
        """Return all messages of a kind that were heard."""
        return [envelope for envelope in self.eyes.heard if isinstance(envelope, kind)]

    def epoch_of(self, service: str) -> int:
        """Return when the process that was heard last under this name was started; 0 for none."""
        health = self.display.health.get(service)
        return 0 if health is None else health.epoch


@asynccontextmanager
async def running_table(
    directory: Path,
    broker: RunningBroker,
    *,
    file: Path = DEMONSTRATION,
    cables: Mapping[str, Cables] | None = None,
    log: str = "info",
    dying_daemon: Iterable[str] = (),
    dying_worker: Iterable[str] = (),
    start: Sequence[str] = ("rules-worker", "daemon"),
    address: Address | None = None,
    module: str = "bridge",
    daemon_options: Sequence[str] = (),
) -> AsyncIterator[RunningTable]:
    """Run a table in a directory, with faulty cables if wanted; ``start`` says which processes run at first.

    ``address`` is where its processes find the broker, if not where everybody else does, and ``module`` what
    runs in place of the bridge. ``daemon_options`` come last, and so before what is said here.
    """
    config = load_table(file)
    lines = [replace(line, serial=replace(line.serial, baud=_BAUD)) for line in table_lines(config)]
    links = directory / "ports"
    links.mkdir(exist_ok=True)
    async with (
        simulated_table(config.setup, lines, Hosting(directory=links, cables=cables or {})) as simulated,
        _display(config, broker) as display,
    ):
        found_at = address or broker
        options = [
            str(file),
            "--broker",
            f"{found_at.host}:{found_at.port}",
            "--storage",
            str(directory / "var"),
            "--log",
            log,
        ]
        ports = [word for name, url in simulated.paths.items() for word in ("--port", f"{name}={url}")]
        eyes = Eyes(simulated)
        daemon = BridgeProcess("daemon", [*options, *ports, *daemon_options], directory / "daemon.log", module)
        table = RunningTable(
            config=config,
            directory=directory,
            simulated=simulated,
            display=display,
            people=AttentivePeople(
                simulated, display, eyes, daemon.started_us, floorperson=FLOORPERSON, patience_s=PATIENCE_S
            ),
            eyes=eyes,
            daemon=daemon,
            worker=BridgeProcess("rules-worker", options, directory / "rules-worker.log", module),
        )
        async with running(display.follow(eyes.hear), name="display"):
            try:
                if "rules-worker" in start:
                    await table.worker.start(*dying_worker)
                if "daemon" in start:
                    await table.daemon.start(*dying_daemon)
                yield table
            finally:
                await table.daemon.stop()
                await table.worker.stop()


def scenario(name: str) -> tuple[ScriptedRound, ...]:
    """Return the rounds of a shipped scenario."""
    (file,) = (file for file in shipped_scenarios() if file.stem == name)
    return load_scenario(file).rounds


@asynccontextmanager
async def _display(config: TableConfig, broker: RunningBroker) -> AsyncIterator[TableDisplay]:
    clock, name = SystemClock(), config.setup.table
    author = Author(f"{name}-display", clock)
    bus = MqttBus(
        settings_for(broker),
        client_id=author.sender,
        subscriptions=subscriptions(name),
        will=None,
        birth=None,
        clock=clock,
    )
    async with bus:
        yield TableDisplay(name, bus=bus, author=author, clock=clock)
