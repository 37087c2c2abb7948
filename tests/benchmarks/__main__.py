"""``python -m tests.benchmarks``: measure, and print a table."""

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.benchmarks.bare_chain import measure_bare_chain
from tests.benchmarks.brokers import BrokerRun, embedded, mosquitto
from tests.benchmarks.dashboard import VIEWERS, DashboardFigures, measure_dashboard
from tests.benchmarks.figures import RealFigures, Series, mebibytes, milliseconds
from tests.benchmarks.real_chain import measure_real_chain

_TABLES = Path(__file__).parent / "tables"
_SAMPLES, _SAMPLES_QUICK = 200, 20
_BLOCKS = 4
"""Bare and real chain are measured in turn, so often, because what else the machine does changes."""
_WARM_UP = 3
"""Samples at the start of a process that do not count: its first messages meet code that never ran."""
_PAUSE_S = 0.05
_PERCENTILES = (50, 99)
_BARE, _REAL = "bare", "real"
_WIDTH = 110
"""Of the printed tables, whether on a terminal or in a file."""


@dataclass(slots=True, kw_only=True)
class Trial:
    """One broker, one way of wiring the table, and what was measured so."""

    name: str
    run_broker: BrokerRun
    table: Path
    bare: Series = field(default_factory=Series)
    real: RealFigures = field(default_factory=RealFigures)

    async def measure(self, directory: Path, samples: int) -> None:
        """Take samples of both chains in turn."""
        async with self.run_broker(directory) as broker:
            for block in _blocks(samples):
                self.bare.extend(
                    await measure_bare_chain(
                        broker, directory / _BARE, samples=block, warm_up=_WARM_UP, pause_s=_PAUSE_S
                    )
                )
                self.real.extend(
                    await measure_real_chain(
                        broker, self.table, directory / _REAL, samples=block, warm_up=_WARM_UP, pause_s=_PAUSE_S
                    )
                )


def trials() -> tuple[Trial, ...]:
    """Return what is measured; the goals are those of the first one."""
    apart, one_line = _TABLES / "lamps_apart.toml", _TABLES / "one_line.toml"
    return (
        Trial(name="Mosquitto, win lamps apart", run_broker=mosquitto, table=apart),
        Trial(name="Mosquitto, all on one line", run_broker=mosquitto, table=one_line),
        Trial(name="embedded, win lamps apart", run_broker=embedded, table=apart),
    )


def card_to_lamp(measured: tuple[Trial, ...]) -> Table:
    """Return from the last byte of the deciding card in to the first byte of the win lamp out, both chains."""
    table = Table(title="Card to lamp (goal on Mosquitto: p50 within 1.5 times, p99 within 2 times)")
    table.add_column("")
    for heading in ("samples", "bare p50", "p99", "real p50", "p99", "ratio p50", "p99"):
        table.add_column(heading, justify="right")
    for trial in measured:
        real = trial.real.card_to_lamp
        ratios = (real.percentile_ns(percent) / trial.bare.percentile_ns(percent) for percent in _PERCENTILES)
        table.add_row(
            trial.name,
            str(len(real.taken_ns)),
            *_percentiles(trial.bare),
            *_percentiles(real),
            *(f"{ratio:.2f}" for ratio in ratios),
        )
    return table


def reactions(measured: tuple[Trial, ...]) -> Table:
    """Return what needs no broker: from the poll that ends an input's debounce to the order."""
    table = Table(title="Poll to order (goal: p99 below 5 ms)")
    table.add_column("")
    for heading in ("samples", "button to lock p50", "p99", "chip to lamp p50", "p99"):
        table.add_column(heading, justify="right")
    for trial in measured:
        locks, lamps = trial.real.button_to_lock, trial.real.chip_to_lamp
        table.add_row(trial.name, str(len(locks.taken_ns)), *_percentiles(locks), *_percentiles(lamps))
    return table


def processes(measured: tuple[Trial, ...]) -> Table:
    """Return what the processes take to start, both at once, and how much memory they have in the end."""
    table = Table(title="From start to ready (median), and resident memory")
    table.add_column("")
    for heading in ("starts", "daemon, devices ready", "rules worker ready", "daemon", "rules worker"):
        table.add_column(heading, justify="right")
    for trial in measured:
        real = trial.real
        table.add_row(
            trial.name,
            str(len(real.daemon_ready.taken_ns)),
            milliseconds(real.daemon_ready.percentile_ns(50)),
            milliseconds(real.worker_ready.percentile_ns(50)),
            mebibytes(real.daemon_bytes),
            mebibytes(real.worker_bytes),
        )
    return table


def in_a_browser(figures: DashboardFigures) -> Table:
    """Return from a lamp's report to what is seen of it, and what the dashboard takes for that."""
    table = Table(title=f"Lamp to pixel (goal: p99 below 100 ms), and to each of {VIEWERS} who look")
    for heading in ("samples", "pixel p50", "p99", "viewers p50", "p99", "of a core, at", "memory, with 1, all"):
        table.add_column(heading, justify="right")
    table.add_row(
        str(len(figures.lamp_to_pixel.taken_ns)),
        *_percentiles(figures.lamp_to_pixel),
        *_percentiles(figures.lamp_to_viewer),
        f"{figures.cpu_percent} %, {figures.changes_per_s}/s",
        " ".join(mebibytes([size]) for size in figures.resident),
    )
    return table


def _percentiles(series: Series) -> Iterator[str]:
    return (milliseconds(series.percentile_ns(percent)) for percent in _PERCENTILES)


def _blocks(samples: int) -> Iterator[int]:
    for block in range(_BLOCKS):
        yield samples * (block + 1) // _BLOCKS - samples * block // _BLOCKS


async def _measure(chosen: tuple[Trial, ...], samples: int, folders: list[Path]) -> None:
    for trial, folder in zip(chosen, folders, strict=True):
        await trial.measure(folder, samples)


async def _measure_dashboard(samples: int, folder: Path) -> DashboardFigures:
    async with mosquitto(folder) as broker:
        return await measure_dashboard(broker, folder, samples=samples, pause_s=_PAUSE_S)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--samples", type=int, default=_SAMPLES, help=f"of each kind ({_SAMPLES})")
    parser.add_argument("--quick", action="store_true", help=f"take only {_SAMPLES_QUICK} samples")
    parser.add_argument("--dashboard", action="store_true", help="measure the dashboard alone")
    parser.add_argument("--only", type=int, choices=range(1, len(trials()) + 1), help="one row of the table")
    options = parser.parse_args()
    samples = _SAMPLES_QUICK if options.quick else options.samples
    chosen = trials() if options.only is None else trials()[options.only - 1 : options.only]
    console = Console(width=_WIDTH)
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        folders = [Path(name, str(number)) for number in range(len(chosen))]
        for folder in folders:
            for chain in (_BARE, _REAL):
                (folder / chain / "ports").mkdir(parents=True)
        if not options.dashboard:
            asyncio.run(_measure(chosen, samples, folders))
            for table in (card_to_lamp(chosen), reactions(chosen), processes(chosen)):
                console.print(table)
        if options.only is None:
            console.print(in_a_browser(asyncio.run(_measure_dashboard(samples, Path(name)))))


if __name__ == "__main__":
    main()
