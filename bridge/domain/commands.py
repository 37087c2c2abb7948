"""Everything a table can ask of the world, in imperatives. Counterpart: ``events``."""

from dataclasses import dataclass

from bridge.domain.indicators import Indicator, LampState
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


Command = SetLock | SetIndicator | PublishRound | PublishTable
