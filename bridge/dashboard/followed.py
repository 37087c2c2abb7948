"""A table as the dashboard follows it: what is known of it, and whether that is still so."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from enum import StrEnum
from typing import Final

from bridge.bus.mailbox import Mailbox
from bridge.bus.mqtt import MqttBus
from bridge.clock import Clock
from bridge.config import TableConfig
from bridge.contracts.envelopes import Envelope, HealthEnvelope, MeterEnvelope, RoundEnvelope, TableEnvelope
from bridge.dashboard.shoe import HeardShoe
from bridge.dashboard.since import AwardTimes, Since
from bridge.domain.identity import ProgressiveId, TableId, Timestamp
from bridge.known_table import KnownTable, subscriptions
from bridge.service import mqtt_settings

SILENT_US: Final = 25_000_000
"""Whoever says nothing for so long has missed two of its reminders; what it said may not be true any more."""
_RANDOM_BYTES: Final = 4
DAEMON: Final = "daemon"
RULES_WORKER: Final = "rules-worker"


class Unavailable(StrEnum):
    """Why something is not shown: nobody vouches at this moment for what was said of it."""

    NO_BROKER = "no_broker"
    DAEMON_GONE = "daemon_gone"
    DAEMON_SILENT = "daemon_silent"
    NOTHING_SAID = "nothing_said"
    """The daemon is there and has not said yet how its table stands."""
    WORKER_GONE = "worker_gone"
    WORKER_SILENT = "worker_silent"
    METER_SILENT = "meter_silent"


def watching_bus(config: TableConfig, clock: Clock) -> MqttBus:
    """Return a bus that hears what anybody may know of a table, and of which the broker keeps nothing.

    Its name is one of many: a table may be watched by several dashboards, and namesakes put each other out.
    """
    table = config.setup.table
    return MqttBus(
        replace(mqtt_settings(config.broker), remembered=False),
        client_id=f"dashboard-{secrets.token_hex(_RANDOM_BYTES)}",
        subscriptions=subscriptions(table),
        will=None,
        birth=None,
        clock=clock,
    )


class FollowedTable:
    """One table over a bus of its own; ``listening`` calls back on whatever is news of it."""

    def __init__(self, config: TableConfig, bus: Mailbox, clock: Clock) -> None:
        self.config = config
        self.known = KnownTable()
        self.shoe = HeardShoe()
        self.awards = AwardTimes()
        self._bus = bus
        self._clock = clock
        self._listeners: list[Callable[[], None]] = []
        self._hearers: list[Callable[[Envelope], None]] = []
        self._heard_us: dict[str, int] = {}
        """When something was last heard from a process of the table, or about a meter, that nobody had kept."""
        self._connected_or_lost = Since(clock.wall(), at_least=True)
        """Since when we are connected to the broker, or are not."""
        self._gone: dict[str, Since] = {}
        """Since when a process of the table was said to be gone."""

    @property
    def id(self) -> TableId:
        """Return which table it is."""
        return self.config.setup.table

    @contextlib.contextmanager
    def listening(self, told: Callable[[], None]) -> Iterator[None]:
        """Call back on whatever is news, for as long as the context lasts."""
        self._listeners.append(told)
        try:
            yield
        finally:
            self._listeners.remove(told)

    @contextlib.contextmanager
    def hearing(self, told: Callable[[Envelope], None]) -> Iterator[None]:
        """Hand on every message as it comes, old and repeated ones too, for as long as the context lasts."""
        self._hearers.append(told)
        try:
            yield
        finally:
            self._hearers.remove(told)

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Follow the table for as long as the context lasts; its bus is looked after by whoever made it."""
        async with asyncio.TaskGroup() as tasks:
            follow = tasks.create_task(self._follow(), name=f"follow-{self.id}")
            watch = tasks.create_task(self._watch_broker(), name=f"broker-of-{self.id}")
            try:
                yield
            finally:
                follow.cancel()
                watch.cancel()

    def unavailable(self) -> Unavailable | None:
        """Return why nothing that is known of the table may be shown as it is now; None while all of it may."""
        return self._absent(DAEMON) or (Unavailable.NOTHING_SAID if self.known.view is None else None)

    def unanswered(self) -> Unavailable | None:
        """Return why nobody settles, and no meter is kept, at this moment; None while somebody does."""
        return self._absent(RULES_WORKER)

    def meter_unavailable(self, progressive: ProgressiveId) -> Unavailable | None:
        """Return why a meter may not be shown; None while it may."""
        return self._absent(RULES_WORKER) or (Unavailable.METER_SILENT if self._silence(progressive) else None)

    def absent_since(self, service: str) -> Since | None:
        """Return since when a process of the table is absent, in wall time; None while it is there."""
        match self._absent(service):
            case None:
                return None
            case Unavailable.DAEMON_GONE | Unavailable.WORKER_GONE:
                return self._gone[service]
            case Unavailable.NO_BROKER:
                return self._connected_or_lost
            case _:
                heard_us = self._heard_us.get(service)
                if heard_us is None:
                    return self._connected_or_lost
                return Since(Timestamp(self._clock.wall() - (self._clock.monotonic_us() - heard_us)))

    def now(self) -> Timestamp:
        """Return what time it is, for whoever shows how long something lasts."""
        return self._clock.wall()

    def hear(self, envelope: Envelope, *, retained: bool) -> None:
        """Take a message; one that the broker had kept says what was known, but not that it is still so."""
        for told in tuple(self._hearers):
            told(envelope)
        if self.known.take(envelope):
            self.shoe.take(envelope)
            self._take_times(envelope, retained=retained)
        now_us = self._clock.monotonic_us()
        match envelope:
            case _ if retained:
                pass
            case TableEnvelope() | RoundEnvelope():
                self._heard_us[DAEMON] = now_us
            case HealthEnvelope(service=service):
                self._heard_us[service] = now_us
            case MeterEnvelope(reading=reading):
                self._heard_us[RULES_WORKER] = self._heard_us[reading.progressive] = now_us
            case _:
                pass
        self._tell()

    def lose(self) -> None:
        """Forget when anybody was heard: after a connection was lost, everybody has to be heard anew."""
        self._heard_us.clear()
        self.awards.lose()
        self._connected_or_lost = Since(self._clock.wall())
        self._tell()

    def _absent(self, service: str) -> Unavailable | None:
        health = self.known.health.get(service)
        if not self._bus.connected:
            return Unavailable.NO_BROKER
        if health is not None and not health.online:
            return Unavailable.DAEMON_GONE if service == DAEMON else Unavailable.WORKER_GONE
        if self._silence(service):
            return Unavailable.DAEMON_SILENT if service == DAEMON else Unavailable.WORKER_SILENT
        return None

    def _silence(self, whom: str) -> bool:
        heard_us = self._heard_us.get(whom)
        return heard_us is None or self._clock.monotonic_us() - heard_us > SILENT_US

    def _take_times(self, envelope: Envelope, *, retained: bool) -> None:
        match envelope:
            case HealthEnvelope(service=service, online=False):
                self._gone.setdefault(service, Since(self._clock.wall(), at_least=retained))
            case HealthEnvelope(service=service):
                self._gone.pop(service, None)
            case MeterEnvelope():
                self.awards.take(envelope)
            case _:
                pass

    async def _follow(self) -> None:
        async for delivery in self._bus.deliveries():
            self.hear(delivery.envelope, retained=delivery.retained)

    async def _watch_broker(self) -> None:
        while True:
            await self._bus.wait_connected()
            self._connected_or_lost = Since(self._clock.wall(), at_least=True)
            self._tell()
            await self._bus.wait_trouble()
            self.lose()

    def _tell(self) -> None:
        for told in tuple(self._listeners):
            told()
