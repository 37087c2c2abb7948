"""The reading of every meter, put together from their store."""

from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.domain.identity import TableId
from bridge.domain.meter_sheet import WINS_SHOWN_MAX, MeterOnSheet, MeterSheet
from bridge.domain.meters import MeterReading
from bridge.rules.submission import RulesSubmission
from bridge.stores.meter_reader import MeterReader


class NoMetersError(BridgeError):
    """A table has no meter to read."""


def read_meter_sheet(table: TableId, file: Path, submission: RulesSubmission) -> MeterSheet:
    """Return the reading of every meter; raise ``NoMetersError`` if no wager feeds one, or ``MeterStoreError``."""
    if not submission.progressives():
        raise NoMetersError(f"table {table} has no meter: its rules submission files no progressive wager")
    with MeterReader.open(file) as meters:
        on_sheet = tuple(_on_sheet(reading, meters) for reading in meters.readings())
        answers = meters.newest_answer(table)
    records = sum(meter.reading.records for meter in on_sheet)
    return MeterSheet(
        document=f"MS-{table}-{records}",
        table=table,
        meters=on_sheet,
        records=records,
        read_to=max(meter.last_posting.at for meter in on_sheet),
        answers=answers,
    )


def _on_sheet(reading: MeterReading, meters: MeterReader) -> MeterOnSheet:
    return MeterOnSheet(
        reading=reading,
        last_posting=meters.last_posting(reading.progressive),
        last_awards=meters.newest_awards(reading.progressive, WINS_SHOWN_MAX),
    )
