"""The past rounds of a table, as far as the dashboard has heard them."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bridge.contracts.envelopes import Envelope
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.shoe import ROUNDS_MAX
from bridge.domain.identity import RoundNumber
from bridge.stores.heard import Found, Heard, HeardRound, HeardStoreError, Search
from bridge.stores.heard_store import HeardStore

_LOG = logging.getLogger(__name__)


class Records:
    """The rounds of one table in a history, which may hold those of others."""

    def __init__(self, table: FollowedTable, store: HeardStore) -> None:
        self.table = table
        self._store = store

    @property
    def in_memory(self) -> bool:
        """Return whether they are kept only while the dashboard runs."""
        return self._store.in_memory

    @property
    def trouble(self) -> str:
        """Return why nothing new is kept at this moment, and what to do; empty while it is."""
        return self._store.trouble

    async def find(self, search: Search) -> Found:
        """Return a page of rounds; raise ``HeardStoreError``."""
        return await self._store.find(self.table.id, search)

    async def won_as(self) -> tuple[str, ...]:
        """Return by which rows of paytables wagers were won; raise ``HeardStoreError``."""
        return await self._store.won_as(self.table.id)

    async def read(self, number: RoundNumber, journal: int | None = None, page: int = 1) -> HeardRound:
        """Return what was heard of a round; raise ``NotHeardError`` or ``HeardStoreError``."""
        return await self._store.read(self.table.id, number, journal, page)

    def take(self, envelope: Envelope) -> None:
        """Keep a message, if it tells of a round."""
        if isinstance(envelope, Heard):
            self._store.take(envelope)


@asynccontextmanager
async def recording(table: FollowedTable, store: HeardStore) -> AsyncIterator[Records]:
    """Keep what a table says for as long as the context lasts, and yield what is kept of it.

    To be entered before the table is followed: it first hears again what was kept of the shoe in play.
    """
    records = Records(table, store)
    try:
        for envelope in await store.last_rounds(table.id, ROUNDS_MAX + 1):
            table.shoe.take(envelope)
    except HeardStoreError as error:
        _LOG.warning("the shoe of table %s is known from now on only: %s", table.id, error)
    with table.hearing(records.take):
        yield records
