"""The reading of every meter of a table, as somebody takes it and signs for it (§ 605a.7(a))."""

from dataclasses import dataclass

from bridge.domain.identity import Sequence, TableId, Timestamp
from bridge.domain.meter_records import AwardRecord
from bridge.domain.meters import MeterReading, Posting

WINS_SHOWN_MAX = 25
"""9 NYCRR § 5320.8(b): the last 25 hits are to be seen at a controller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterOnSheet:
    """One meter."""

    reading: MeterReading
    last_posting: Posting
    """The newest change: the reading stands since then."""
    last_awards: tuple[AwardRecord, ...]
    """Newest first, ``WINS_SHOWN_MAX`` at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSheet:
    """Every meter of one table."""

    document: str
    """Its number: ``MS-bj-demo-1204``, of the table and of how many records its meters are made of."""
    table: TableId
    meters: tuple[MeterOnSheet, ...]
    records: int
    read_to: Timestamp
    """Of the newest change of any meter."""
    answers: Sequence
    """The newest journal record of this table that a posting answers; 0 where none does."""
