"""A bus for a part that is tried without others: it keeps what is said, and nobody answers."""

import asyncio
from collections.abc import AsyncIterator

from bridge.bus import Delivery
from bridge.contracts.envelopes import Envelope


class SilentBus:
    """A bus that keeps what is published, and on which nobody says anything."""

    connected = True

    def __init__(self) -> None:
        self.published: list[Envelope] = []

    def publish(self, envelope: Envelope) -> None:
        self.published.append(envelope)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        await asyncio.Event().wait()
        yield Delivery(topic="", envelope=self.published[0], retained=False)
