"""Records of a journal in memory, chained as in a file."""

from collections.abc import Iterable

from bridge.contracts.journal_records import event_to_json
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores.chain import link_hash
from bridge.stores.journal_reader import ChainedRecord


def chained(events: Iterable[TableEvent]) -> list[ChainedRecord]:
    digest, records = bytes(32), []
    for sequence, event in enumerate(events, start=1):
        digest = link_hash(digest, sequence, event.at, event.kind.encode(), event_to_json(event))
        records.append(ChainedRecord(sequence=Sequence(sequence), event=event, digest=digest.hex()))
    return records
