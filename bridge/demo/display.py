"""What the people of a demonstration see of their table, and wait for; and their way to answer."""

import asyncio
from collections.abc import Callable

from bridge.bus import Bus
from bridge.clock import Clock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import ConfirmationEnvelope, Envelope
from bridge.domain.confirmations import Confirmation
from bridge.domain.identity import PersonId, TableId, Timestamp
from bridge.domain.rounds import Round
from bridge.domain.table_view import TableView
from bridge.known_table import KnownTable

CONFIRMATION_VALID_US = 10_000_000


class TableDisplay(KnownTable):
    """The newest word on everything about one table. Implements the display that the simulated people read."""

    def __init__(self, table: TableId, *, bus: Bus, author: Author, clock: Clock) -> None:
        super().__init__()
        self._table = table
        self._bus = bus
        self._author = author
        self._clock = clock
        self._changed = asyncio.Condition()

    async def follow(self, hear: Callable[[Envelope], None]) -> None:
        """Take what arrives until cancelled; ``hear`` is told each message after it was taken."""
        async for delivery in self._bus.deliveries():
            async with self._changed:
                self.take(delivery.envelope)
                hear(delivery.envelope)
                self._changed.notify_all()

    async def until(self, condition: Callable[[TableView], bool]) -> TableView:
        """Return the view as soon as it satisfies a condition."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.view is not None and condition(self.view))
            assert self.view is not None  # noqa: S101 - the condition has just seen it
            return self.view

    async def until_round(self, condition: Callable[[Round], bool]) -> Round:
        """Return the round as soon as it satisfies a condition."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.round is not None and condition(self.round))
            assert self.round is not None  # noqa: S101 - the condition has just seen it
            return self.round

    async def until_healthy(self, services: frozenset[str]) -> None:
        """Wait until all these processes of the table have said that they are there."""
        async with self._changed:
            await self._changed.wait_for(
                lambda: services <= {name for name, health in self.health.items() if health.online}
            )

    async def confirm(self, by: PersonId, confirmation: Confirmation) -> None:
        """Say something about the round, as a person."""
        self._bus.publish(
            self._author.stamp(
                ConfirmationEnvelope,
                table=self._table,
                person=by,
                confirmation=confirmation,
                valid_until=Timestamp(self._clock.wall() + CONFIRMATION_VALID_US),
            )
        )
