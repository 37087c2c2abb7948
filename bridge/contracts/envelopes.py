"""Envelopes: the domain's own values, with who sent them and when. Strict in both directions.

An envelope carries everything that must hold, because a broker may lose or repeat anything: the sender's
epoch and number, table, round, sequence, and for whatever commands something, until when it is valid.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from bridge.contracts.strict_json import STRICT
from bridge.domain.confirmations import Confirmation
from bridge.domain.controller import DisabledReason
from bridge.domain.devices import DeviceStatus
from bridge.domain.events import TableEvent
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.meters import Award, MeterReading
from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement
from bridge.domain.table_view import LampView, TableView
from bridge.domain.wagers import BettingPosition

SCHEMA_VERSION: Final = 1


class Envelope(BaseModel):
    """What every message carries."""

    model_config = ConfigDict(**STRICT, defer_build=True)  # all of them are described together, in shared_schemas

    schema_version: Literal[1] = SCHEMA_VERSION
    sender: str
    """Client id of the sending process; fixed, so that a successor takes over from a ghost."""
    epoch: Timestamp
    """When the sending process started."""
    number: int
    """Counts the messages of one sender in one epoch, from 1."""
    sent_at: Timestamp

    @property
    def identity(self) -> str:
        """What no other message has: who sent it, since when, and as which of its messages."""
        return f"{self.sender}/{self.epoch}/{self.number}"


class EventEnvelope(Envelope):
    """``events``: one event of the journal, disclosed. Gaps in ``sequence`` are gaps in what was received."""

    table: TableId
    round_number: RoundNumber
    sequence: Sequence
    event: Annotated[TableEvent, Field(discriminator="kind")]


class RoundEnvelope(Envelope):
    """``round``, retained: the current round as the public may see it, after journal record ``sequence``."""

    table: TableId
    sequence: Sequence
    round: Round


class TableEnvelope(Envelope):
    """``state``, retained: the table around its round."""

    table: TableId
    sequence: Sequence
    view: TableView


class SettlementEnvelope(Envelope):
    """``settlement``: the answer to the round of journal record ``sequence``."""

    table: TableId
    sequence: Sequence
    settlement: Settlement
    awards: tuple[Award, ...]
    complete: bool
    """Decided and posted, and every payout over: nothing of this round is owed any more."""


class MeterEnvelope(Envelope):
    """``meter``, retained: one progressive meter."""

    reading: MeterReading


class AdjustmentAnswerEnvelope(Envelope):
    """``adjustments``: what became of a person's change of a meter."""

    table: TableId
    progressive: ProgressiveId
    person: PersonId
    answers: str
    """The identity of the confirmation."""
    made: bool
    words: str
    """Why it was not made; else what stands on the record."""


class IndicatorCommandEnvelope(Envelope):
    """``indicators/set``: a win lamp. Never retained; refused when late."""

    table: TableId
    round_number: RoundNumber
    indicator: Indicator
    state: LampState
    valid_until: Timestamp


class PositionIndicatorsEnvelope(Envelope):
    """``indicators/{position}``, retained: the lamps of one position, wanted and as their devices report them."""

    table: TableId
    position: BettingPosition
    lamps: tuple[LampView, ...]


class DeviceEnvelope(Envelope):
    """``devices/{device}``, retained: how a device is doing."""

    table: TableId
    status: DeviceStatus


class HealthEnvelope(Envelope):
    """``health/{service}``, retained, and the last will: whether a process of the table is there."""

    table: TableId
    service: Literal["daemon", "rules-worker"]
    online: bool
    detail: str
    software: str = ""
    """SHA-256 over every file of the software that runs, in hexadecimal."""
    failure: DisabledReason | None = None
    """What the process found that disables the progressive controller."""


class ConfirmationEnvelope(Envelope):
    """``confirmations/{person}``: what a person confirms. Never retained; refused when late."""

    table: TableId
    person: PersonId
    """Must equal the topic's last level, which the broker binds to the login."""
    confirmation: Annotated[Confirmation, Field(discriminator="kind")]
    valid_until: Timestamp
