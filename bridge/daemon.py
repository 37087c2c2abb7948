"""The daemon of one table: devices to journal to state to bus.

One loop: append what was observed to the journal, evolve, react, perform. Nothing is done about an event
that is not in the journal. Acceptance and lock are decided and driven here and need no broker.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence as Items
from datetime import datetime, timedelta

from bridge import __version__
from bridge.bus import Bus, Delivery
from bridge.clock import Clock, SystemClock
from bridge.config import TableConfig
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    ConfirmationEnvelope,
    DeviceEnvelope,
    Envelope,
    EventEnvelope,
    IndicatorCommandEnvelope,
    PositionIndicatorsEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.contracts.strict_json import ContractError
from bridge.contracts.topics import topic_filter
from bridge.domain.commands import Command, PublishRound, PublishTable, SetIndicator, SetLock
from bridge.domain.confirmations import PersonRole
from bridge.domain.devices import DeviceStatus
from bridge.domain.errors import BridgeError
from bridge.domain.events import (
    BridgeStarted,
    DeviceLost,
    GamingDayBegan,
    IndicatorRequested,
    LockReported,
    PersonConfirmed,
    TableEvent,
)
from bridge.domain.identity import DeviceId, Sequence, Timestamp
from bridge.domain.indicators import LampState
from bridge.domain.setup import LockOutput, TableSetup
from bridge.domain.table_view import LampView, TableView
from bridge.domain.wagers import BettingPosition
from bridge.drivers.device_life import Observation
from bridge.drivers.fleet import Fleet
from bridge.rules.indicators import win_lamps
from bridge.service import plain_errors, service
from bridge.stores.fold import table_fold
from bridge.stores.journal import Journal, JournalRecord
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.state_keeper import StateKeeper
from bridge.table.answers import answer, is_news
from bridge.table.disclosure import disclose_event, disclose_round
from bridge.table.evolve import evolve
from bridge.table.react import react
from bridge.table.state import TableState, has_wagers_to_settle, initial_state, outputs_of

log = logging.getLogger(__name__)

OFFER_AGAIN_S = 2.0
"""A round whose settlement has not come is offered again this often (T54)."""
LOCK_WAIT_S = 2.0
"""How long a table that must stop waits to see its lock engaged."""
CALENDAR_LOOK_S = 60.0
"""The date is looked at this often at least, because a wall clock may be set."""
BATCH_MAX = 64
"""Observations that share one commit at most, so that none waits long behind a flood."""


class RoundUnderOtherRulesError(BridgeError):
    """A locked round is on the table, and what is filed has changed since."""


class Daemon:
    """A table being played, from the bytes of its devices to what is published about it."""

    def __init__(
        self, setup: TableSetup, *, journal: Journal, fleet: Fleet, bus: Bus, author: Author, clock: Clock
    ) -> None:
        self.state: TableState = initial_state(setup)
        self._setup = setup
        self._journal = journal
        self._fleet = fleet
        self._bus = bus
        self._author = author
        self._clock = clock
        self._turn = asyncio.Lock()
        self._keeper = StateKeeper(journal, table_fold(setup))
        self._keeping_due = asyncio.Event()
        self._offered = Sequence(0)
        self._answer: SettlementEnvelope | None = None
        self._lock_driven: SetLock | None = None
        self._locks: dict[DeviceId, bool] = {}
        """What each lock was last seen to be since it was last driven the other way."""
        self._published_lamps: dict[BettingPosition, tuple[LampView, ...]] = {}

    async def recover(self) -> None:
        """Fold the journal into the state. Nothing is performed or published meanwhile (T53).

        Raise ``RoundUnderOtherRulesError`` if a locked round would go on under another rules submission.
        """
        self.state = await self._keeper.resume() or self.state
        round_ = self.state.round
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

        Raise ``JournalError`` when the journal fails, ``StateDiffersError`` when this machine's memory does.
        """
        with plain_errors():
            await self._run()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as outer:
            fleet = outer.create_task(self._fleet.run(), name="fleet")
            try:
                await self.take([BridgeStarted(at=self._clock.wall(), version=__version__, setup=self._setup)])
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._follow_devices(), name="devices")
                    tasks.create_task(self._follow_network(), name="network")
                    tasks.create_task(self._follow_calendar(), name="calendar")
                    tasks.create_task(self._offer_again(), name="offers")
                    tasks.create_task(self._keep_state(), name="snapshots")
            finally:
                await self._leave_locked()
                fleet.cancel()

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
        self._publish(
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
                self._offered = sequence
                self._publish(RoundEnvelope, sequence=sequence, round=command.round)
            case PublishTable():
                self._publish_table(command.view, sequence)

    def _publish_table(self, public: TableView, sequence: Sequence) -> None:
        self._publish(TableEnvelope, sequence=sequence, view=public)
        lamps: dict[BettingPosition, tuple[LampView, ...]] = {}
        for lamp in public.lamps:
            position = lamp.indicator.position
            lamps[position] = (*lamps.get(position, ()), lamp)
        for position, shown in lamps.items():
            if self._published_lamps.get(position) != shown:
                self._publish(PositionIndicatorsEnvelope, position=position, lamps=shown)
        self._published_lamps = lamps

    def _publish(self, kind: type[Envelope], **content: object) -> None:
        """Say something of the table. What cannot be said must not end a table that has journalled and done it."""
        try:
            self._bus.publish(self._author.stamp(kind, table=self.state.setup.table, **content))
        except ContractError:
            log.exception("a %s of table %s cannot be published", kind.__name__, self.state.setup.table)

    async def _follow_devices(self) -> None:
        observations = self._fleet.observations
        while True:
            batch = [await observations.get()]
            while len(batch) < BATCH_MAX and not observations.empty():
                batch.append(observations.get_nowait())
            for observed in batch:
                self._watch_lock(observed)
                if isinstance(observed, DeviceStatus):
                    self._publish(DeviceEnvelope, status=observed)
            events = [event for event in batch if not isinstance(event, DeviceStatus)]
            if events:
                await self.take(events)

    async def _follow_network(self) -> None:
        """Take what others say; a message is acknowledged when the next is asked for, so after it was taken."""
        async for delivery in self._bus.deliveries():
            events = self._meaning(delivery)
            if events:
                await self.take(events)

    def _meaning(self, delivery: Delivery) -> tuple[TableEvent, ...]:
        """Return what a message means for this table."""
        envelope, at = delivery.envelope, self._clock.wall()
        match envelope:
            case SettlementEnvelope():
                return self._answered(envelope, at)
            case IndicatorCommandEnvelope():
                wish = IndicatorRequested(
                    at=at, round_number=envelope.round_number, indicator=envelope.indicator, state=envelope.state
                )
                return (wish,) if evolve(self.state, wish).win_lamps != self.state.win_lamps else ()
            case ConfirmationEnvelope():
                role = dict(self.state.setup.people).get(envelope.person, PersonRole.NONE)
                return (PersonConfirmed(at=at, by=envelope.person, role=role, confirmation=envelope.confirmation),)
            case _:
                log.warning("%s on %s is not for a daemon", type(envelope).__name__, delivery.topic)
                return ()

    def _answered(self, envelope: SettlementEnvelope, at: Timestamp) -> tuple[TableEvent, ...]:
        """Take a settlement of the round on the table: the newest, and of a round that this table offered."""
        known = Sequence(0) if self._answer is None else self._answer.sequence
        of_this_round = envelope.settlement.round_number == self.state.round.number
        if not of_this_round or not known <= envelope.sequence <= self._offered:
            return ()
        self._answer = envelope
        settled = answer(
            envelope.settlement, self.state, answers=envelope.sequence, complete=envelope.complete, at=at
        )
        return (settled,) if is_news(settled, self.state) else ()

    async def _follow_calendar(self) -> None:
        """Tell the table its gaming day, now and whenever the local date changes."""
        while True:
            now = datetime.fromtimestamp(self._clock.wall() // 1_000_000).astimezone()
            day = now.date().isoformat()
            if day != self.state.gaming_day:
                await self.take([GamingDayBegan(at=self._clock.wall(), day=day)])
            midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time()).astimezone()
            await asyncio.sleep(min((midnight - now).total_seconds() + 1, CALENDAR_LOOK_S))

    async def _offer_again(self) -> None:
        """Keep offering a round until its settlement has been seen and its win lamps were asked for (T54)."""
        while True:
            await asyncio.sleep(OFFER_AGAIN_S)
            if has_wagers_to_settle(self.state) and not self._is_answered():
                self._perform(PublishRound(round=disclose_round(self.state.round)), self._offered)

    def _is_answered(self) -> bool:
        """Return whether the round as it was last offered is settled, and its win lamps are as that says."""
        known, state = self._answer, self.state
        if known is None or known.sequence < self._offered:
            return False
        lamps = win_lamps(known.settlement, state.round, state.setup.deal_order)
        return state.win_lamps == {indicator for indicator, lit in lamps if lit is LampState.ON}

    def _drive_lock(self, command: SetLock) -> bool:
        if command != self._lock_driven:
            self._lock_driven = command
            self._locks.clear()
        return self._fleet.perform(command)

    def _watch_lock(self, observed: Observation) -> None:
        match observed:
            case LockReported():
                self._locks[observed.device] = observed.engaged
            case DeviceLost():
                self._locks.pop(observed.device, None)
            case _:
                pass

    async def _leave_locked(self) -> None:
        """Engage the hardware lock and see it engaged, as far as there is a device to say so."""
        if not self._drive_lock(SetLock(engaged=True)):
            return
        wired = {w.device for w, role in outputs_of(self.state.setup) if isinstance(role, LockOutput)}
        awaited = wired - self.state.lost or wired
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOCK_WAIT_S):
                while not all(self._locks.get(device, False) for device in awaited):
                    self._watch_lock(await self._fleet.observations.get())


async def run(config: TableConfig) -> None:
    """Run the daemon of a table until cancelled.

    The journal is read back before a device is opened and before anything is published (T53). Raise
    ``JournalError`` or ``RoundUnderOtherRulesError`` if the table cannot be played.
    """
    clock, table = SystemClock(), config.setup.table
    hears = (SettlementEnvelope, IndicatorCommandEnvelope, ConfirmationEnvelope)
    own = service(
        "daemon",
        table,
        config.broker,
        subscriptions=tuple(topic_filter(envelope, table=table) for envelope in hears),
        clock=clock,
    )
    async with SqliteJournal.open(config.storage / f"{table}.journal", clock=clock) as journal:
        fleet = Fleet(config.lines, clock)
        daemon = Daemon(config.setup, journal=journal, fleet=fleet, bus=own.bus, author=own.author, clock=clock)
        await daemon.recover()
        async with own.bus:
            await daemon.run()
