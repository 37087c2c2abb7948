"""The loop of a table's daemon: devices to journal to state to bus.

Append what was observed to the journal, evolve, react, perform. Nothing is done about an event that
is not in the journal. Acceptance and lock are decided and driven here and need no broker.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence as Items
from dataclasses import dataclass

from bridge import __version__
from bridge.bus import Bus
from bridge.clock import Clock, local_day, until_tomorrow_s
from bridge.contracts.author import Author
from bridge.contracts.envelopes import DeviceEnvelope, EventEnvelope, RoundEnvelope
from bridge.daemon.inbound import Inbound
from bridge.daemon.link_watch import LinkWatch
from bridge.daemon.lock_watch import LockWatch
from bridge.daemon.meter_signs import MeterSigns
from bridge.daemon.offers import Offers
from bridge.daemon.publisher import TablePublisher
from bridge.domain.commands import Command, PublishRound, PublishTable, SetIndicator, SetLock
from bridge.domain.controller import DisabledReason
from bridge.domain.devices import DeviceStatus
from bridge.domain.errors import BridgeError
from bridge.domain.events import (
    BridgeStarted,
    BridgeStopped,
    ControllerDisabled,
    GamingDayBegan,
    KeySwitchTurned,
    TableEvent,
)
from bridge.domain.identity import Sequence
from bridge.domain.setup import TableSetup
from bridge.drivers.fleet import Fleet
from bridge.rules.submission import ControllerFiling
from bridge.service import plain_errors
from bridge.stores.fold import table_fold
from bridge.stores.journal import Journal, JournalRecord
from bridge.stores.latch import FailureLatch, noted
from bridge.stores.state_keeper import StateKeeper
from bridge.table.controller import found_at_start, is_disabled_by
from bridge.table.disclosure import disclose_event, disclose_round
from bridge.table.evolve import evolve
from bridge.table.key_switches import said_by_key
from bridge.table.react import react
from bridge.table.state import TableState, initial_state

log = logging.getLogger(__name__)

OFFER_AGAIN_S = 2.0
"""A round whose settlement has not come is offered again this often (T54)."""
LOCK_WAIT_S = 2.0
"""How long a table that must stop waits to see its lock engaged."""
LINK_LOOK_S = 1.0
"""How often the daemon asks itself when it last heard of the rules worker."""
CALENDAR_LOOK_S = 60.0
"""The date is looked at this often at least, because a wall clock may be set."""
BATCH_MAX = 64
"""Observations that share one commit at most, so that none waits long behind a flood."""


class JournalOfAnotherTableError(BridgeError):
    """The records of two tables would be in one chain."""


class RoundUnderOtherRulesError(BridgeError):
    """A locked round is on the table, and what is filed has changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningSoftware:
    """What a daemon knows of itself before it starts."""

    digest: str = ""
    boot_id: str = ""
    fault: str = ""
    """What the self-check found; empty if all is well."""


