"""What a round's entries do to the meters: plain functions on a connection, inside the caller's transaction."""

import sqlite3
from collections.abc import Iterable, Sequence as Items

from bridge.domain.awards import AwardStatus, PayoutAct
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.meters import (
    Award,
    AwardClaim,
    MeterEntries,
    MeterReading,
    Posting,
    PostingReason,
)
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.rounds import SignOff
from bridge.domain.settlements import Contribution
from bridge.domain.wagers import BettingPosition
from bridge.rules.progressive import reseed, split_award
from bridge.rules.submission import Progressive
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_file import DamagedFileError

_AWARD = (
    "SELECT progressive, table_id, round_number, position, amount_cents, among, win_number, meter_before,"
    " validated_by FROM awards"
)


def check_totals(connection: sqlite3.Connection) -> None:
    """Raise ``DamagedFileError`` if a stored total is not the sum of its postings, or an award not posted."""
    for progressive, total, count, sum_, counted in connection.execute(
        "SELECT id, total, progressives.postings, COALESCE(SUM(amount), 0), COUNT(number)"
        " FROM progressives LEFT JOIN postings ON progressive = id GROUP BY id"
    ):
        if (total, count) != (sum_, counted):
            raise DamagedFileError(
                f"the total of progressive {progressive} says {MeterAmount(total)} in {count} postings, but its"
                f" postings are {counted} and add up to {MeterAmount(sum_)}"
            )
    for progressive, awarded, posted in connection.execute(
        "SELECT id, (SELECT COALESCE(SUM(amount_cents), 0) FROM awards WHERE progressive = id),"
        " (SELECT COALESCE(-SUM(amount), 0) FROM postings WHERE progressive = id AND reason = 'award')"
        " FROM progressives"
    ):
        if MeterAmount.of_cents(awarded) != MeterAmount(posted):
            raise DamagedFileError(
                f"the awards of progressive {progressive} add up to {MeterAmount.of_cents(awarded)}, but"
                f" {MeterAmount(posted)} was posted for them"
            )


def file_progressives(connection: sqlite3.Connection, filed: Items[Progressive], at: Timestamp) -> None:
    """Begin new progressives at their seeds; raise ``MeterStoreError`` if a known one is not filed as it began."""
    seeds = {progressive.id: progressive.seed for progressive in filed}
    if len(seeds) != len(filed):
        raise MeterStoreError("the rules submission files one progressive twice; give each an id of its own")
    known: dict[ProgressiveId, Cents] = dict(connection.execute("SELECT id, seed_cents FROM progressives"))
    for id_, seed in known.items():
        if id_ not in seeds:
            raise MeterStoreError(
                f"the store holds the meter of progressive {id_}, which is not filed (filed: {_names(seeds)}). A"
                " meter is never dropped or renamed: file it under its id, or give this table its own meter store."
            )
        if seeds[id_] != seed:
            raise MeterStoreError(
                f"progressive {id_} began with a seed of {MeterAmount.of_cents(seed)}, and is filed with"
                f" {MeterAmount.of_cents(seeds[id_])}. A seed is not changed under a running meter: file the seed"
                " that it began with, or begin another progressive under another id."
            )
    for id_, seed in seeds.items():
        if id_ not in known:
            connection.execute("INSERT INTO progressives VALUES (?, ?, 0, 0)", (id_, seed))
            _post(
                connection,
                Posting(key="seed", progressive=id_, reason=PostingReason.SEED, amount=reseed(seed)),
                at,
            )


def post(connection: sqlite3.Connection, entries: MeterEntries, at: Timestamp) -> None:
    """Post what a round asks and has not been posted; raise ``MeterStoreError`` if it contradicts what was.

    Contributions come first: a round's own wagers are in the meter that its winners share (T19). Corrections come
    after the claims, because what is decided was decided before the round was voided.
    """
    for contribution in entries.contributions:
        _contribute(connection, entries, contribution, at)
    for claim in entries.claims:
        _award(connection, entries, claim, at)
    for taken_back in entries.corrections:
        _correct(connection, entries, taken_back, at)
    for act in entries.acts:
        _act(connection, entries, act, at)


