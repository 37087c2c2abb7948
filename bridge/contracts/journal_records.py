"""Table events as the sealed journal keeps them: the same JSON as on the wire, nothing hidden."""

from bridge.contracts.shared_schemas import EVENT
from bridge.contracts.strict_json import ContractError, StrictJson
from bridge.domain.events import TableEvent

_EVENTS: StrictJson[TableEvent] = StrictJson(EVENT, "a table event")


class JournalRecordError(ContractError):
    """A journal holds a text that is no table event of this release; the message says what is wrong with it."""


def event_to_json(event: TableEvent) -> bytes:
    """Return the compact JSON of an event; raise ``JournalRecordError`` if it is not one."""
    try:
        return _EVENTS.encode(event)
    except ContractError as error:
        raise JournalRecordError(str(error)) from error


def event_from_json(data: bytes) -> TableEvent:
    """Return the event of a journal record; raise ``JournalRecordError`` on anything malformed."""
    try:
        return _EVENTS.decode(data)
    except ContractError as error:
        raise JournalRecordError(
            f"{error}; if a later release wrote the journal, run that release or a later one"
        ) from error