class Daemon:
    """A table being played, from the bytes of its devices to what is published about it."""

    def __init__(
        self,
        setup: TableSetup,
        *,
        journal: Journal,
        fleet: Fleet,
        bus: Bus,
        author: Author,
        clock: Clock,
        latch: FailureLatch,
        software: RunningSoftware = RunningSoftware(),
        link_lost_after_s: int = ControllerFiling().link_lost_after_s,
    ) -> None:
        self.state: TableState = initial_state(setup)
        self._setup = setup
        self._journal = journal
        self._fleet = fleet
        self._bus = bus
        self._publisher = TablePublisher(setup.table, bus=bus, author=author)
        self._clock = clock
        self._latch = latch
        self._software = software
        self._link = LinkWatch(link_lost_after_s, clock.monotonic_us())
        self._signs = MeterSigns(setup, fleet=fleet, clock=clock)
        self._turn = asyncio.Lock()
        self._keeper = StateKeeper(journal, table_fold(setup))
        self._keeping_due = asyncio.Event()
        self._offers = Offers()
        self._inbound = Inbound(offers=self._offers, signs=self._signs, link=self._link)
        self._locks = LockWatch()

    async def recover(self) -> None:
        """Fold the journal into the state. Nothing is performed or published meanwhile (T53).

        Raise ``JournalOfAnotherTableError`` if it is not the journal of this table, and
        ``RoundUnderOtherRulesError`` if a locked round would go on under another rules submission.
        """
        self.state = await self._keeper.resume() or self.state
        round_ = self.state.round
        if round_.table != self._setup.table:
            raise JournalOfAnotherTableError(
                f"this is the journal of table {round_.table}, under the name of that of {self._setup.table}; "
                f"give it its own name back, and {self._setup.table} a storage of its own"
            )
        if round_.locked and round_.submission_digest != self._setup.submission_digest:
            raise RoundUnderOtherRulesError(
                f"round {round_.number} was locked under rules submission {round_.submission_digest[:12]}, "
                f"and now {self._setup.submission_digest[:12]} is filed; put the former document back, "
                "finish the round, then file the new one"
            )
        log.info(
            "the table stands after event %d: round %d, %s", self.state.sequence, round_.number, self.state.phase
        )

    async def run(self) -> None:
        """Play until cancelled; leave with the lock engaged, for silence is locked.

        Raise ``JournalError`` when the journal fails, ``StateDiffersError`` when memory does, having noted it.
        """
        with noted(self._latch), plain_errors():
            await self._run()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as outer:
            fleet = outer.create_task(self._fleet.run(), name="fleet")
            stopped = False
            try:
                await self._start()
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._follow_devices(), name="devices")
                    tasks.create_task(self._follow_network(), name="network")
                    tasks.create_task(self._follow_calendar(), name="calendar")
                    tasks.create_task(self._offer_again(), name="offers")
                    tasks.create_task(self._keep_state(), name="snapshots")
                    tasks.create_task(self._watch_link(), name="link")
                    tasks.create_task(self._signs.keep(lambda: self.state), name="meter signs")
            except asyncio.CancelledError:
                stopped = not fleet.done()
                raise
            finally:
                await self._leave_locked()
                await self._signs.leave()
                if stopped:
                    await self.take([BridgeStopped(at=self._clock.wall())])
                fleet.cancel()

    async def _start(self) -> None:
        """Journal the start with all that it shows, in one commit; the journal then has what the latch noted."""
        at, note = self._clock.wall(), self._latch.found()
        started = BridgeStarted(
            at=at,
            version=__version__,
            setup=self._setup,
            software=self._software.digest,
            boot_id=self._software.boot_id,
        )
        events: list[TableEvent] = [started, *found_at_start(self.state, started)]
        if self._software.fault:
            reason, detail = DisabledReason.SELF_CHECK_ERROR, self._software.fault
            events.append(ControllerDisabled(at=at, reason=reason, detail=detail))
        if note is not None:
            events.append(ControllerDisabled(at=at, reason=note.reason, detail=note.detail))
        await self.take(events)
        if note is not None:
            self._latch.clear()

    async def take(self, events: Items[TableEvent]) -> None:
        """Journal events, fold them and act on them; one caller at a time, in the order of arrival.

        Raise ``JournalError`` when they cannot be journalled; nothing was done about them then.
        """
        async with self._turn:
            for part in self._keeper.parts(self.state, events):
                await self._keeper.file(self.state, part[0])
                for record in await self._journal.append(part):
                    self._act(record)
        if self._keeper.is_due(self.state):
            self._keeping_due.set()

    async def _keep_state(self) -> None:
        """Keep the state now and then, so that the next start does not take long."""
        while True:
            await self._keeping_due.wait()
            self._keeping_due.clear()
            await self._keeper.keep(self.state)

    def _act(self, record: JournalRecord) -> None:
        before = self.state
        self.state = evolve(before, record.event)
        for command in react(before, record.event, self.state):
            self._perform(command, record.sequence)
        if before.round.locked and not self.state.round.locked:
            self._fleet.look_at_buttons_anew()
        self._publisher.publish(
            EventEnvelope,
            round_number=before.round.number,
            sequence=record.sequence,
            event=disclose_event(record.event, self.state),
        )

    def _perform(self, command: Command, sequence: Sequence) -> None:
        match command:
            case SetLock():
                self._drive_lock(command)
            case SetIndicator():
                if not self._fleet.perform(command):
                    log.debug("no output of this table serves %s", command)
            case PublishRound():
                self._offers.offered = sequence
                self._publisher.publish(RoundEnvelope, sequence=sequence, round=command.round)
            case PublishTable():
                self._publisher.publish_table(command.view, sequence)

    async def _follow_devices(self) -> None:
        observations = self._fleet.observations
        while True:
            batch = [await observations.get()]
            while len(batch) < BATCH_MAX and not observations.empty():
                batch.append(observations.get_nowait())
            for observed in batch:
                self._locks.observe(observed)
                if isinstance(observed, DeviceStatus):
                    self._publisher.publish(DeviceEnvelope, status=observed)
            events = [event for event in batch if not isinstance(event, DeviceStatus)]
            if events:
                await self.take(events)
            for event in events:
                if isinstance(event, KeySwitchTurned) and (said := said_by_key(self.state, event)):
                    await self.take(said)

    async def _follow_network(self) -> None:
        """Take what others say; a message is acknowledged when the next is asked for, so after it was taken."""
        async for delivery in self._bus.deliveries():
            events = tuple(self._inbound.meaning(delivery, self.state, self._clock.wall()))
            if events:
                await self.take(events)
            self._signs.show(self.state)

    async def _watch_link(self) -> None:
        """Disable the controller when the rules worker has not been heard of for too long."""
        while self._setup.has_progressive:
            await asyncio.sleep(LINK_LOOK_S)
            lost = self._link.lost(self._clock.monotonic_us(), connected=self._bus.connected)
            if lost and not is_disabled_by(self.state, DisabledReason.LOST_LINK):
                at = self._clock.wall()
                await self.take([ControllerDisabled(at=at, reason=DisabledReason.LOST_LINK, detail=lost)])

    async def _follow_calendar(self) -> None:
        """Tell the table its gaming day, now and whenever the local date changes."""
        while True:
            at = self._clock.wall()
            day = local_day(at)
            if day != self.state.gaming_day:
                await self.take([GamingDayBegan(at=at, day=day)])
            await asyncio.sleep(min(until_tomorrow_s(at), CALENDAR_LOOK_S))

    async def _offer_again(self) -> None:
        """Keep offering a round until its settlement has been seen and its win lamps were asked for (T54)."""
        while True:
            await asyncio.sleep(OFFER_AGAIN_S)
            if self._offers.is_due(self.state):
                self._perform(PublishRound(round=disclose_round(self.state.round)), self._offers.offered)

    def _drive_lock(self, command: SetLock) -> bool:
        self._locks.drive(command)
        return self._fleet.perform(command)

    async def _leave_locked(self) -> None:
        """Engage the hardware lock and see it engaged, as far as there is a device to say so."""
        if not self._drive_lock(SetLock(engaged=True)):
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOCK_WAIT_S):
                while not self._locks.is_engaged(self.state):
                    self._locks.observe(await self._fleet.observations.get())
