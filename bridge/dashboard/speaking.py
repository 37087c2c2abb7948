"""A person's word from the dashboard to a table, and the table's answer."""

from collections.abc import Awaitable, Callable

from bridge.config import TableConfig
from bridge.domain.confirmations import Confirmation, ControllerEnabled, MeterAdjusted
from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber
from bridge.people.confirm import Answered, adjust_meter, confirm
from bridge.people.credentials import Admitted

Speak = Callable[[TableConfig, Admitted, Confirmation], Awaitable[Answered]]
"""Says something at a table; may raise ``NobodyAnsweredError`` or ``RoundChangedError``."""
_AT = "dashboard"


class RoundChangedError(BridgeError):
    """Another round is on than the one that was meant."""


async def speak(config: TableConfig, who: Admitted, said: Confirmation) -> Answered:
    """Confirm at a table, over the login that people have there; see ``Speak``."""
    if isinstance(said, MeterAdjusted):
        return await adjust_meter(config, who, said, at=_AT)
    return await confirm(config, who, lambda number: of_round(said, number), at=_AT)


def of_round(said: Confirmation, number: RoundNumber) -> Confirmation:
    """Return what is said if it is about this round, or about none; raise ``RoundChangedError``."""
    if not isinstance(said, ControllerEnabled | MeterAdjusted) and said.round_number != number:
        raise RoundChangedError(f"round {number} is on, and not round {said.round_number}")
    return said
