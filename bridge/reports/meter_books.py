"""What the meters of a table hold, read from their store for a document."""

import asyncio
from collections.abc import Iterable, Sequence as Items
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import ProgressiveId, RoundNumber, TableId
from bridge.domain.meters import Award, MeterEntries, MeterReading, Posting
from bridge.rules.submission import Progressive
from bridge.stores.meter_store import MeterStore, MeterStoreError
from bridge.stores.sqlite_meters import SqliteMeterStore


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterBooks:
    """Meters as they stand, all that was ever posted on them, and the awards of the rounds asked for."""

    readings: tuple[MeterReading, ...] = ()
    postings: tuple[tuple[ProgressiveId, Items[Posting]], ...] = ()
    awards: tuple[Award, ...] = ()


def read_meter_books(
    file: Path, progressives: Items[Progressive], table: TableId, rounds: Iterable[RoundNumber]
) -> MeterBooks:
    """Return the meters of a file; none where no wager feeds one. Raise ``MeterStoreError``."""
    if not progressives:
        return MeterBooks()
    if not file.is_file():
        raise MeterStoreError(f"there are no meters {file}; has the rules worker of this table run?")
    return asyncio.run(_read_file(file, progressives, table, rounds))


async def _read_file(
    file: Path, progressives: Items[Progressive], table: TableId, rounds: Iterable[RoundNumber]
) -> MeterBooks:
    async with SqliteMeterStore.open(file, progressives) as store:
        return await books_of(store, table, rounds)


async def books_of(store: MeterStore, table: TableId, rounds: Iterable[RoundNumber]) -> MeterBooks:
    """Return the meters of a store that is open."""
    readings = await store.readings()
    awards: list[Award] = []
    for number in rounds:
        # Entries that ask for nothing post nothing; the answer has the awards of their round.
        awards += (await store.post(MeterEntries(table=table, round_number=number))).awards
    postings = [(reading.progressive, await store.postings(reading.progressive)) for reading in readings]
    return MeterBooks(readings=readings, postings=tuple(postings), awards=tuple(awards))
