"""SIGKILL at every event boundary of the Crown Treasure scenario, one run each.

``python -m tests.processes.campaign`` is not part of the ordinary tests, because it takes minutes. It prints
a table, and exits with 1 if any run came to something else than the run in which nobody died.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.brokers import running_mosquitto
from tests.processes.crashes import Death, Played, Victim, check, play
from tests.processes.mortal import Moment
from tests.processes.table import scenario

_AT_ONCE = 2
_SCRIPTS = scenario("crown_treasure")
_VICTIMS: dict[Moment, Victim] = {
    Moment.WRITTEN: "daemon",
    Moment.PERFORMED: "daemon",
    Moment.RECEIVED: "rules-worker",
    Moment.POSTED: "rules-worker",
    Moment.ANSWERED: "rules-worker",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One run with one death."""

    death: Death
    died_at: str
    """The record or the phase; empty if the run was over before."""
    fault: str
    seconds: float


async def campaign(only: Death | None = None) -> int:
    """Run all of it, or one death, and print the table; return how many runs went wrong."""
    console = Console(width=160)
    reference = await _run(())
    records, answers = len(reference.books.records), reference.answers
    console.print(
        f"Nobody dies: {records} records, {answers} settlements, {len(reference.books.postings)} postings"
    )
    gate = asyncio.Semaphore(_AT_ONCE)
    runs = [
        asyncio.ensure_future(_attempt(death, reference, gate))
        for death in ([only] if only else _deaths(records=records, answers=answers))
    ]
    attempts = [await run for run in track(runs, console=console)]
    console.print(_summary(attempts))
    wrong = [attempt for attempt in attempts if attempt.fault]
    for attempt in wrong:
        console.print(f"{attempt.death}: at {attempt.died_at}: {attempt.fault}", markup=False)
    return len(wrong)


def _deaths(*, records: int, answers: int) -> Iterator[Death]:
    for moment, victim in _VICTIMS.items():
        for when in range(1, (records if victim == "daemon" else answers) + 1):
            yield moment, str(when)


async def _attempt(death: Death, reference: Played, gate: asyncio.Semaphore) -> Attempt:
    async with gate:
        began = time.monotonic()
        fault, died_at = "", ""
        try:
            run = await _run((death,))
        except (Exception, ExceptionGroup) as error:  # noqa: BLE001 - a campaign reports and goes on
            fault = repr(error)
        else:
            died_at = "; ".join(f"{crash.kind} {crash.phase}".strip() for crash in run.crashes)
            try:
                check(run, reference)
            except AssertionError as error:
                fault = str(error) or "not the same books"
        return Attempt(death=death, died_at=died_at, fault=fault, seconds=time.monotonic() - began)


async def _run(deaths: tuple[Death, ...]) -> Played:
    with tempfile.TemporaryDirectory(prefix="campaign-") as directory:
        async with running_mosquitto() as broker:
            victim = _VICTIMS[deaths[0][0]] if deaths else "daemon"
            return await play(Path(directory), broker, _SCRIPTS, victim=victim, deaths=deaths)


def _summary(attempts: list[Attempt]) -> Table:
    table = Table(title="Killed once in each run")
    for heading in (
        "victim",
        "moment",
        "runs",
        "died",
        "same books",
        "wrong",
        "seconds a run",
        "kinds of moments",
    ):
        table.add_column(heading, justify="left" if heading in ("victim", "moment") else "right")
    for moment, victim in _VICTIMS.items():
        runs = [attempt for attempt in attempts if attempt.death[0] is moment]
        if not runs:
            continue
        died = [attempt for attempt in runs if attempt.died_at]
        kinds = Counter(attempt.died_at.partition(" ")[0] for attempt in died)
        table.add_row(
            victim,
            moment,
            str(len(runs)),
            str(len(died)),
            str(sum(not attempt.fault for attempt in runs)),
            str(sum(bool(attempt.fault) for attempt in runs)),
            f"{sum(attempt.seconds for attempt in runs) / len(runs):.1f}",
            str(len(kinds)),
        )
    return table


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.processes.campaign", description=__doc__)
    moments = ", ".join(_VICTIMS)
    parser.add_argument("--only", nargs=2, metavar=("MOMENT", "WHEN"), help=f"one death: {moments}, and a number")
    only = parser.parse_args().only
    sys.exit(1 if asyncio.run(campaign((Moment(only[0]), only[1]) if only else None)) else 0)


if __name__ == "__main__":
    main()
