"""What stands in a meter store, read on a connection and never changed."""

import sqlite3
from collections.abc import Iterable

from bridge.domain.identity import ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meter_records import AwardHit, AwardRecord, HeldContribution, RoundSpan, Share, WinAudit
from bridge.domain.meters import (
    Award,
    HeldContributions,
    MeterReading,
    Pool,
    Posting,
    PostingReason,
)
from bridge.domain.money import Cents, MeterAmount
from bridge.stores.meter_rows import StoredAward, acts_of, pending_awards, stored_awards, stored_postings
from bridge.stores.meter_state import MeterState, all_meters, meter_of

_THE_BEGINNING = Timestamp(0)


def readings(connection: sqlite3.Connection) -> tuple[MeterReading, ...]:
    """Return every meter as it stands."""
    return tuple(_reading(connection, state) for state in all_meters(connection))


def postings(
    connection: sqlite3.Connection, progressive: ProgressiveId, since: Timestamp = _THE_BEGINNING
) -> tuple[Posting, ...]:
    """Return the postings of a meter from a time on, oldest first; raise ``MeterStoreError`` if there is none."""
    meter_of(connection, progressive)
    return stored_postings(connection, "progressive = ? AND at >= ?", (progressive, since))


def postings_about(
    connection: sqlite3.Connection, progressive: ProgressiveId, rounds: RoundSpan
) -> tuple[Posting, ...]:
    """Return what wagers of some rounds contributed or were given back, and whatever else was ever posted.

    All but contributions is little: some awards and acts a day.
    """
    meter_of(connection, progressive)
    return stored_postings(
        connection,
        "progressive = ? AND (round_number IS NULL OR reason NOT IN ('contribution', 'reserve', 'correction')"
        " OR table_id = ? AND round_number BETWEEN ? AND ?)",
        (progressive, rounds.table, rounds.first, rounds.last),
    )


def last_posting(connection: sqlite3.Connection, progressive: ProgressiveId) -> Posting:
    """Return the newest posting of a meter, which has one since it began."""
    meter_of(connection, progressive)
    (newest,) = stored_postings(
        connection, "number = (SELECT MAX(number) FROM postings WHERE progressive = ?)", (progressive,)
    )
    return newest


def newest_answer(connection: sqlite3.Connection, table: TableId) -> Sequence:
    """Return the newest journal record of a table that a posting answers; 0 where none does."""
    (answers,) = connection.execute(
        "SELECT COALESCE(MAX(answers), 0) FROM postings WHERE table_id = ?", (table,)
    ).fetchone()
    return Sequence(answers)


def awards_of_round(
    connection: sqlite3.Connection, table: TableId, round_number: RoundNumber
) -> tuple[Award, ...]:
    """Return the awards of a round in the order in which they were claimed."""
    found = stored_awards(connection, "table_id = ? AND round_number = ?", (table, round_number))
    return tuple(one.award for one in found)


def awards_hit(connection: sqlite3.Connection, table: TableId) -> tuple[AwardHit, ...]:
    """Return every award of a table, oldest first."""
    return tuple(
        AwardHit(award=one.award, hit_at=_hit_at(connection, one.number))
        for one in stored_awards(connection, "table_id = ?", (table,))
    )


def award_records(
    connection: sqlite3.Connection, progressive: ProgressiveId, rounds: RoundSpan | None = None
) -> tuple[AwardRecord, ...]:
    """Return the awards of a meter, or of some rounds, with what is on record about them, oldest first."""
    meter_of(connection, progressive)
    if rounds is None:
        found = stored_awards(connection, "progressive = ?", (progressive,))
    else:
        found = stored_awards(
            connection,
            "progressive = ? AND table_id = ? AND round_number BETWEEN ? AND ?",
            (progressive, rounds.table, rounds.first, rounds.last),
        )
    return tuple(_record(connection, one) for one in found)


def newest_awards(
    connection: sqlite3.Connection, progressive: ProgressiveId, count: int
) -> tuple[AwardRecord, ...]:
    """Return so many of the last awards of a meter, newest first."""
    meter_of(connection, progressive)
    newest = "number IN (SELECT number FROM awards WHERE progressive = ? ORDER BY number DESC LIMIT ?)"
    found = stored_awards(connection, newest, (progressive, count))
    return tuple(_record(connection, one) for one in reversed(found))


