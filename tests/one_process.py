"""Daemon and rules worker of one table in one process: a real journal, real meters, a broker in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence as Items
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import Clock, SystemClock
from bridge.config.load import load_table
from bridge.config.table_config import TableConfig
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    ConfirmationEnvelope,
    Envelope,
)
from bridge.contracts.topics import topic_filter
from bridge.daemon import Daemon, RunningSoftware
from bridge.daemon.inbound import subscriptions
from bridge.domain.commands import DeviceCommand, SetIndicator, SetLock
from bridge.domain.confirmations import Confirmation
from bridge.domain.events import IndicatorReported, LockReported, TableEvent
from bridge.domain.identity import PersonId, Timestamp
from bridge.domain.indicators import LampState
from bridge.domain.setup import IndicatorOutput, LockOutput, TableSetup
from bridge.drivers.fleet import Fleet
from bridge.rules_worker import HEARS as WORKER_HEARS, RulesWorker
from bridge.stores.journal import JournalError, JournalRecord
from bridge.stores.latch import FailureLatch
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.sqlite_meters import SqliteMeterStore
from simulators.running import running
from tests.simulators.little_bridge import DEMONSTRATION
from tests.transports.ports import eventually

NOON = Timestamp(1_795_953_600_000_000)
"""2026-11-29, noon UTC: a gaming day on which the demonstration's rules are in force."""
FLOOR = PersonId("floor-1")
"""The floorperson of the demonstration's table."""

T = TypeVar("T")


@cache
def demonstration() -> TableConfig:
    """Return the table that is shipped for demonstrations: seven positions, five devices."""
    return load_table(DEMONSTRATION)


def with_setup(config: TableConfig, setup: TableSetup) -> TableConfig:
    return replace(config, setup=setup)


class SetClock(SystemClock):
    """Wall time as a test sets it; a microsecond passes with every look at it, so that no two are equal."""

    def __init__(self, at: Timestamp = NOON) -> None:
        self._now: int = at

    def set(self, at: int) -> None:
        self._now = at

    def wall(self) -> Timestamp:
        self._now += 1
        return Timestamp(self._now)


Noted = list[object]
"""What happened, in order: tuples of events that were journalled, commands performed, envelopes published."""


class NotedJournal(SqliteJournal):
    """A journal that notes each commit, and can be broken."""

    def __init__(self, path: Path, clock: Clock) -> None:
        super().__init__(path, clock)
        self.noted: Noted = []
        self.broken = False

    async def append(self, events: Items[TableEvent]) -> Items[JournalRecord]:
        if self.broken:
            raise JournalError("the journal cannot be used: the disk is full; free some space")
        records = await super().append(events)
        self.noted.append(tuple(events))
        return records


class NotedBus(MemoryBus):
    """A bus that notes what is published."""

    def __init__(
        self, noted: Noted, broker: MemoryBroker, client: str, hears: tuple[str, ...], clock: Clock
    ) -> None:
        self.noted = noted
        super().__init__(broker, client_id=client, subscriptions=hears, will=None, birth=None, clock=clock)

    def publish(self, envelope: Envelope) -> None:
        self.noted.append(envelope)
        super().publish(envelope)


