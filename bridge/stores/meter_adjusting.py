"""What a person asks of a meter: plain functions on a connection, inside the caller's transaction."""

import sqlite3

from bridge.domain.identity import Timestamp
from bridge.domain.meters import Adjustment, AdjustmentReason, ByPerson, PostingReason
from bridge.domain.money import MeterAmount
from bridge.rules.meter_adjustments import AdjustmentError, adjust as adjusted
from bridge.stores.meter_ledger import Held, Ledger
from bridge.stores.meter_rows import pending_awards
from bridge.stores.meter_store import AdjustmentRefusedError, MeterStoreError


def adjust(connection: sqlite3.Connection, adjustment: Adjustment, at: Timestamp) -> None:
    """Make a person's change once; raise ``AdjustmentRefusedError`` if there is no reason for it."""
    ledger = Ledger(connection, ByPerson(table=adjustment.table), at, own=adjustment.key)
    progressive = adjustment.progressive
    try:
        meter = ledger.meter(progressive)
    except MeterStoreError as error:
        raise AdjustmentRefusedError(str(error)) from error
    if ledger.posted(progressive, adjustment.key) is not None:
        return
    held = _settled(ledger, adjustment)
    pending = bool(pending_awards(connection, progressive))
    try:
        after = adjusted(meter.pools, adjustment, meter.terms, awards_pending=pending)
    except AdjustmentError as error:
        raise AdjustmentRefusedError(str(error)) from error
    ledger.post(
        progressive,
        adjustment.key,
        PostingReason(adjustment.reason),
        after,
        by=adjustment.by,
        text=_words(adjustment),
        wagers=1 if held is not None and adjustment.amount > MeterAmount(0) else 0,
        settles=None if held is None else held.number,
    )
    ledger.write()


def _settled(ledger: Ledger, adjustment: Adjustment) -> Held | None:
    """Return the held contribution that an adjustment is about, None if it is about none."""
    if not adjustment.settles:
        return None
    held = ledger.posted(adjustment.progressive, adjustment.settles)
    if not isinstance(held, Held):
        raise AdjustmentRefusedError(
            f"no contribution {adjustment.settles!r} of progressive {adjustment.progressive} is held back; read"
            " the meter for the keys of those that are"
        )
    if held.settled is not None:
        raise AdjustmentRefusedError(f"the contribution {adjustment.settles} is done with already")
    return held


def _words(adjustment: Adjustment) -> str:
    if adjustment.reason is not AdjustmentReason.TRANSFER:
        return adjustment.text
    way = "to" if adjustment.amount < MeterAmount(0) else "from"
    return f"{way} {adjustment.counterpart}: {adjustment.text}"
