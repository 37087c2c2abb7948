"""The only place that knows MQTT.

``publish`` never waits for the broker, because the table must not: retained topics are kept as a tree
that is sent whole on every connect, the others wait in a bounded outbox. What arrives is acknowledged
to the broker only after it was handled.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from bridge.contracts.envelopes import Envelope
from bridge.domain.errors import BridgeError


class BusError(BridgeError):
    """The bus cannot be used as it is configured; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message that arrived, checked against its contract."""

    topic: str
    envelope: Envelope
    retained: bool


class Bus(Protocol):
    """Messages in and out of one process."""

    @property
    def connected(self) -> bool:
        """Whether a broker is there at this moment."""

    def publish(self, envelope: Envelope) -> None:
        """Take an envelope for its own topic; return at once, whether a broker is there or not."""

    def deliveries(self) -> AsyncIterator[Delivery]:
        """Yield what arrives, for ever, over any number of connections.

        A delivery is acknowledged when the next one is asked for; a process killed in between gets it again.
        """
