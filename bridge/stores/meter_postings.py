"""What a round's entries do to the meters: plain functions on a connection, inside the caller's transaction."""

import sqlite3
from dataclasses import replace

from bridge.domain.identity import Timestamp
from bridge.domain.meters import ByRound, MeterEntries, NoLimit, PostingReason
from bridge.domain.money import MeterAmount
from bridge.domain.settlements import Contribution
from bridge.rules.progressive import contribute, take_back
from bridge.stores import meter_awards
from bridge.stores.meter_ledger import Held, Ledger
from bridge.stores.meter_store import MeterStoreError

_NOTHING = MeterAmount(0)


def post(connection: sqlite3.Connection, entries: MeterEntries, at: Timestamp) -> None:
    """Post what a round asks and has not been posted; raise ``MeterStoreError`` if it contradicts what was.

    Contributions come first: a round's own wagers are in the meter that its winners share (T19). Corrections come
    after the claims, because what is decided was decided before the round was voided; acts are about claims.
    """
    cause = ByRound(table=entries.table, round_number=entries.round_number, answers=entries.answers)
    ledger = Ledger(connection, cause, at, own=f"{cause.table}/{cause.round_number}/")
    for made in entries.contributions:
        _contribute(ledger, cause, made)
    for claim in entries.claims:
        meter_awards.claim(ledger, cause, claim)
    for taken_back in entries.corrections:
        _take_back(ledger, cause, taken_back)
    for act in entries.acts:
        meter_awards.act(ledger, cause, act)
    ledger.write()


def _contribute(ledger: Ledger, cause: ByRound, made: Contribution) -> None:
    if made.amount < _NOTHING or made.hidden < _NOTHING:
        raise MeterStoreError(f"a contribution of {made.amount} would lower progressive {made.progressive}")
    meter, key = ledger.meter(made.progressive), _key(ledger, PostingReason.CONTRIBUTION, made)
    if _contributed(ledger, made, key) is not None:
        return
    above = meter.terms.unreasonable_above
    if not isinstance(above, NoLimit) and made.amount > MeterAmount.of_cents(above):
        ledger.hold(made, key, cause, above)
        return
    after = contribute(meter.pools, made, meter.terms.limit)
    ledger.post(made.progressive, key, PostingReason.CONTRIBUTION, after, wagers=1)


def _contributed(ledger: Ledger, made: Contribution, key: str) -> MeterAmount | Held | None:
    """Return what is on record of a contribution; raise ``MeterStoreError`` if it was of another amount."""
    posted = ledger.posted(made.progressive, key)
    if posted is not None:
        amount = posted.amount if isinstance(posted, Held) else posted
        if amount.units != made.amount.units + made.hidden.units:
            asked = made.amount + made.hidden
            raise MeterStoreError(
                f"{key} of progressive {made.progressive} was posted as {amount} and now comes as {asked}. A"
                " posting never changes: find out why it differs."
            )
    return posted


def _take_back(ledger: Ledger, cause: ByRound, made: Contribution) -> None:
    """Take a contribution back; raise ``MeterStoreError`` if it was not made, or not of this amount."""
    contributed = _contributed(ledger, made, _key(ledger, PostingReason.CONTRIBUTION, made))
    if contributed is None:
        raise MeterStoreError(
            f"round {cause.round_number} of table {cause.table} takes back {made.amount} of {made.kind} at"
            f" position {made.position}, which contributed nothing; only what was contributed is taken back"
        )
    key = _key(ledger, PostingReason.CORRECTION, made)
    if ledger.posted(made.progressive, key) is not None:
        return
    after, wagers, settles = ledger.meter(made.progressive).pools, 0, None
    if not isinstance(contributed, Held):
        after, wagers = take_back(after, made), -1
    elif contributed.settled is None:
        settles = contributed.number
    else:
        # What somebody made of it is what there is to take back.
        there = replace(made, amount=max(contributed.settled.amount, _NOTHING), hidden=_NOTHING)
        after, wagers = take_back(after, there), -contributed.settled.wagers
    ledger.post(
        made.progressive,
        key,
        PostingReason.CORRECTION,
        after,
        text="the wager is returned with its voided round",
        wagers=wagers,
        settles=settles,
    )


def _key(ledger: Ledger, reason: PostingReason, of: Contribution) -> str:
    return f"{ledger.own}{reason}/{of.kind}/{of.position}"
