"""The half of a bus that does not know MQTT: in order, bounded, over a link that comes and goes."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from bridge.bus import BusError, Delivery
from bridge.bus.admission import Admission, BusCounters, Refusal
from bridge.bus.outbox import Outbox, Outgoing
from bridge.clock import Clock
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope, HealthEnvelope
from bridge.contracts.topics import retained, topic_of

_LOG = logging.getLogger(__name__)
_LOG_EVERY_US: Final = 10_000_000
"""One line in ten seconds for each kind of trouble: enough to notice, too few to wear out a card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message as the link brought it, and how to tell the broker that it was handled."""

    topic: str
    payload: bytes
    retained: bool
    acknowledge: Callable[[], None]


class Link(Protocol):
    """A connection that stands at this moment."""

    def send(self, message: Outgoing) -> None:
        """Give a message to the broker now; its confirmation comes through ``Mailbox.confirmed``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a mailbox holds."""

    outbox_max: int = 10_000
    """Messages that are not retained and wait for a broker: an hour of a busy table."""
    inbox_max: int = 1_000
    """Messages that arrived and are not handled."""
    in_flight_max: int = 20
    """Sent and not confirmed; as many as Mosquitto keeps in flight towards a client by default."""


class Mailbox:
    """Takes envelopes at any time, gives deliveries one by one, and keeps saying that its process is online."""

    def __init__(
        self,
        limits: Limits,
        *,
        subscriptions: tuple[str, ...],
        will: Envelope | None,
        birth: Envelope | None,
        clock: Clock,
    ) -> None:
        self.counters = BusCounters()
        self.trouble = "not connected yet"
        """Why there is no connection, and what to do; empty while there is one."""
        self._limits = limits
        self._clock = clock
        self._outbox = Outbox(unretained_max=limits.outbox_max)
        self._inbox: deque[Arrival] = deque()
        self._arrived = asyncio.Event()
        self._settled = asyncio.Event()
        self._settled.set()
        self._link_up = asyncio.Event()
        self._link_down = asyncio.Event()
        self._link: Link | None = None
        self._delivering = False
        self._leaving = False
        self._will = will
        self._own_health = "" if birth is None else topic_of(birth)
        self._admission = Admission(subscriptions, clock)
        self.filters = subscriptions
        """What to subscribe to: what was asked for, and what is said of oneself."""
        if self._own_health and not self._admission.subscribed(self._own_health):
            self.filters = (*subscriptions, self._own_health)
        self._own_admission = Admission((self._own_health,), clock)
        self._last_logged: dict[str, int] = {}
        if birth is not None:
            self.publish(birth)

    # --- for the rest of the bridge -----------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether a broker is there at this moment."""
        return self._link is not None

    async def wait_connected(self) -> None:
        """Return as soon as there is a broker."""
        await self._link_up.wait()

    async def wait_trouble(self) -> None:
        """Return as soon as a connection was lost, or could not be made; ``trouble`` says why."""
        await self._link_down.wait()

    async def wait_settled(self) -> None:
        """Return as soon as the broker has confirmed everything published."""
        await self._settled.wait()

    def publish(self, envelope: Envelope) -> None:
        """Take an envelope for its own topic; return at once, whether a broker is there or not.

        Raise ``ContractError`` or ``TopicError`` for an envelope that nobody could read.
        """
        dropped = self._outbox.put(topic_of(envelope), encode(envelope), retained=retained(type(envelope)))
        self.counters.published += 1
        self.counters.dropped += dropped
        self._settled.clear()
        if dropped:
            self._log(
                "outbox full",
                "No broker has taken %d messages; the oldest are dropped, %d so far. %s",
                self._limits.outbox_max,
                self.counters.dropped,
                self.trouble,
            )
        self._send_waiting()

    async def deliveries(self) -> AsyncIterator[Delivery]:
        """Yield what arrives, for ever, over any number of connections; see ``Bus.deliveries``."""
        if self._delivering:
            raise BusError("somebody is taking deliveries already; only one may, because it acknowledges them")
        self._delivering = True
        try:
            while True:
                while not self._inbox:
                    self._arrived.clear()
                    await self._arrived.wait()
                arrival = self._inbox[0]
                verdict = self._admission.judge(arrival.topic, arrival.payload, retained=arrival.retained)
                if isinstance(verdict, Delivery):
                    yield verdict
                    self.counters.delivered += 1
                else:
                    self._refuse(verdict)
                self._inbox.popleft()
                arrival.acknowledge()
        finally:
            self._delivering = False

    # --- for whoever has the link -------------------------------------------------------------------

    def linked(self, link: Link) -> None:
        """Use a connection that stands: send the whole tree, and all that was not confirmed."""
        self._link = link
        self.trouble = ""
        self.counters.connections += 1
        self._outbox.start_over()
        self._link_up.set()
        self._link_down.clear()
        self._send_waiting()

    def unlinked(self, trouble: str) -> None:
        """Wait for a connection; there is none, for this reason, empty if that is what we wanted."""
        if self._link is not None and trouble:
            self.counters.connections_lost += 1
        self._link = None
        self._link_up.clear()
        self._link_down.set()
        self.trouble = trouble

    def confirmed(self, message: Outgoing) -> None:
        """Strike out a message: the broker has taken it."""
        self.counters.confirmed += self._outbox.confirm(message)
        self._send_waiting()
        if self._outbox.empty:
            self._settled.set()

    def arrived(self, arrival: Arrival) -> bool:
        """Take a message that arrived; return False if there is no room, and it must be kept by the broker."""
        if arrival.topic == self._own_health:
            self._heard_of_oneself(arrival)
            if not self._admission.subscribed(arrival.topic):
                arrival.acknowledge()
                return True
        if len(self._inbox) >= self._limits.inbox_max:
            self.counters.inbox_overflows += 1
            self._log("inbox full", "%d messages wait to be handled; the broker keeps the rest", len(self._inbox))
            return False
        self._inbox.append(arrival)
        self._arrived.set()
        return True

    def leave(self) -> None:
        """Publish the last word of this process, which a broker would publish only for a lost one."""
        self._leaving = True
        if self._will is not None:
            self.publish(self._will)

    def remind(self) -> None:
        """Say again all that is retained: a broker may have lost some, and nobody trusts an old word (T54)."""
        if self._link is None or self._leaving:
            return
        self._outbox.repeat_all()
        if not self._outbox.empty:
            self._settled.clear()
            self._send_waiting()

    # --- inside -------------------------------------------------------------------------------------

    def _send_waiting(self) -> None:
        while self._link is not None and self._outbox.in_flight < self._limits.in_flight_max:
            message = self._outbox.take()
            if message is None:
                return
            self._link.send(message)

    def _heard_of_oneself(self, arrival: Arrival) -> None:
        """Say that one is online if a ghost of one's own, or its will, says otherwise."""
        heard = self._own_admission.judge(arrival.topic, arrival.payload, retained=arrival.retained)
        match heard:
            case Delivery(envelope=HealthEnvelope(online=False)) if not self._leaving:
                self.counters.reasserted += 1
                self._outbox.repeat(self._own_health)
                self._settled.clear()
                self._send_waiting()
            case _:
                pass

    def _refuse(self, refusal: Refusal) -> None:
        self.counters.refused[refusal.cause] += 1
        self._log(
            f"refused {refusal.cause}",
            "Threw away a message on %s (%s, %d so far): %s",
            refusal.topic,
            refusal.cause,
            self.counters.refused[refusal.cause],
            refusal.reason,
        )

    def _log(self, trouble: str, message: str, *values: object) -> None:
        """Warn, at most every ten seconds about the same trouble; the counters know the rest."""
        now = self._clock.monotonic_us()
        last = self._last_logged.get(trouble)
        if last is None or now - last >= _LOG_EVERY_US:
            self._last_logged[trouble] = now
            _LOG.warning(message, *values)
