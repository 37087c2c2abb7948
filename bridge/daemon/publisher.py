"""What a daemon says of its table: envelopes stamped with it, and lamps only when they change."""

import logging

from bridge.bus import Bus
from bridge.contracts.author import Author
from bridge.contracts.envelopes import Envelope, PositionIndicatorsEnvelope, TableEnvelope
from bridge.contracts.strict_json import ContractError
from bridge.domain.identity import Sequence, TableId
from bridge.domain.table_view import LampView, TableView
from bridge.domain.wagers import BettingPosition

log = logging.getLogger(__name__)


class TablePublisher:
    """Publishes what is to be known of one table."""

    def __init__(self, table: TableId, *, bus: Bus, author: Author) -> None:
        self._table = table
        self._bus = bus
        self._author = author
        self._lamps: dict[BettingPosition, tuple[LampView, ...]] = {}
        """As they were published last."""

    def publish(self, kind: type[Envelope], **content: object) -> None:
        """Say something of the table. What cannot be said must not end a table that has journalled and done it."""
        try:
            self._bus.publish(self._author.stamp(kind, table=self._table, **content))
        except ContractError:
            log.exception("a %s of table %s cannot be published", kind.__name__, self._table)

    def publish_table(self, public: TableView, sequence: Sequence) -> None:
        """Say how the table stands after a record, and what changed of its lamps."""
        self.publish(TableEnvelope, sequence=sequence, view=public)
        lamps: dict[BettingPosition, tuple[LampView, ...]] = {}
        for lamp in public.lamps:
            position = lamp.indicator.position
            lamps[position] = (*lamps.get(position, ()), lamp)
        for position, shown in lamps.items():
            if self._lamps.get(position) != shown:
                self.publish(PositionIndicatorsEnvelope, position=position, lamps=shown)
        self._lamps = lamps
