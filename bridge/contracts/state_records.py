"""The state of a table as a snapshot keeps it: sealed, as the journal is, and read back strictly."""

from bridge.contracts.shared_schemas import STATE, StateRecord
from bridge.contracts.strict_json import ContractError, StrictJson
from bridge.table.state import TableState


class StateRecordError(ContractError):
    """A text is no state of this release; the message says what is wrong with it."""


_STATES: StrictJson[StateRecord] = StrictJson(STATE, "a table's state")


def state_to_json(state: TableState) -> bytes:
    """Return the compact JSON of a state; raise ``StateRecordError`` if it is not one."""
    try:
        return _STATES.encode(StateRecord.model_construct(state=state))
    except ContractError as error:
        raise StateRecordError(str(error)) from error


def state_from_json(data: bytes) -> TableState:
    """Return the state that a text stands for; raise ``StateRecordError`` on anything malformed."""
    try:
        return _STATES.decode(data).state
    except ContractError as error:
        raise StateRecordError(str(error)) from error