def held_contributions(connection: sqlite3.Connection, progressive: ProgressiveId) -> tuple[HeldContribution, ...]:
    """Return every contribution of a meter that was ever held back, oldest first."""
    meter_of(connection, progressive)
    rows = connection.execute(
        "SELECT held.key, held.amount, hidden, above_cents, held.table_id, held.round_number, held.answers,"
        " held.at, COALESCE(postings.key, '')"
        " FROM held_contributions AS held LEFT JOIN postings ON settles = held.number"
        " WHERE held.progressive = ? ORDER BY held.number",
        (progressive,),
    )
    return tuple(
        HeldContribution(
            progressive=progressive,
            key=key,
            amount=MeterAmount(amount),
            hidden=MeterAmount(hidden),
            above=Cents(above),
            table=TableId(table),
            round_number=RoundNumber(round_number),
            answers=Sequence(answers),
            at=Timestamp(at),
            settled_by=settled_by,
        )
        for key, amount, hidden, above, table, round_number, answers, at, settled_by in rows
    )


def audit(connection: sqlite3.Connection, progressive: ProgressiveId) -> tuple[WinAudit, ...]:
    """Return for every win how its amount came about, oldest first."""
    by_win: dict[int, list[AwardRecord]] = {}
    for record in award_records(connection, progressive):
        by_win.setdefault(record.award.win_number, []).append(record)
    found = []
    since = 0
    for win_number, awards in by_win.items():
        hits = [award.postings[0].number for award in awards]
        between = stored_postings(
            connection, "progressive = ? AND number > ? AND number < ?", (progressive, since, min(hits))
        )
        found.append(
            WinAudit(
                progressive=progressive,
                win_number=win_number,
                awards=tuple(awards),
                opening=_display_after(connection, progressive, since),
                shares=_shares(posting for posting in between if posting.pool is Pool.DISPLAY),
                wagers=sum(posting.wagers for posting in between),
                postings=between,
                meter_before=awards[0].award.meter_before,
            )
        )
        since = max(hits)
    return tuple(found)


def _reading(connection: sqlite3.Connection, state: MeterState) -> MeterReading:
    terms, pools = state.terms, state.pools
    count, amount = connection.execute(
        "SELECT COUNT(*), COALESCE(SUM(amount + hidden), 0) FROM held_contributions AS held"
        " WHERE progressive = ? AND NOT EXISTS (SELECT 1 FROM postings WHERE settles = held.number)",
        (terms.id,),
    ).fetchone()
    return MeterReading(
        progressive=terms.id,
        exact=pools.display,
        displayed=pools.display.floor_to_cents(),
        overflow=pools.overflow,
        reserve=pools.reserve,
        base_amount=terms.base_amount,
        reset_amount=terms.reset_amount,
        limit=terms.limit,
        in_meter=state.in_meter,
        hits=state.hits,
        wins=Cents(state.wins),
        device_paid=Cents(state.device_paid),
        attendant_paid=Cents(state.attendant_paid),
        cumulative_paid=Cents(state.device_paid + state.attendant_paid),
        pending=tuple(one.award for one in pending_awards(connection, terms.id)),
        held=HeldContributions(count=count, amount=MeterAmount(amount)),
        records=state.records,
    )


def _record(connection: sqlite3.Connection, one: StoredAward) -> AwardRecord:
    of_award = stored_postings(connection, "award = ?", (one.number,))
    hit, award = of_award[0], one.award
    (answers,) = connection.execute("SELECT answers FROM postings WHERE number = ?", (hit.number,)).fetchone()
    (last,) = connection.execute(
        "SELECT MAX(hit) FROM (SELECT MIN(postings.number) AS hit FROM awards"
        " JOIN postings ON award = awards.number WHERE awards.progressive = ? AND win_number = ?"
        " GROUP BY awards.number)",
        (award.progressive, award.win_number),
    ).fetchone()
    return AwardRecord(
        award=award,
        hit_at=hit.at,
        answers=Sequence(answers),
        meter_after=_display_after(connection, award.progressive, last),
        acts=acts_of(connection, one.number),
        postings=of_award,
    )


def _hit_at(connection: sqlite3.Connection, award: int) -> Timestamp:
    (at,) = connection.execute(
        "SELECT at FROM postings WHERE award = ? ORDER BY number LIMIT 1", (award,)
    ).fetchone()
    return Timestamp(at)


def _display_after(connection: sqlite3.Connection, progressive: ProgressiveId, number: int) -> MeterAmount:
    (units,) = connection.execute(
        "SELECT COALESCE(SUM(amount), 0) FROM postings WHERE progressive = ? AND pool = ? AND number <= ?",
        (progressive, Pool.DISPLAY, number),
    ).fetchone()
    return MeterAmount(units)


def _shares(postings_: Iterable[Posting]) -> tuple[Share, ...]:
    counts: dict[PostingReason, int] = {}
    amounts: dict[PostingReason, MeterAmount] = {}
    for posting in postings_:
        counts[posting.reason] = counts.get(posting.reason, 0) + 1
        amounts[posting.reason] = amounts.get(posting.reason, MeterAmount(0)) + posting.amount
    return tuple(Share(reason=reason, postings=counts[reason], amount=amounts[reason]) for reason in counts)
