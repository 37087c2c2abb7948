"""A whole table in memory: devices on null modems, people, daemon, rules worker, and all that is published."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bridge.bus.memory import MemoryBus
from bridge.config.table_config import TableConfig
from bridge.contracts.author import Author
from bridge.contracts.codec import decode
from bridge.contracts.envelopes import Envelope, PositionIndicatorsEnvelope
from bridge.demo.display import TableDisplay
from bridge.demo.stage import table_lines
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.table_view import LampReport
from bridge.drivers.fleet import Fleet
from bridge.known_table import subscriptions
from bridge.transports import Transport
from bridge.transports.errors import TransientTransportError
from bridge.transports.pair import NullModem
from bridge.wire.spec import SerialSettings
from simulators.alpha_sign import MeterSign
from simulators.baccarat_people import BaccaratPeople
from simulators.device import SimulatedCardReader, SimulatedDevice, SimulatedLine
from simulators.faults import Cables
from simulators.models import simulate_line
from simulators.people import People
from simulators.port import SOUND, Port, hosted
from simulators.running import running
from simulators.table import SimulatedTable, simulated_table
from simulators.table_ports import Hosting
from tests.one_process import FLOOR, OneProcess, SetClock, demonstration, one_process
from tests.patience import PATIENCE_S
from tests.simulators.little_bridge import polled_often


class PairPort(Port):
    """A simulated line joined to the bridge by a null modem, in memory."""

    def __init__(self, line: SimulatedLine, name: str, cables: Cables = SOUND) -> None:
        super().__init__(line, cables=cables)
        self._url = f"pair://{name}"
        self._plugged_in = False
        self._modem: NullModem | None = None
        self.said = bytearray()
        """Every byte that the devices have said."""

    @property
    def url(self) -> str:
        return self._url

    @property
    def plugged_in(self) -> bool:
        return self._plugged_in

    def plug_in(self) -> None:
        self._plugged_in = True

    def open(self) -> Transport:
        """Return the bridge's end of a new cable."""
        if not self._plugged_in:
            raise TransientTransportError(f"{self._url}: nothing is plugged in")
        self._modem = NullModem(to_device=self._travel)
        return self._modem.bridge

    def _travel(self, data: bytes) -> Iterable[bytes]:
        self.hear(data)
        return ()

    def _take_away(self) -> None:
        self._plugged_in = False
        if self._modem is not None:
            self._modem.unplug()

    def _write(self, data: bytes) -> None:
        self.said += data
        if self._modem is not None:
            self._modem.bridge.arrive(data)


class Whole:
    """A table with all its parts: simulated devices, people, daemon, rules worker, and what was published."""

    def __init__(
        self, simulated: SimulatedTable, ports: dict[str, PairPort], parts: OneProcess, display: TableDisplay
    ) -> None:
        self.simulated = simulated
        self.ports = ports
        self.parts = parts
        self.people = People(simulated, display, floorperson=FLOOR, pace=0, patience_s=PATIENCE_S)
        self.baccarat_people = BaccaratPeople(simulated, display, floorperson=FLOOR, pace=0, patience_s=PATIENCE_S)
        self._decoded: list[Envelope] = []

    def envelopes(self) -> list[Envelope]:
        """Return everything that was published so far, as whoever listens reads it."""
        payloads = self.parts.broker.payloads
        self._decoded += [decode(topic, payload) for topic, payload in payloads[len(self._decoded) :]]
        return list(self._decoded)

    def shown(self, position: int, lamp: Lamp) -> list[tuple[LampState, LampReport]]:
        """Return what was published of one lamp, wanted and reported, each change once."""
        seen = [
            (view.wanted, view.reported)
            for envelope in self.envelopes()
            if isinstance(envelope, PositionIndicatorsEnvelope) and envelope.position == position
            for view in envelope.lamps
            if view.indicator.lamp is lamp
        ]
        return [now for place, now in enumerate(seen) if place == 0 or seen[place - 1] != now]


@asynccontextmanager
async def whole(folder: Path, config: TableConfig | None = None) -> AsyncIterator[Whole]:
    """Put a table together in memory: the demonstration's, if no other is meant."""
    config = polled_often(config or demonstration())
    devices: dict[DeviceId, SimulatedDevice] = {}
    readers: dict[DeviceId, SimulatedCardReader] = {}
    signs: dict[DeviceId, MeterSign] = {}
    ports = {
        line.name: PairPort(simulate_line(line, devices, readers, signs), line.name)
        for line in table_lines(config)
    }
    simulated = SimulatedTable(config.setup, devices, readers, signs=signs)
    by_url = {port.url: port for port in ports.values()}
    config = config.with_ports({name: port.url for name, port in ports.items()})
    clock = SetClock()

    async def open_port(url: str, _settings: SerialSettings) -> Transport:
        return by_url[url].open()

    def fleet() -> Fleet:
        return Fleet(config.lines, clock, open_port=open_port, seed=1)

    async with AsyncExitStack() as stack:
        for port in ports.values():
            await stack.enter_async_context(hosted(port))
        parts = await stack.enter_async_context(one_process(folder, config, clock=clock, fleet=fleet))
        display = await stack.enter_async_context(a_display(config, parts))
        yield Whole(simulated, ports, parts, display)


@dataclass(frozen=True, slots=True)
class OnTerminals:
    """A table whose devices are on pseudo-terminals, and on a USB bus."""

    simulated: SimulatedTable
    parts: OneProcess
    people: People


@asynccontextmanager
async def on_terminals(folder: Path, config: TableConfig) -> AsyncIterator[OnTerminals]:
    """Put a table together with every line on a pseudo-terminal, or on the USB bus if its port says so."""
    config = polled_often(config)
    ports = folder / "ports"
    ports.mkdir()
    clock = SetClock()
    async with AsyncExitStack() as stack:
        hosting = Hosting(directory=ports, paced=False)
        simulated = await stack.enter_async_context(simulated_table(config.setup, table_lines(config), hosting))
        config = config.with_ports(simulated.paths)
        parts = await stack.enter_async_context(
            one_process(folder, config, clock=clock, fleet=lambda: Fleet(config.lines, clock, seed=1))
        )
        display = await stack.enter_async_context(a_display(config, parts))
        people = People(simulated, display, floorperson=FLOOR, pace=0, patience_s=PATIENCE_S)
        yield OnTerminals(simulated, parts, people)


@asynccontextmanager
async def a_display(config: TableConfig, parts: OneProcess) -> AsyncIterator[TableDisplay]:
    table, clock = config.setup.table, parts.clock
    author = Author(f"{table}-display", clock)
    bus = MemoryBus(
        parts.broker,
        client_id=author.sender,
        subscriptions=subscriptions(table),
        will=None,
        birth=None,
        clock=clock,
    )
    async with bus:
        display = TableDisplay(table, bus=bus, author=author, clock=clock)
        async with running(display.follow(lambda _: None), name="display"):
            yield display


def cards_at(order: int, value: object) -> Iterator[str]:
    """Yield every card of a message that has this place in its round, as its JSON says it."""
    match value:
        case {"order": int(place), "card": card} if place == order:
            yield card if isinstance(card, str) else json.dumps(card)
        case dict():
            for inner in value.values():
                yield from cards_at(order, inner)
        case list():
            for inner in value:
                yield from cards_at(order, inner)
        case _:
            pass