class NotedBroker(MemoryBroker):
    """A broker that keeps every payload it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.payloads: list[tuple[str, bytes]] = []

    def inject(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        self.payloads.append((topic, payload))
        super().inject(topic, payload, retained=retained)

    def everything_is_handled(self) -> bool:
        return not any(session.unacknowledged for session in self._sessions.values())


class ObedientFleet(Fleet):
    """Devices that do at once what they are told, and report what has changed; a test says all the rest."""

    def __init__(self, setup: TableSetup, clock: Clock, noted: Noted) -> None:
        super().__init__((), clock)
        self.noted = noted
        self.reporting = True
        self._clock = clock
        self._wired = [(wiring.device, role) for wiring in setup.wiring for _, role in wiring.outputs]
        self._states: dict[object, bool] = {}

    async def run(self) -> None:
        await asyncio.Event().wait()

    def perform(self, command: DeviceCommand) -> bool:
        self.noted.append(command)
        served = False
        for device, role in self._wired:
            at = self._clock.wall()
            match command, role:
                case SetLock(engaged=engaged), LockOutput():
                    served = True
                    if self._changes((device, role), on=engaged):
                        self.observe(LockReported(at=at, device=device, engaged=engaged))
                case SetIndicator(indicator=lamp, state=state), IndicatorOutput(indicators=lamps) if lamp in lamps:
                    served = True
                    if self._changes(lamp, on=state is LampState.ON):
                        self.observe(IndicatorReported(at=at, device=device, indicator=lamp, state=state))
                case _:
                    pass
        return served

    def observe(self, *events: TableEvent) -> None:
        for event in events:
            self.observations.put_nowait(event)

    def _changes(self, output: object, *, on: bool) -> bool:
        changed = self._states.get(output, False) is not on
        self._states[output] = on
        return changed and self.reporting


class OneProcess:
    """A table whose daemon and rules worker can be stopped and started one by one."""

    def __init__(
        self,
        config: TableConfig,
        folder: Path,
        *,
        clock: SystemClock | None = None,
        fleet: Callable[[], Fleet] | None = None,
    ) -> None:
        self.config = config
        self.table = config.setup.table
        self.noted: Noted = []
        self.clock = clock or SetClock()
        self.broker = NotedBroker()
        self.journal: NotedJournal
        self.daemon: Daemon
        self.worker: RulesWorker
        self.meters: SqliteMeterStore
        self.fleet: Fleet
        self.latch = FailureLatch(folder / "latch")
        self.software = RunningSoftware(boot_id="b1")
        self.link_lost_after_s = 600
        self._folder = folder
        self._new_fleet = fleet or self._obedient
        self._daemon = AsyncExitStack()
        self._worker = AsyncExitStack()
        self._buses: dict[str, MemoryBus] = {}

    @property
    def devices(self) -> ObedientFleet:
        """The devices of a test that says itself what they see."""
        assert isinstance(self.fleet, ObedientFleet)
        return self.fleet

    async def start_daemon(self) -> None:
        """Start the daemon as ``bridge.daemon.run`` does: read the journal, connect, play."""
        self.journal = NotedJournal.open(self._folder / "journal", clock=self.clock)
        self.journal.noted = self.noted
        bus, author = self._bus("daemon", subscriptions(self.config.setup))
        await self._daemon.enter_async_context(self.journal)
        self.fleet = self._new_fleet()
        self.daemon = Daemon(
            self.config.setup,
            journal=self.journal,
            fleet=self.fleet,
            bus=bus,
            author=author,
            clock=self.clock,
            latch=self.latch,
            software=self.software,
            link_lost_after_s=self.link_lost_after_s,
        )
        await self.daemon.recover()
        await self._daemon.enter_async_context(bus)
        await self._daemon.enter_async_context(running(self.daemon.run(), name="daemon"))

    async def stop_daemon(self) -> None:
        await self._daemon.aclose()

    async def until_daemon_ends(self) -> None:
        """Wait until the daemon ends by itself, and raise what ended it."""
        try:
            await asyncio.Event().wait()
        finally:
            await self.stop_daemon()

    async def start_worker(self) -> None:
        """Start the rules worker as ``bridge.rules_worker.run`` does."""
        bus, author = self._bus(
            "rules-worker", tuple(topic_filter(envelope, table=self.table) for envelope in WORKER_HEARS)
        )
        progressives = self.config.submission.progressives()
        self.meters = await self._worker.enter_async_context(
            SqliteMeterStore.open(self._folder / "meters", progressives, clock=self.clock)
        )
        await self._worker.enter_async_context(bus)
        self.worker = RulesWorker(
            self.config.submission,
            positions=self.config.setup.deal_order,
            store=self.meters,
            bus=bus,
            author=author,
            clock=self.clock,
            people=self.config.setup.people,
        )
        await self._worker.enter_async_context(running(self.worker.run(), name="rules worker"))

    async def until_worker_ends(self) -> None:
        """Wait until the rules worker ends by itself, and raise what ended it."""
        try:
            await asyncio.Event().wait()
        finally:
            await self.stop_worker()

    async def stop_worker(self) -> None:
        await self._worker.aclose()

    async def happen(self, *events: TableEvent) -> None:
        """Let devices see things, one after the other, each with all that follows from it."""
        for event in events:
            self.devices.observe(event)
            await self.until_quiet()

    async def say(self, confirmation: Confirmation, by: PersonId = FLOOR) -> None:
        """Let a person confirm something, with all that follows from it."""
        author = Author(f"desk-{by}", self.clock)
        bus = MemoryBus(
            self.broker, client_id=author.sender, subscriptions=(), will=None, birth=None, clock=self.clock
        )
        async with bus:
            bus.publish(
                author.stamp(
                    ConfirmationEnvelope,
                    table=self.table,
                    person=by,
                    confirmation=confirmation,
                    valid_until=Timestamp(self.clock.wall() + 10_000_000),
                )
            )
            await bus.wait_settled()
        await self.until_quiet()

    async def until_quiet(self) -> None:
        """Wait until everything that was observed and published has had its consequences."""
        await eventually(self._is_quiet)

    def published(self, kind: type[T]) -> list[T]:
        """Return everything of a kind that was noted: events excepted, which are in tuples."""
        return [item for item in self.noted if isinstance(item, kind)]

    def journalled(self) -> list[TableEvent]:
        """Return every event that was journalled since the note was begun."""
        return [event for commit in self.noted if isinstance(commit, tuple) for event in commit]

    def _is_quiet(self) -> bool:
        return (
            self.fleet.observations.empty()
            and not self.daemon._turn.locked()
            and self.daemon._offers.offered > 0
            and bool(self.daemon.state.gaming_day)
            and all(bus._settled.is_set() for bus in self._buses.values() if bus.connected)
            and self.broker.everything_is_handled()
        )

    def _bus(self, service: str, hears: tuple[str, ...]) -> tuple[NotedBus, Author]:
        author = Author(f"{self.table}-{service}", self.clock)
        bus = self._buses[service] = NotedBus(self.noted, self.broker, author.sender, hears, self.clock)
        return bus, author

    def _obedient(self) -> Fleet:
        return ObedientFleet(self.config.setup, self.clock, self.noted)


@asynccontextmanager
async def one_process(
    folder: Path,
    config: TableConfig | None = None,
    *,
    worker: bool = True,
    clock: SystemClock | None = None,
    fleet: Callable[[], Fleet] | None = None,
) -> AsyncIterator[OneProcess]:
    """Start a table, and stop it with the body."""
    table = OneProcess(config or demonstration(), folder, clock=clock, fleet=fleet)
    try:
        if worker:
            await table.start_worker()
        await table.start_daemon()
        yield table
    finally:
        await table.stop_daemon()
        await table.stop_worker()