def awards_of_round(
    connection: sqlite3.Connection, table: TableId, round_number: RoundNumber
) -> tuple[Award, ...]:
    """Return the awards of a round in the order in which they were claimed."""
    return _awards(
        connection.execute(
            f"{_AWARD} WHERE table_id = ? AND round_number = ? ORDER BY number", (table, round_number)
        )
    )


def readings(connection: sqlite3.Connection) -> tuple[MeterReading, ...]:
    """Return every meter as it stands."""
    rows = connection.execute("SELECT id, seed_cents, total, postings FROM progressives ORDER BY id").fetchall()
    return tuple(
        MeterReading(
            progressive=id_,
            exact=MeterAmount(total),
            displayed=MeterAmount(total).floor_to_cents(),
            seed=seed,
            pending=_pending(connection, id_),
            postings=count,
        )
        for id_, seed, total, count in rows
    )


def postings(connection: sqlite3.Connection, progressive: ProgressiveId) -> tuple[Posting, ...]:
    """Return the postings of a meter, oldest first; raise ``MeterStoreError`` if there is no such meter."""
    _require(connection, progressive)
    return tuple(
        Posting(key=key, progressive=progressive, reason=PostingReason(reason), amount=MeterAmount(amount))
        for key, reason, amount in connection.execute(
            "SELECT key, reason, amount FROM postings WHERE progressive = ? ORDER BY number", (progressive,)
        )
    )


def _contribute(connection: sqlite3.Connection, entries: MeterEntries, made: Contribution, at: Timestamp) -> None:
    if made.amount.units < 0:
        raise MeterStoreError(f"a contribution of {made.amount} would lower progressive {made.progressive}")
    _require(connection, made.progressive)
    reason = PostingReason.CONTRIBUTION
    _post(
        connection,
        Posting(key=_key(entries, reason, made), progressive=made.progressive, reason=reason, amount=made.amount),
        at,
    )


def _correct(
    connection: sqlite3.Connection, entries: MeterEntries, taken_back: Contribution, at: Timestamp
) -> None:
    """Take a contribution back; raise ``MeterStoreError`` if it was not made, or not of this amount."""
    _require(connection, taken_back.progressive)
    made = connection.execute(
        "SELECT amount FROM postings WHERE progressive = ? AND key = ?",
        (taken_back.progressive, _key(entries, PostingReason.CONTRIBUTION, taken_back)),
    ).fetchone()
    if made != (taken_back.amount.units,):
        raise MeterStoreError(
            f"round {entries.round_number} of table {entries.table} takes back {taken_back.amount} of"
            f" {taken_back.kind} at position {taken_back.position}, which contributed"
            f" {MeterAmount(made[0]) if made else 'nothing'}; only what was contributed is taken back"
        )
    reason = PostingReason.CORRECTION
    key = _key(entries, reason, taken_back)
    _post(
        connection,
        Posting(key=key, progressive=taken_back.progressive, reason=reason, amount=-taken_back.amount),
        at,
    )


def _key(entries: MeterEntries, reason: PostingReason, of: Contribution) -> str:
    return f"{entries.table}/{entries.round_number}/{reason}/{of.kind}/{of.position}"


