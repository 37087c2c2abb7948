"""``python -m tests.benchmarks.twenty``: twenty devices on one daemon, and one of them misbehaving.

Seven positions with a line of two modules each, keys and lock, win lamps, a card reader: ten lines, twenty
devices, at 115200 baud. What is measured is chip to lamp at six positions, from the answer that ends a sensor's
debounce to the order for the lamp; meanwhile the seventh line is sound, flooded, or unplugged and plugged in.
That one is simulated by a process of its own, so that its misbehaviour costs the measuring process nothing.
"""

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiomqtt
from rich.console import Console
from rich.table import Table

from bridge.config import TableConfig, load_table
from bridge.demo.stage import table_lines
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import WagerSensor
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.table import simulated_table
from simulators.table_ports import Hosting, TableLine
from tests.benchmarks.brokers import mosquitto
from tests.benchmarks.figures import Series, mebibytes, milliseconds
from tests.benchmarks.processes import bridge_options, cpu_ns, process, resident_bytes
from tests.benchmarks.real_chain import BenchedTable, until_ready_ns
from tests.benchmarks.tap import NotOnTheLineError, Tap

_TABLES = Path(__file__).parent / "tables"
_TABLE = _TABLES / "twenty_devices.toml"
_BAUD = 115_200
_SAMPLES = 1_500
_BLOCKS = 15
"""The three ways are measured in turn, so often, because what else the machine does changes."""
_PATIENCE_S = 60
_PAUSE_S = 0.02
_FLOOD_BYTES, _FLOOD_EVERY_S = 1_000, 0.1
"""As fast as the line can carry it: 115200 baud are 11520 bytes a second."""
_FLAP_S = 0.5
_TROUBLED = "position-7"
_MEASURED = tuple(BettingPosition(number) for number in range(1, 7))
_PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE

Say = Callable[[str], None]
"""Says a line to the console of the seventh line."""
Misbehaviour = Callable[[Say], Awaitable[None]]


@dataclass(slots=True)
class Way:
    """How the seventh line behaves, and what was measured meanwhile."""

    name: str
    misbehave: Misbehaviour | None
    chip_to_lamp: Series = field(default_factory=Series)
    cpu_ns: int = 0
    elapsed_s: float = 0
    daemon_bytes: list[int] = field(default_factory=list)
    not_timed: int = 0
    """Samples whose request came in one piece with another, as a repeated one does, so that it has no time."""


async def flood(say: Say) -> None:
    """Let the line carry nothing but noise, without end."""
    while True:
        say(f"flood {_FLOOD_BYTES}")
        await asyncio.sleep(_FLOOD_EVERY_S)


async def flap(say: Say) -> None:
    """Come and go, without end."""
    while True:
        say("unplug")
        await asyncio.sleep(_FLAP_S)
        say("plug")
        await asyncio.sleep(_FLAP_S)


@contextlib.asynccontextmanager
async def _misbehaving(way: Way, say: Say) -> AsyncIterator[None]:
    if way.misbehave is None:
        yield
        return
    task = asyncio.ensure_future(way.misbehave(say))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        say("plug")


@contextlib.asynccontextmanager
async def _seventh_line(line: TableLine, directory: Path) -> AsyncIterator[tuple[str, Say]]:
    """Yield the path at which a process simulates the line, and what speaks to its console."""
    path = directory / line.name
    units = [str(unit.address) for _, unit in line.devices]
    options = ("--units", *units, "--path", str(path), "--baud", str(_BAUD))
    seventh = "modbus"
    async with process(
        "simulators", seventh, *options, log=directory / f"{line.name}.log", says=f"{seventh} {path}", told=True
    ) as simulator:
        console, answers = simulator.stdin, simulator.stdout
        assert console is not None
        assert answers is not None
        reading = asyncio.ensure_future(_read_away(answers))
        try:
            yield str(path), lambda text: console.write(f"{text}\n".encode())
        finally:
            reading.cancel()


async def _read_away(answers: asyncio.StreamReader) -> None:
    while await answers.readline():
        pass


