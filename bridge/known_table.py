"""What anybody may know of a table, followed over MQTT: the newest word on everything about it."""

from bridge.contracts.envelopes import (
    DeviceEnvelope,
    Envelope,
    EventEnvelope,
    HealthEnvelope,
    MeterEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.contracts.topics import topic_filter, topic_of
from bridge.domain.devices import DeviceStatus
from bridge.domain.identity import DeviceId, ProgressiveId, TableId
from bridge.domain.meters import MeterReading
from bridge.domain.rounds import Round
from bridge.domain.table_view import TableView


def subscriptions(table: TableId) -> tuple[str, ...]:
    """Return the topics of one table that whoever watches it follows."""
    of_table = (RoundEnvelope, TableEnvelope, SettlementEnvelope, EventEnvelope, DeviceEnvelope, HealthEnvelope)
    return (*(topic_filter(envelope, table=table) for envelope in of_table), topic_filter(MeterEnvelope))


class KnownTable:
    """One table as its newest messages have it."""

    def __init__(self) -> None:
        self.view: TableView | None = None
        """None, like the round and the settlement, until the first message of its kind has come."""
        self.round: Round | None = None
        self.settlement: SettlementEnvelope | None = None
        """Of the round that is on."""
        self.meters: dict[ProgressiveId, MeterReading] = {}
        self.devices: dict[DeviceId, DeviceStatus] = {}
        self.health: dict[str, HealthEnvelope] = {}
        self._newest: dict[str, Envelope] = {}

    def take(self, envelope: Envelope) -> bool:
        """Learn what a message says; return False if a newer one of the same process was here before (T54)."""
        newest = self._newest.get(topic := topic_of(envelope))
        if newest is not None and newest.epoch == envelope.epoch and newest.number > envelope.number:
            return False
        self._newest[topic] = envelope
        match envelope:
            case TableEnvelope():
                self.view = envelope.view
            case RoundEnvelope():
                if self.round is not None and self.round.number != envelope.round.number:
                    self.settlement = None
                self.round = envelope.round
            case SettlementEnvelope():
                if self.round is None or envelope.settlement.round_number == self.round.number:
                    self.settlement = envelope
            case MeterEnvelope():
                self.meters[envelope.reading.progressive] = envelope.reading
            case DeviceEnvelope():
                self.devices[envelope.status.device] = envelope.status
            case HealthEnvelope():
                self.health[envelope.service] = envelope
            case _:
                pass
        return True
