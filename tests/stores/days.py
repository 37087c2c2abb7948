"""A table's journal over several gaming days, written as the daemon writes it: filed by day, its state kept."""

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from itertools import islice
from pathlib import Path

from bridge.domain.events import BridgeStarted, GamingDayBegan, TableEvent
from bridge.stores import chain, journal_sql
from bridge.stores.fold import table_fold
from bridge.stores.journal import Journal
from bridge.stores.journal_files import folder_of_finished
from bridge.stores.snapshots import Snapshot, make_snapshot
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.state_keeper import StateKeeper
from bridge.table.evolve import evolve
from bridge.table.state import TableState, initial_state
from tests.one_process import demonstration
from tests.random_play import RandomPlay

_MADE = tempfile.TemporaryDirectory(prefix="days-")
_TOGETHER = 64
"""Events that go into one commit."""


def days_of_play(days: int, *, rounds_a_day: int = 2, seed: int = 1) -> list[TableEvent]:
    """Return the events of some gaming days."""
    return list(_played(days, rounds_a_day, seed))


@cache
def _played(days: int, rounds_a_day: int, seed: int) -> tuple[TableEvent, ...]:
    play = RandomPlay(demonstration(), seed=seed, rounds_a_day=rounds_a_day)
    events: list[TableEvent] = []
    for event in play.events():
        if isinstance(event, GamingDayBegan) and sum(isinstance(e, GamingDayBegan) for e in events) == days:
            return tuple(events)
        events.append(event)
    raise AssertionError("a table plays for ever")


class Writing:
    """A table that journals what happens at it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.keeper = StateKeeper(journal, table_fold())
        self.state = initial_state(demonstration().setup)

    async def resume(self) -> "Writing":
        self.state = await self.keeper.resume() or self.state
        return self

    async def happen(self, events: Iterable[TableEvent]) -> TableState:
        for batch in _batches(events):
            if isinstance(batch[0], BridgeStarted) and not self.state.sequence:
                self.state = initial_state(batch[0].setup)
            for part in self.keeper.parts(self.state, batch):
                await self.keeper.file(self.state, part[0])
                for record in await self.journal.append(part):
                    self.state = evolve(self.state, record.event)
            if self.keeper.is_due(self.state):
                await self.keeper.keep(self.state)
        return self.state

    async def keep(self) -> None:
        await self.keeper.keep(self.state)


async def write(path: Path, events: Iterable[TableEvent]) -> TableState:
    """Journal events as the daemon does; return the state after them."""
    async with SqliteJournal.open(path) as journal:
        return await (await Writing(journal).resume()).happen(events)


def lay_out(path: Path, days: int, *, rounds_a_day: int = 2) -> Path:
    """Put the journal of some gaming days at a place, as ``write`` makes it; it is made once, and then copied."""
    key = f"{days}-{rounds_a_day}"
    made = Path(_MADE.name) / key / "journal"
    if not made.exists():
        with ThreadPoolExecutor(1) as elsewhere:  # for the caller may be on an event loop
            elsewhere.submit(asyncio.run, write(made, days_of_play(days, rounds_a_day=rounds_a_day))).result()
    shutil.copy(made, path)
    if (finished := folder_of_finished(made)).exists():
        shutil.copytree(finished, folder_of_finished(path))
    return path


def folded(events: Iterable[TableEvent]) -> TableState:
    state = initial_state(demonstration().setup)
    for event in events:
        state = evolve(state, event)
    return state


def unguarded(path: Path, *statements: str) -> None:
    """Do to a file what only somebody else would do, also to a finished one."""
    path.chmod(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def forge(path: Path, *statements: str) -> None:
    """Change records and make the chain follow from them again, as somebody does who knows how it is made."""
    unguarded(path, *statements)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        link = journal_sql.head_of(connection).before
        for sequence, at, kind, body, _ in list(journal_sql.rows_from(connection, link.sequence)):
            link = chain.Link(sequence, chain.link_hash(link.hash, sequence, at, kind, body))
            connection.execute("UPDATE records SET hash = ? WHERE sequence = ?", (link.hash, sequence))
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def rewrite_snapshot(path: Path, sequence: int, change: Callable[[Snapshot], Snapshot]) -> None:
    """Change a kept state, and make its digest hold again."""
    unguarded(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (found,) = (one for one in journal_sql.snapshots_down_from(connection) if one.sequence == sequence)
        new = change(found)
        connection.execute("DELETE FROM snapshots WHERE sequence = ?", (sequence,))
        journal_sql.insert_snapshot(
            connection,
            make_snapshot(
                sequence=new.sequence, hash_=new.hash, software=new.software, code=new.code, body=new.body
            ),
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _batches(events: Iterable[TableEvent]) -> Iterator[list[TableEvent]]:
    left = iter(events)
    while batch := list(islice(left, _TOGETHER)):
        yield batch
