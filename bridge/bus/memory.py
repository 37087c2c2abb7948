"""A broker and its bus inside one process, for tests: the same promises, and faults on request.

It keeps what a broker keeps: retained messages, and for each client id a session with its subscriptions and
with what was not acknowledged. What it is asked to do wrong, it does to messages on their way to a client.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from bridge.bus.admission import Admission
from bridge.bus.mailbox import Arrival, Limits, Mailbox
from bridge.bus.outbox import Outgoing
from bridge.clock import Clock
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope
from bridge.contracts.topics import topic_of


class Fault(StrEnum):
    """What happens to the next message towards a client."""

    LOSE = "lose"
    DUPLICATE = "duplicate"
    SWAP = "swap"
    """It arrives after the one that follows it."""


@dataclass(slots=True, kw_only=True)
class _Session:
    """What the broker knows of one client id."""

    admission: Admission
    unacknowledged: dict[int, tuple[str, bytes, bool]] = field(default_factory=dict)
    held: deque[int] = field(default_factory=deque)
    """Swapped with the next."""
    turned_away: deque[int] = field(default_factory=deque)
    """The client had no room for them."""
    client: "MemoryBus | None" = None


class MemoryBroker:
    """Delivers in order, at least once, and keeps what it must; unless told otherwise."""

    def __init__(self) -> None:
        self.running = True
        self.confirming = True
        """Cleared, it takes messages and confirms none: a broker that hangs."""
        self._retained: dict[str, bytes] = {}
        self._sessions: dict[str, _Session] = {}
        self._numbers = 0
        self._faults: deque[Fault] = deque()
        self._loop = asyncio.get_running_loop()

    def fault(self, *faults: Fault) -> None:
        """Do these to the next messages towards clients, in turn."""
        self._faults.extend(faults)

    def kill(self) -> None:
        """Forget everything and answer nobody."""
        self.running = False
        clients = [session.client for session in self._sessions.values() if session.client is not None]
        self._retained.clear()
        self._sessions.clear()
        for client in clients:
            client.unlinked("the broker was killed")

    def start(self, *buses: "MemoryBus") -> None:
        """Run again, empty, and let these connect."""
        self.running = True
        for bus in buses:
            self.connect(bus)

    def disconnect(self, client_id: str, *, reason: str = "disconnected") -> None:
        """Cut the connection of a client, publish its will, and keep its session."""
        session = self._sessions[client_id]
        client, session.client = session.client, None
        if client is None:
            return
        client.unlinked(reason)
        if client.will_message is not None:
            self.inject(*client.will_message, retained=True)

    def connect(self, bus: "MemoryBus") -> None:
        """Let a client in: its session first, then what is retained; a namesake is put out."""
        if not self.running or bus.left:
            return
        session = self._sessions.get(bus.client_id)
        if session is not None:
            self.disconnect(bus.client_id, reason="another client took over")
            session.admission = bus.subscribed
        else:
            session = self._sessions[bus.client_id] = _Session(admission=bus.subscribed)
        session.client = bus
        session.held.clear()
        session.turned_away.clear()
        for number in session.unacknowledged:
            self._hand_over(session, number)
        for topic, payload in self._retained.items():
            if session.admission.subscribed(topic):
                self._offer(session, topic, payload, retained=True)
        bus.linked(bus)

    def depart(self, bus: "MemoryBus") -> None:
        """Let a client go: its session waits for it, its will is not published."""
        session = self._sessions.get(bus.client_id)
        if session is not None and session.client is bus:
            session.client = None
            bus.unlinked("")

    def take(self, bus: "MemoryBus", message: Outgoing) -> None:
        """Take a message from a client."""
        self.inject(message.topic, message.payload, retained=message.retained)
        if self.confirming:
            self._loop.call_soon(bus.confirmed, message)

    def inject(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        """Publish any bytes, as any program with a login might."""
        if retained and payload:
            self._retained[topic] = payload
        elif retained:
            self._retained.pop(topic, None)
        for session in self._sessions.values():
            if session.admission.subscribed(topic):
                self._offer(session, topic, payload, retained=False)

    def acknowledge(self, client_id: str, number: int) -> None:
        """Strike out a message that a client has handled."""
        session = self._sessions.get(client_id)
        if session is not None:
            session.unacknowledged.pop(number, None)
            if session.turned_away:
                self._arrive(session, session.turned_away.popleft())

    def _offer(self, session: _Session, topic: str, payload: bytes, *, retained: bool) -> None:
        self._numbers += 1
        session.unacknowledged[self._numbers] = (topic, payload, retained)
        if session.client is None:
            return
        match self._faults.popleft() if self._faults else None:
            case Fault.LOSE:
                del session.unacknowledged[self._numbers]
            case Fault.SWAP:
                session.held.append(self._numbers)
            case Fault.DUPLICATE:
                self._hand_over(session, self._numbers)
                self._hand_over(session, self._numbers)
            case None:
                self._hand_over(session, self._numbers)
                while session.held:
                    self._hand_over(session, session.held.popleft())

    def _hand_over(self, session: _Session, number: int) -> None:
        self._loop.call_soon(self._arrive, session, number)

    def _arrive(self, session: _Session, number: int) -> None:
        client = session.client
        if client is None or number not in session.unacknowledged:
            return
        topic, payload, retained = session.unacknowledged[number]
        arrival = Arrival(
            topic=topic,
            payload=payload,
            retained=retained,
            acknowledge=lambda: self.acknowledge(client.client_id, number),
        )
        if not client.arrived(arrival):
            session.turned_away.append(number)


class MemoryBus(Mailbox):
    """A client of a ``MemoryBroker``. Implements ``Bus``."""

    def __init__(
        self,
        broker: MemoryBroker,
        *,
        client_id: str,
        subscriptions: tuple[str, ...],
        will: Envelope | None,
        birth: Envelope | None,
        clock: Clock,
        limits: Limits = Limits(),  # noqa: B008 frozen
    ) -> None:
        super().__init__(
            limits,
            subscriptions=subscriptions,
            will=will,
            birth=birth,
            clock=clock,
        )
        self.client_id = client_id
        self.left = False
        self.subscribed = Admission(self.filters, clock)
        self.will_message = None if will is None else (topic_of(will), encode(will))
        self._broker = broker

    async def __aenter__(self) -> Self:
        self._broker.connect(self)
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self.leave()
        self.left = True
        self._broker.depart(self)

    def send(self, message: Outgoing) -> None:
        """Give a message to the broker; a bus is its own link here."""
        self._broker.take(self, message)
