"""Plays a scenario while the daemon or the rules worker is killed and started again, and looks at the books."""

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bridge.contracts.envelopes import SettlementEnvelope
from bridge.domain.settlements import Settlement
from simulators.scenario import ScriptedRound
from tests.brokers import RunningBroker
from tests.processes.books import (
    Books,
    check_published,
    check_same,
    differences,
    read_books,
    settled_in_the_end,
    timeless,
)
from tests.processes.mortal import Moment
from tests.processes.table import RunningTable, running_table

Victim = Literal["daemon", "rules-worker"]
Death = tuple[Moment, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """One death, and what the journal ended with."""

    victim: Victim
    moment: Moment
    when: str
    record: int
    kind: str
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A scenario that was played to its end."""

    books: Books
    crashes: tuple[Crash, ...]
    settled: tuple[Settlement, ...]
    """The last settlement of each round."""
    published: int
    """States and rounds that were compared with the journal."""
    answers: int
    """Rounds that the rules worker was given, counted by their settlements."""


async def play(
    directory: Path,
    broker: RunningBroker,
    scripts: Sequence[ScriptedRound],
    *,
    victim: Victim = "daemon",
    deaths: Sequence[Death] = (),
) -> Played:
    """Play rounds; each life of the victim ends with the next of the deaths, and the last goes on to the end.

    Assert whatever must hold of a run by itself; ``check_same`` compares it with one in which nobody died.
    """
    first = tuple(deaths[0]) if deaths else ()
    async with running_table(
        directory,
        broker,
        dying_daemon=first if victim == "daemon" else (),
        dying_worker=first if victim == "rules-worker" else (),
    ) as table:
        crashes: list[Crash] = []
        async with asyncio.TaskGroup() as tasks:
            mourning = tasks.create_task(_bring_back(table, victim, deaths, crashes), name="supervisor")
            await table.play(*scripts)
            mourning.cancel()
        await table.until_ready()
        await table.until_seen(
            lambda view: all(lamp.reported.value == lamp.wanted.value for lamp in view.lamps),
            "the lamps to read back",
        )
        await table.daemon.stop()
        await table.worker.stop()
        books = await read_books(table)
        await table.until(
            lambda: not any(health.online for health in table.display.health.values()), "both to have said goodbye"
        )
        heard = table.eyes.heard
        assert table.eyes.lock_let_go == 0, "the lock-out let go while the round was locked"
        assert table.eyes.lamps_changed == 0, "an acceptance lamp changed while the round was locked"
        return Played(
            books=books,
            crashes=tuple(crashes),
            settled=settled_in_the_end(heard),
            published=check_published(books, heard),
            answers=len(table.all_heard(SettlementEnvelope)),
        )


def check(played: Played, reference: Played) -> None:
    """Assert that a run in which processes died came to what one came to in which nobody did."""
    check_same(played.books, reference.books)
    here, there = (timeless(run.settled, run.books.closed[0].number) for run in (played, reference))
    differ = list(differences(here, there))
    assert not differ, f"not the same settlements: {'; '.join(differ[:5])}"


async def _bring_back(table: RunningTable, victim: Victim, deaths: Sequence[Death], crashes: list[Crash]) -> None:
    process = table.daemon if victim == "daemon" else table.worker
    for place, (moment, when) in enumerate(deaths):
        status = await process.ended(patience_s=None)
        assert status == -signal.SIGKILL, f"the {victim} ended by itself, with {status}:\n{process.words()}"
        if victim == "daemon":
            found = await read_books(table)
            record, phase = found.records[-1], found.state.phase
            crashes.append(
                Crash(
                    victim=victim,
                    moment=moment,
                    when=when,
                    record=record.sequence,
                    kind=record.event.kind,
                    phase=phase,
                )
            )
        else:
            shown = table.eyes.table_said
            crashes.append(
                Crash(
                    victim=victim,
                    moment=moment,
                    when=when,
                    record=0 if shown is None else shown.sequence,
                    kind="",
                    phase="" if shown is None else shown.view.phase,
                )
            )
        await process.start(*(deaths[place + 1] if place + 1 < len(deaths) else ()))
