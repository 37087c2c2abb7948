"""A journal folded record by record, with the table before and after each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridge.domain.errors import BridgeError
from bridge.domain.events import BridgeStarted
from bridge.stores.journal_reader import ChainedRecord
from bridge.table.evolve import evolve
from bridge.table.state import TableState, initial_state


class NotWholeError(BridgeError):
    """The records do not begin where a journal begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A record, and what it made of the table."""

    record: ChainedRecord
    before: TableState
    after: TableState


def folded(records: Iterable[ChainedRecord], before: TableState | None = None) -> Iterator[Step]:
    """Yield a step for each record of a journal, from its beginning or after a state; raise ``NotWholeError``."""
    for record in records:
        if before is None:
            if not isinstance(record.event, BridgeStarted):
                raise NotWholeError("the journal does not begin with the start of a bridge; it is not whole")
            before = initial_state(record.event.setup)
        after = evolve(before, record.event)
        yield Step(record=record, before=before, after=after)
        before = after