def _award(connection: sqlite3.Connection, entries: MeterEntries, claim: AwardClaim, at: Timestamp) -> None:
    """Fix an award, its place among all wins, and the meter it came from; or see that it was fixed so before."""
    _require(connection, claim.progressive)
    place = f"round {entries.round_number} of table {entries.table}"
    if len(set(claim.positions)) != len(claim.positions):
        raise MeterStoreError(f"{place} claims an award twice for one position: {_names(claim.positions)}")
    fixed = connection.execute(
        "SELECT position, odds_pays, odds_per FROM awards"
        " WHERE progressive = ? AND table_id = ? AND round_number = ?",
        (claim.progressive, entries.table, entries.round_number),
    ).fetchall()
    if fixed:
        positions, odds = {row[0] for row in fixed}, {(row[1], row[2]) for row in fixed}
        if positions != set(claim.positions) or odds != {(claim.odds.pays, claim.odds.per)}:
            raise MeterStoreError(
                f"{place} was awarded the meter of {claim.progressive} at {_names(sorted(positions))}, and now"
                f" claims it at {_names(claim.positions)} for {claim.odds}. An award never changes: a supervisor"
                " has to settle the difference by hand."
            )
        return
    _reseed_after_earlier_wins(connection, claim.progressive, at)
    meter = _require(connection, claim.progressive)
    share = split_award(meter, claim.odds, len(claim.positions)).share
    if share == 0:
        raise MeterStoreError(
            f"the meter of {claim.progressive} holds {meter}, which leaves nothing to share in {place}"
        )
    (wins,) = connection.execute(
        "SELECT COALESCE(MAX(win_number), 0) FROM awards WHERE progressive = ?", (claim.progressive,)
    ).fetchone()
    for position in claim.positions:
        key = f"{entries.table}/{entries.round_number}/award/{position}"
        amount = -MeterAmount.of_cents(share)
        _post(
            connection,
            Posting(key=key, progressive=claim.progressive, reason=PostingReason.AWARD, amount=amount),
            at,
        )
        connection.execute(
            "INSERT INTO awards (progressive, table_id, round_number, position, amount_cents, among, odds_pays,"
            " odds_per, win_number, meter_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(claim.progressive, entries.table, entries.round_number, position, share, len(claim.positions)),
                *(claim.odds.pays, claim.odds.per, wins + 1, meter.units),
            ),
        )


def _reseed_after_earlier_wins(connection: sqlite3.Connection, progressive: ProgressiveId, at: Timestamp) -> None:
    """Reseed after wins that are still pending, because another one follows.

    Two wins within a moment are two wins: the first has the meter, the second the reset amount, not the cents
    that the first left (T17).
    """
    rounds = connection.execute(
        "SELECT DISTINCT table_id, round_number FROM awards WHERE progressive = ? AND validated_by IS NULL",
        (progressive,),
    ).fetchall()
    for table, round_number in rounds:
        _reseed(connection, progressive, table, round_number, at)


def _act(connection: sqlite3.Connection, entries: MeterEntries, act: SignOff, at: Timestamp) -> None:
    match act.act:
        case PayoutAct.VALIDATED:
            _validate(connection, entries, act, at)
        case PayoutAct.REJECTED:
            raise MeterStoreError(
                f"{act.by} rejects the award of position {act.position} in round {entries.round_number} of table"
                f" {entries.table}, and this store does not restore a frozen amount: a supervisor has to do it"
            )
        case _:
            pass


def _validate(connection: sqlite3.Connection, entries: MeterEntries, validation: SignOff, at: Timestamp) -> None:
    """Record who validated the awards of a position, and reseed a meter when all its awards of the round are."""
    round_ = (entries.table, entries.round_number)
    awards = connection.execute(
        "SELECT progressive, validated_by FROM awards WHERE table_id = ? AND round_number = ? AND position = ?",
        (*round_, validation.position),
    ).fetchall()
    if not awards:
        raise MeterStoreError(
            f"{validation.by} validates an award of position {validation.position} in round {entries.round_number}"
            f" of table {entries.table}, which has none; claim it first"
        )
    for progressive, validated_by in awards:
        if validated_by is not None:
            continue
        connection.execute(
            "UPDATE awards SET validated_by = ?, validated_at = ? WHERE progressive = ? AND table_id = ?"
            " AND round_number = ? AND position = ?",
            (validation.by, at, progressive, *round_, validation.position),
        )
        (waiting,) = connection.execute(
            "SELECT COUNT(*) FROM awards WHERE progressive = ? AND table_id = ? AND round_number = ?"
            " AND validated_by IS NULL",
            (progressive, *round_),
        ).fetchone()
        if not waiting:
            _reseed(connection, progressive, *round_, at)


