"""The state of a table kept beside its journal, so that a start does not grow with the table's history.

Twice the state is had from the records alone: when it is resumed, and before it is kept. What is kept is compared
with the fold from what was kept before, so that a bit that fell over in memory is found, and not kept for ever.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence as Items
from dataclasses import dataclass
from typing import Generic

from bridge import __version__
from bridge.contracts.strict_json import ContractError
from bridge.domain.errors import BridgeError
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores.fold import Fold, S
from bridge.stores.journal import Journal, JournalRecord
from bridge.stores.snapshots import make_snapshot

_log = logging.getLogger(__name__)

KEEP_EVERY_RECORDS = 1_000
"""A quarter of an hour of play. A start folds as many at most, and one round more."""
_LAST = Sequence(2**63 - 1)


class StateDiffersError(BridgeError):
    """The state in memory is not the fold of the journal: this machine's memory, or the program, is at fault."""


@dataclass(frozen=True, slots=True)
class _Known(Generic[S]):
    """The fold up to a record; None before the first one."""

    sequence: Sequence
    state: S | None


class StateKeeper(Generic[S]):
    """Resumes a state from a journal, keeps it there, and files what happens by gaming day."""

    def __init__(self, journal: Journal, fold: Fold[S]) -> None:
        self._journal = journal
        self._fold = fold
        self._kept = Sequence(0)
        self._keeping = asyncio.Lock()

    async def resume(self) -> S | None:
        """Return the state after the last record, None for an empty journal; raise ``JournalError``."""
        known = await self._newest_before(_LAST)
        self._kept = known.sequence
        state, folded = known.state, 0
        for record in await self._journal.read(known.sequence):
            state, folded = self._folded(state, record), folded + 1
        _log.info("journal read: %d events, folded from record %d on", folded, known.sequence + 1)
        return state

    # --- keeping --------------------------------------------------------------------------------------

    def is_due(self, state: S) -> bool:
        """Return whether so much has happened since the state was kept that it should be kept again."""
        return self._fold.sequence(state) - self._kept >= KEEP_EVERY_RECORDS

    async def keep(self, state: S) -> None:
        """Keep a state that the journal has all records of, and let others work meanwhile.

        Raise ``StateDiffersError`` if it is not what the journal says, and keep nothing. Raise ``JournalError``.
        """
        sequence = self._fold.sequence(state)
        async with self._keeping:
            if sequence <= self._kept:
                return
            known = await self._newest_before(sequence)
            folded = known.state
            async for page in self._journal.pages(known.sequence, sequence):
                for record in page:
                    folded = self._folded(folded, record)
            body = self._fold.encode(state)
            if folded != state or self._fold.decode(body) != folded:
                raise StateDiffersError(
                    f"the state in memory after record {sequence} is not the fold of the journal from record"
                    f" {known.sequence + 1} on: the memory of this machine cannot be trusted. Have it tested and"
                    " start again on a sound one; the state is then read from the journal, which is not affected"
                )
            hash_ = await self._journal.hash_at(sequence)
            await self._journal.keep(
                make_snapshot(
                    sequence=sequence, hash_=hash_, software=__version__, code=self._fold.code, body=body
                )
            )
            self._kept = sequence

    # --- gaming days ----------------------------------------------------------------------------------

    def parts(self, state: S, events: Items[TableEvent]) -> Iterator[Items[TableEvent]]:
        """Yield events that may share a commit: all of them, but for those around the turn of a gaming day."""
        if any(self._fold.day_after(state, event) != self._journal.day for event in events):
            yield from ((event,) for event in events)
        elif events:
            yield events

    async def file(self, state: S, event: TableEvent) -> None:
        """Before an event is appended: begin its gaming day in the journal, if that is due and no round is on.

        A journal that has grown long within a day is filed in parts. Raise as ``keep`` does.
        """
        day = self._fold.day_after(state, event)
        due = bool(day) and (day != self._journal.day or self._journal.is_long)
        if due and self._fold.is_at_rest(state) and self._is_near(state):
            await self.keep(state)
            await self._journal.begin_day(day)

    def _is_near(self, state: S) -> bool:
        """Return whether keeping the state takes no longer than a table can wait between two rounds."""
        return not self._keeping.locked() and self._fold.sequence(state) - self._kept <= 2 * KEEP_EVERY_RECORDS

    # --- folding --------------------------------------------------------------------------------------

    async def _newest_before(self, sequence: Sequence) -> _Known[S]:
        """Return the newest fold that was kept of a record before this one, or where every fold begins."""
        while (snapshot := await self._journal.newest_snapshot(self._fold.code, sequence)) is not None:
            try:
                return _Known(snapshot.sequence, self._fold.decode(snapshot.body))
            except ContractError as error:
                _log.warning("the state kept after record %d is passed over: %s", snapshot.sequence, error)
                sequence = snapshot.sequence
        return _Known(Sequence(0), None)

    def _folded(self, state: S | None, record: JournalRecord) -> S:
        return self._fold.evolve(self._fold.begin(record.event) if state is None else state, record.event)
