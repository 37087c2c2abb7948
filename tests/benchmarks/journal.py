"""``python -m tests.benchmarks.journal``: what a journal takes to write, to look at whole, and to start from.

The journal is one of many gaming days of random rounds, made by the real state machine. ``--folder`` keeps it, so
that it need not be made again. The figures are this machine's at this moment; processor time beside the time
that passed says how much of it was others'.
"""

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bridge.domain.events import TableEvent
from bridge.stores.fold import table_fold
from bridge.stores.fold_starts import starts
from bridge.stores.journal_files import files_of
from bridge.stores.sqlite_journal import SqliteJournal
from tests.one_process import demonstration
from tests.random_play import RandomPlay
from tests.simulators.little_bridge import DEMONSTRATION
from tests.stores.days import Writing

_EVENTS, _EVENTS_QUICK = 1_000_000, 20_000
_ROUNDS_A_DAY = 1_000
"""Sixty an hour for sixteen hours: about fifty thousand events."""
_APPENDED = 4_000
_AT_ONCE = 64
_STARTS = 5
_WIDTH = 110
_READY = "the table stands after event"


@dataclass(slots=True)
class Taken:
    """Seconds that passed, and seconds of a processor."""

    passed_s: float = 0.0
    processor_s: float = 0.0


@contextmanager
def taken(who: int = resource.RUSAGE_SELF) -> Iterator[Taken]:
    """Measure what is done inside."""
    result, used, began = Taken(), _processor_s(who), time.perf_counter()
    yield result
    result.passed_s, result.processor_s = time.perf_counter() - began, _processor_s(who) - used


def _processor_s(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def play(events: int) -> Iterator[TableEvent]:
    """Yield that many events of a table."""
    return islice(RandomPlay(demonstration(), seed=7, rounds_a_day=_ROUNDS_A_DAY).events(), events)


async def make(path: Path, events: int) -> None:
    """Journal events as the daemon does."""
    async with SqliteJournal.open(path) as journal:
        await (await Writing(journal).resume()).happen(play(events))


async def append(folder: Path, together: int, at_once: int) -> Taken:
    """Append events, so many in one call and so many calls at once."""
    events = list(play(_APPENDED))
    parts = [events[start : start + together] for start in range(0, len(events), together)]
    async with SqliteJournal.open(folder / f"append-{together}-{at_once}.journal") as journal:
        with taken() as result:
            for start in range(0, len(parts), at_once):
                await asyncio.gather(*(journal.append(part) for part in parts[start : start + at_once]))
    return result


def verify(path: Path, *options: str) -> Taken:
    """Look at a journal as a person does, with the command."""
    with taken(resource.RUSAGE_CHILDREN) as result:
        subprocess.run(
            [sys.executable, "-m", "bridge", "journal", "verify", str(path), *options],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return result


def fold(path: Path) -> Taken:
    """Decode and fold every record, in one process."""
    fold_ = table_fold()
    beginning = list(starts(path, fold_))[-1]
    with taken() as result:
        state = None
        for record in beginning.records():
            state = fold_.evolve(fold_.begin(record.event) if state is None else state, record.event)
    return result


def start(path: Path) -> Taken:
    """Start the daemon, and wait until it has read its journal."""
    command = [sys.executable, "-m", "bridge", "daemon", str(DEMONSTRATION), "--storage", str(path.parent)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with (
        taken(resource.RUSAGE_CHILDREN) as result,
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as daemon,
    ):
        assert daemon.stderr is not None
        said = ""
        for said in daemon.stderr:
            if _READY in said:
                break
        ready = time.perf_counter()
        daemon.kill()
        assert _READY in said, said
    # The rest of the time was its end.
    result.passed_s -= time.perf_counter() - ready
    return result


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.journal", description=__doc__)
    parser.add_argument("--events", type=int, default=_EVENTS, help=f"in the journal ({_EVENTS})")
    parser.add_argument("--quick", action="store_true", help=f"a journal of only {_EVENTS_QUICK}")
    parser.add_argument("--folder", type=Path, help="keep the journal here, or use the one that is here")
    options = parser.parse_args()
    events = _EVENTS_QUICK if options.quick else options.events
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        folder = options.folder or Path(name)
        path = folder / f"{demonstration().setup.table}.journal"
        if not files_of(path):
            asyncio.run(make(path, events))
        Console(width=_WIDTH).print(_figures(path, Path(name)))


def _figures(path: Path, scratch: Path) -> Table:
    records = sum(1 for _ in list(starts(path, table_fold()))[-1].records())
    size = sum(file.stat().st_size for file in files_of(path))
    table = Table(title=f"A journal of {records} events in {len(files_of(path))} files, {size // 2**20} MiB")
    table.add_column("")
    for heading in ("events", "seconds", "of a processor", "events a second"):
        table.add_column(heading, justify="right")

    def row(what: str, count: int, result: Taken) -> None:
        rate = f"{count / result.passed_s:,.0f}" if count > 1 else ""
        table.add_row(what, f"{count:,}", f"{result.passed_s:.2f}", f"{result.processor_s:.2f}", rate)

    for together, at_once in ((1, 1), (1, _AT_ONCE), (_AT_ONCE, 1)):
        what = f"append {together} a call, {at_once} calls at once"
        row(what, _APPENDED, asyncio.run(append(scratch, together, at_once)))
    row("fold from the beginning, one process", records, fold(path))
    row("journal verify, one process", records, verify(path, "--processes", "1"))
    row("journal verify", records, verify(path))
    begun = [start(path) for _ in range(_STARTS)]
    for result in sorted(begun, key=lambda one: one.passed_s)[:: _STARTS - 1]:
        row("daemon, from its start until it has read its journal (best, worst)", 1, result)
    return table


if __name__ == "__main__":
    main()
