"""The reading of every meter, put together from their store."""

from bridge.domain.errors import BridgeError
from bridge.domain.identity import Sequence, TableId
from bridge.domain.meter_sheet import WINS_SHOWN_MAX, MeterOnSheet, MeterSheet
from bridge.domain.meters import ByRound, MeterReading
from bridge.reports.meter_books import MeterBooks


class NoMetersError(BridgeError):
    """A table has no meter to read."""


def meter_sheet(table: TableId, books: MeterBooks) -> MeterSheet:
    """Return the reading of every meter; raise ``NoMetersError`` if no wager of the table feeds one."""
    if not books.readings:
        raise NoMetersError(f"table {table} has no meter: its rules submission files no progressive wager")
    meters = tuple(_meter(reading, books) for reading in books.readings)
    records = sum(reading.records for reading in books.readings)
    answered = [posting.cause for posting in books.postings if isinstance(posting.cause, ByRound)]
    return MeterSheet(
        document=f"MS-{table}-{records}",
        table=table,
        meters=meters,
        records=records,
        read_to=max(meter.last_posting.at for meter in meters),
        answers=max((cause.answers for cause in answered if cause.table == table), default=Sequence(0)),
    )


def _meter(reading: MeterReading, books: MeterBooks) -> MeterOnSheet:
    postings = [posting for posting in books.postings if posting.progressive == reading.progressive]
    awards = [record for record in books.awards if record.award.progressive == reading.progressive]
    return MeterOnSheet(
        reading=reading, last_posting=postings[-1], last_awards=tuple(awards[::-1][:WINS_SHOWN_MAX])
    )
