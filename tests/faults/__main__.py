"""``python -m tests.faults``: the fault campaign, reported as a table.

Not part of the ordinary tests, because it takes half an hour; ``--deaths`` says how often a process or the
broker is killed. Exits with 1 if after any fault the books did not balance.
"""

import argparse
import asyncio
import itertools
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.brokers import Mosquitto, running_mosquitto
from tests.faults.balance import Balance
from tests.faults.disk import SmallDisk, may_mount, small_disk
from tests.faults.proxy import Chances, Mishap, faulty_proxy
from tests.faults.skewed import OFFSET_FILE, SkewedClock
from tests.faults.trouble import (
    Trouble,
    Victim,
    full_disk,
    killings,
    play_in_trouble,
    read_only_disk,
    stepped_clock,
    until_round,
)

_DEATHS = 1000
_DEATHS_A_RUN = 25
_AT_ONCE = 2
_DISK_TIMES, _CLOCK_STEPS, _ROUNDS = 5, 16, 12
_WIDTH = 130
_VICTIMS: tuple[Victim, ...] = ("daemon", "rules-worker", "broker")

Run = Callable[[Path, Mosquitto], Coroutine[Any, Any, tuple[Balance, Counter[str]]]]
"""Plays with one kind of fault; returns what the books came to, and how often what happened."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run to be made."""

    fault: str
    seed: int
    run: Run


@dataclass(slots=True, kw_only=True)
class Row:
    """All runs with one kind of fault."""

    fault: str
    runs: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    contributions: int = 0
    awards: int = 0
    heard: int = 0
    wrong: int = 0

    def add(self, balance: Balance, happened: Counter[str]) -> None:
        """Count a run whose books balanced."""
        self.happened += happened
        self.rounds += balance.rounds
        self.contributions += balance.contributions
        self.awards += balance.awards
        self.heard += balance.heard


async def campaign(deaths: int, seed: int) -> int:
    """Run all of it, print the table, and return how many runs went wrong."""
    console = Console(width=_WIDTH)
    began = time.monotonic()
    rows: dict[str, Row] = {}
    gate = asyncio.Semaphore(_AT_ONCE)

    async def make(attempt: Attempt) -> None:
        row = rows.setdefault(attempt.fault, Row(fault=attempt.fault))
        async with gate, running_mosquitto() as broker:
            with tempfile.TemporaryDirectory(prefix="faults-") as directory:
                row.runs += 1
                try:
                    row.add(*await attempt.run(Path(directory), broker))
                except (Exception, ExceptionGroup) as error:  # noqa: BLE001 - a campaign reports and goes on
                    row.wrong += 1
                    console.print(f"{row.fault}, seed {attempt.seed}: {_innermost(error)!r}", markup=False)

    await asyncio.gather(*map(make, itertools.chain(_deaths(deaths, seed), _messages(seed), _disks(seed))))
    # The clock that is set is that of this process too, so nothing else may run meanwhile.
    await make(Attempt("clock set a day forward and back", seed, partial(_with_stepped_clock, seed=seed)))
    console.print(_summary(rows.values(), f"{(time.monotonic() - began) / 60:.0f} minutes"))
    return sum(row.wrong for row in rows.values())


def _deaths(count: int, seed: int) -> Iterator[Attempt]:
    for begun in range(0, count, _DEATHS_A_RUN):
        here, own = min(_DEATHS_A_RUN, count - begun), seed + begun
        yield Attempt("SIGKILL at random instants", own, partial(_killed, deaths=here, seed=own))


async def _killed(directory: Path, broker: Mosquitto, *, deaths: int, seed: int) -> tuple[Balance, Counter[str]]:
    chance = random.Random(seed)  # noqa: S311 - victims have to be repeatable, not secret
    victims = [chance.choice(_VICTIMS) for _ in range(deaths)]
    balance = await play_in_trouble(directory, broker, killings(broker, victims, seed), seed=seed)
    return balance, Counter(f"{victim} killed" for victim in victims)


def _messages(seed: int) -> Iterator[Attempt]:
    for fault, chances in (
        ("messages lost", Chances(lost=0.1)),
        ("messages doubled", Chances(doubled=0.3)),
        ("messages overtaken", Chances(overtaken=0.3)),
        ("messages lost, doubled, overtaken", Chances(lost=0.1, doubled=0.1, overtaken=0.1)),
    ):
        yield Attempt(fault, seed, partial(_harmed, chances=chances, seed=seed))


async def _harmed(
    directory: Path, broker: Mosquitto, *, chances: Chances, seed: int
) -> tuple[Balance, Counter[str]]:
    async with faulty_proxy(broker, chances, seed) as proxy:
        balance = await play_in_trouble(directory, broker, until_round(_ROUNDS), seed=seed, address=proxy)
    return balance, Counter({str(mishap): proxy.counts[mishap] for mishap in Mishap})


def _disks(seed: int) -> Iterator[Attempt]:
    """Yield runs on a disk that fills up, or cannot be written; none where this user may not mount one."""
    if may_mount():
        yield Attempt("disk full", seed, partial(_on_disk, trouble=full_disk, seed=seed))
        yield Attempt("disk read-only", seed, partial(_on_disk, trouble=read_only_disk, seed=seed))


async def _on_disk(
    directory: Path, broker: Mosquitto, *, trouble: Callable[[SmallDisk, int, int], Trouble], seed: int
) -> tuple[Balance, Counter[str]]:
    with small_disk(directory / "var") as disk:
        balance = await play_in_trouble(directory, broker, trouble(disk, _DISK_TIMES, seed), seed=seed)
    return balance, Counter({"times": _DISK_TIMES})


async def _with_stepped_clock(directory: Path, broker: Mosquitto, *, seed: int) -> tuple[Balance, Counter[str]]:
    offset = directory / "offset"
    offset.write_text("0")
    os.environ[OFFSET_FILE] = str(offset)
    clock = SkewedClock(offset)
    clock.install()
    try:
        trouble = stepped_clock(clock, _CLOCK_STEPS, seed)
        balance = await play_in_trouble(directory, broker, trouble, seed=seed, module="tests.faults.skewed")
    finally:
        clock.restore()
    return balance, Counter({"steps": _CLOCK_STEPS})


def _summary(rows: Iterable[Row], took: str) -> Table:
    table = Table(title=f"Faults, and whether the books balance after them ({took})")
    for heading in (
        "fault",
        "runs",
        "how often",
        "rounds",
        "contributions",
        "awards",
        "messages checked",
        "wrong",
    ):
        table.add_column(heading, justify="left" if heading in ("fault", "how often") else "right")
    for row in rows:
        often = ", ".join(f"{times:,} {what}" for what, times in sorted(row.happened.items()))
        figures = (row.rounds, row.contributions, row.awards, row.heard, row.wrong)
        table.add_row(row.fault, str(row.runs), often, *(f"{figure:,}" for figure in figures))
    return table


def _innermost(error: BaseException) -> BaseException:
    return _innermost(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--deaths", type=int, default=_DEATHS, help="how often something is killed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.exit(1 if asyncio.run(campaign(options.deaths, options.seed)) else 0)
