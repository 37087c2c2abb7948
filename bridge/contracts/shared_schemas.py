"""What pydantic makes of messages, journalled events and kept states: all of it in one pass.

They hold the same values of the domain, and to describe those takes pydantic far longer than to build validators
from the description. Described for each envelope anew they would be a tenth of a second of every start.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import CoreSchema

from bridge.contracts.envelopes import Envelope
from bridge.contracts.strict_json import STRICT, described
from bridge.contracts.topics import TOPIC_RULES
from bridge.domain.events import TableEvent
from bridge.table.state import TableState


class StateRecord(BaseModel):
    """All of a table's state, undisclosed cards included."""

    model_config = ConfigDict(**STRICT, defer_build=True)

    state: TableState


_KINDS: Final = tuple(rule.envelope for rule in TOPIC_RULES)
*_envelopes, _event, _state = described(*_KINDS, Annotated[TableEvent, Field(discriminator="kind")], StateRecord)

ENVELOPES: Final[Mapping[type[Envelope], CoreSchema]] = dict(zip(_KINDS, _envelopes, strict=True))
EVENT: Final = _event
STATE: Final = _state