def _reseed(
    connection: sqlite3.Connection,
    progressive: ProgressiveId,
    table: TableId,
    round_number: RoundNumber,
    at: Timestamp,
) -> None:
    """Put the seed on a meter again, once for each round that won all of it (T52)."""
    (parts,) = connection.execute(
        "SELECT COUNT(*) FROM awards WHERE progressive = ? AND table_id = ? AND round_number = ?"
        " AND odds_pays < odds_per",
        (progressive, table, round_number),
    ).fetchone()
    if parts:
        return  # the rest of the meter is still there, its seed within
    (seed,) = connection.execute("SELECT seed_cents FROM progressives WHERE id = ?", (progressive,)).fetchone()
    key = f"{table}/{round_number}/reseed"
    _post(
        connection, Posting(key=key, progressive=progressive, reason=PostingReason.RESEED, amount=reseed(seed)), at
    )


def _post(connection: sqlite3.Connection, posting: Posting, at: Timestamp) -> None:
    """Make a posting once; raise ``MeterStoreError`` if its key was posted with another amount."""
    posted = connection.execute(
        "SELECT amount FROM postings WHERE progressive = ? AND key = ?", (posting.progressive, posting.key)
    ).fetchone()
    if posted is not None:
        if posted[0] != posting.amount.units:
            raise MeterStoreError(
                f"{posting.key} of progressive {posting.progressive} was posted as {MeterAmount(posted[0])} and"
                f" now comes as {posting.amount}. A posting never changes: find out why it differs."
            )
        return
    connection.execute(
        "INSERT INTO postings (progressive, key, reason, amount, at) VALUES (?, ?, ?, ?, ?)",
        (posting.progressive, posting.key, posting.reason, posting.amount.units, at),
    )
    connection.execute(
        "UPDATE progressives SET total = total + ?, postings = postings + 1 WHERE id = ?",
        (posting.amount.units, posting.progressive),
    )


def _require(connection: sqlite3.Connection, progressive: ProgressiveId) -> MeterAmount:
    """Return what a meter holds; raise ``MeterStoreError`` if there is no such meter."""
    row = connection.execute("SELECT total FROM progressives WHERE id = ?", (progressive,)).fetchone()
    if row is None:
        known = _names(id_ for (id_,) in connection.execute("SELECT id FROM progressives ORDER BY id"))
        raise MeterStoreError(f"there is no meter of progressive {progressive}; this store has {known or 'none'}")
    return MeterAmount(row[0])


def _pending(connection: sqlite3.Connection, progressive: ProgressiveId) -> tuple[Award, ...]:
    return _awards(
        connection.execute(
            f"{_AWARD} WHERE progressive = ? AND validated_by IS NULL ORDER BY number", (progressive,)
        )
    )


def _awards(rows: Iterable[tuple[str, str, int, int, int, int, int, int, str | None]]) -> tuple[Award, ...]:
    return tuple(
        Award(
            progressive=ProgressiveId(progressive),
            table=TableId(table),
            round_number=RoundNumber(round_number),
            position=BettingPosition(position),
            amount=Cents(amount),
            among=among,
            win_number=win_number,
            meter_before=MeterAmount(meter_before),
            status=AwardStatus.HIT if validated_by is None else AwardStatus.VALIDATED,
        )
        for progressive, table, round_number, position, amount, among, win_number, meter_before, validated_by in (
            rows
        )
    )


def _names(things: Iterable[object]) -> str:
    return ", ".join(map(str, things))