async def _sample(bench: BenchedTable, position: BettingPosition, way: Way) -> None:
    """Lay a chip at a position, see its lamp lit, and take both chips away again."""
    table = bench.table
    table.lay_chip(position, WagerKind.BLACKJACK)
    await asyncio.sleep(_PAUSE_S * 3)
    bench.forget()
    table.lay_chip(position, _PROGRESSIVE)
    await table.until(lambda: position in table.lit(Lamp.WAGER_ACCEPTED))
    cause, effect = WagerSensor(position=position, wager=_PROGRESSIVE), Indicator(position, Lamp.WAGER_ACCEPTED)
    try:
        way.chip_to_lamp.add(bench.reaction_ns(cause, effect))
    except NotOnTheLineError:
        way.not_timed += 1
    table.take_chip(position, _PROGRESSIVE)
    await table.until(lambda: position not in table.lit(Lamp.WAGER_ACCEPTED))
    table.take_chip(position, WagerKind.BLACKJACK)
    await asyncio.sleep(_PAUSE_S)


async def _block(
    bench: BenchedTable, way: Way, daemon: asyncio.subprocess.Process, say: Say, samples: int
) -> None:
    loop = asyncio.get_running_loop()
    async with _misbehaving(way, say):
        cpu_before_ns, began_s = cpu_ns(daemon), loop.time()
        for number in range(samples):
            async with asyncio.timeout(_PATIENCE_S):
                await _sample(bench, _MEASURED[number % len(_MEASURED)], way)
        way.cpu_ns += cpu_ns(daemon) - cpu_before_ns
        way.elapsed_s += loop.time() - began_s
        way.daemon_bytes.append(resident_bytes(daemon))
    await asyncio.sleep(1)


async def measure(ways: tuple[Way, ...], samples: int, directory: Path) -> None:
    """Run the table, and take samples of each way in turn."""
    config: TableConfig = load_table(_TABLE)
    lines = [replace(line, serial=replace(line.serial, baud=_BAUD)) for line in table_lines(config)]
    ports = directory / "ports"
    ports.mkdir()
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(mosquitto(directory))
        seventh = next(line for line in lines if line.name == _TROUBLED)
        others = [line for line in lines if line is not seventh]
        path, say = await stack.enter_async_context(_seventh_line(seventh, ports))
        table = await stack.enter_async_context(simulated_table(config.setup, others, Hosting(directory=ports)))
        taps = {name: Tap(port.line) for name, port in table.ports.items()}
        for name, tap in taps.items():
            table.ports[name].line = tap
        bench = BenchedTable(config, table, taps)
        options = bridge_options(
            _TABLE, broker.host, broker.port, directory / "var", {**table.paths, _TROUBLED: path}
        )
        daemon = await stack.enter_async_context(
            process("bridge", "daemon", *options, log=directory / "daemon.log")
        )
        await stack.enter_async_context(
            process("bridge", "rules-worker", *options, log=directory / "rules-worker.log")
        )
        client = await stack.enter_async_context(aiomqtt.Client(broker.host, broker.port))
        await until_ready_ns(client, config, 0)
        for _ in range(_BLOCKS):
            for way in ways:
                await _block(bench, way, daemon, say, samples // _BLOCKS)


def printed(ways: tuple[Way, ...]) -> Table:
    """Return the figures as they are printed."""
    table = Table(title="20 devices on one daemon (goal: p99 of the others within 1.1 times)")
    table.add_column("seventh line")
    for heading in ("samples", "not timed", "chip to lamp p50", "p99", "to sound", "CPU of a core", "resident"):
        table.add_column(heading, justify="right")
    sound_ns = ways[0].chip_to_lamp.percentile_ns(99)
    for way in ways:
        p99_ns = way.chip_to_lamp.percentile_ns(99)
        table.add_row(
            way.name,
            str(len(way.chip_to_lamp.taken_ns)),
            str(way.not_timed),
            milliseconds(way.chip_to_lamp.percentile_ns(50)),
            milliseconds(p99_ns),
            f"{p99_ns / sound_ns:.2f}",
            f"{way.cpu_ns / way.elapsed_s / 10_000_000:.0f} %",
            mebibytes(way.daemon_bytes),
        )
    return table


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.twenty", description=__doc__)
    parser.add_argument("--samples", type=int, default=_SAMPLES, help=f"of each way ({_SAMPLES})")
    options = parser.parse_args()
    ways = (Way("sound", None), Way("flooded", flood), Way("unplugged and plugged in", flap))
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        asyncio.run(measure(ways, options.samples, Path(name)))
    Console(width=120).print(printed(ways))


if __name__ == "__main__":
    main()
