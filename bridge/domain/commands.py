"""Everything a table can ask of the world, in imperatives. Counterpart: ``events``."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.identity import ProgressiveId
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.money import Cents
from bridge.domain.rounds import Round
from bridge.domain.table_view import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLock:
    """Drive the hardware lock-out. Always the first command of a reaction (T43)."""

    engaged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SetIndicator:
    """Light a lamp, or put it out."""

    indicator: Indicator
    state: LampState


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound:
    """Publish a round as the public may see it."""

    round: Round
    """Disclosed already: what is face down is ``HIDDEN`` (T48)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishTable:
    """Publish the table around its round: what changed is visible from outside."""

    view: TableView


class NoReading(StrEnum):
    """In place of the amount of a meter that nobody has told for too long."""

    NO_READING = "no_reading"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMeterSign:
    """Let every sign of a progressive show this, and nothing else. Readings ask for it, not the table's state."""

    progressive: ProgressiveId
    amount: Cents | NoReading
    """As the meter displays it; without a reading there is a banner in its place."""
    banner: str = ""
    """What is shown before the amount; empty for nothing."""


Command = SetLock | SetIndicator | PublishRound | PublishTable
"""What ``table.react`` asks for."""

DeviceCommand = SetLock | SetIndicator | SetMeterSign
"""What devices carry out."""
