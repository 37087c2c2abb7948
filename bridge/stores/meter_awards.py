"""Awards inside a round's transaction: claimed, seen through the acts of people, reset or restored (T17, T52)."""

from bridge.domain.awards import AWARD_LIFE, OVER, AwardStatus, PayoutAct
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, TableId
from bridge.domain.meters import Award, AwardClaim, ByRound, MeterWriter, PostingReason
from bridge.domain.money import Cents, format_cents
from bridge.domain.rounds import SignOff
from bridge.rules.progressive import divide_again, pay_out, reset, restore, split_award, takes_all
from bridge.stores.meter_ledger import Ledger
from bridge.stores.meter_rows import StoredAward, pending_awards, stored_awards
from bridge.stores.meter_state import names
from bridge.stores.meter_store import MeterStoreError

_PAID = frozenset({AwardStatus.PAID, AwardStatus.RESET})


def claim(ledger: Ledger, cause: ByRound, claimed: AwardClaim) -> None:
    """Fix an award, its place among all wins, and the meter it came from; or see that it was fixed so before."""
    meter = ledger.meter(claimed.progressive)
    place = f"round {cause.round_number} of table {cause.table}"
    if len(set(claimed.positions)) != len(claimed.positions):
        raise MeterStoreError(f"{place} claims an award twice for one position: {names(claimed.positions)}")
    if fixed := _win(ledger, claimed.progressive, cause.table, cause.round_number):
        _require_same(fixed, claimed, place)
        return
    _begin_again_after_earlier_wins(ledger, claimed.progressive)
    before, among = meter.pools.display, len(claimed.positions)
    share = split_award(before, claimed.odds, among).share
    if share == 0:
        raise MeterStoreError(
            f"the meter of {claimed.progressive} holds {before}, which leaves nothing to share in {place}"
        )
    win_number = _wins(ledger, claimed.progressive) + 1
    for position in claimed.positions:
        number = ledger.connection.execute(
            "INSERT INTO awards (progressive, table_id, round_number, position, among, odds_pays, odds_per,"
            " win_number, meter_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (
                *(claimed.progressive, cause.table, cause.round_number, position, among),
                *(claimed.odds.pays, claimed.odds.per, win_number, before.units),
            ),
        ).fetchone()[0]
        ledger.post(
            claimed.progressive,
            f"{cause.table}/{cause.round_number}/award/{position}",
            PostingReason.AWARD,
            pay_out(meter.pools, share),
            text=f"win {win_number}: {format_cents(share)}, one of {among} shares of {claimed.odds} at {before}",
            award=number,
        )
    meter.hits += 1
    meter.wins += share * among


def _require_same(fixed: tuple[StoredAward, ...], claimed: AwardClaim, place: str) -> None:
    """Raise ``MeterStoreError`` for a claim that is not what was fixed for its round before."""
    positions, odds = {one.award.position for one in fixed}, {one.odds for one in fixed}
    if positions != set(claimed.positions) or odds != {claimed.odds}:
        raise MeterStoreError(
            f"{place} was awarded the meter of {claimed.progressive} at {names(sorted(positions))}, and now claims"
            f" it at {names(claimed.positions)} for {claimed.odds}. An award never changes: a supervisor has to"
            " settle the difference by hand."
        )


def act(ledger: Ledger, cause: ByRound, done: SignOff) -> None:
    """Record once what somebody did about the awards of a position, and do to the meter what follows from it."""
    place = f"position {done.position} in round {cause.round_number} of table {cause.table}"
    found = stored_awards(
        ledger.connection,
        "table_id = ? AND round_number = ? AND position = ?",
        (cause.table, cause.round_number, done.position),
    )
    if not found:
        raise MeterStoreError(
            f"{done.by} signs {done.act} for an award of {place}, which has none; claim it first"
        )
    for one in found:
        if ledger.connection.execute(
            "SELECT 1 FROM award_acts WHERE award = ? AND act = ?", (one.number, done.act)
        ).fetchone():
            continue
        if done.act not in AWARD_LIFE[one.award.status]:
            awaited = names(AWARD_LIFE[one.award.status]) or "nothing more"
            raise MeterStoreError(
                f"{done.by} signs {done.act} for the award of {place}, which stands at {one.award.status} and"
                f" waits for {awaited}; find out what is missing in between"
            )
        _record(ledger, cause, one, done)


def _record(ledger: Ledger, cause: ByRound, one: StoredAward, done: SignOff) -> None:
    ledger.connection.execute(
        "INSERT INTO award_acts (award, act, by, reason, done_at, answers, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (one.number, done.act, done.by, done.reason, done.at, cause.answers, ledger.at),
    )
    award, meter = one.award, ledger.meter(one.award.progressive)
    meter.records += 1
    if done.act is PayoutAct.PAID:
        meter.attendant_paid += award.amount
    elif done.act is PayoutAct.REJECTED:
        _restore(ledger, one, done)
    win = _win(ledger, award.progressive, award.table, award.round_number)
    if all(each.award.status in OVER for each in win) and not _all_rejected(win):
        _begin_again(ledger, win[0], by=done.by)


def _restore(ledger: Ledger, rejected: StoredAward, done: SignOff) -> None:
    """Give a frozen amount back to its meter, and divide the award again among those who are left (R45, T52)."""
    award, meter = rejected.award, ledger.meter(rejected.award.progressive)
    win = _win(ledger, award.progressive, award.table, award.round_number)
    left = [one for one in win if one.award.status is not AwardStatus.REJECTED]
    begun_again = ledger.posted(award.progressive, _key(award, "reseed")) is not None
    words = f"the claim of position {award.position} is rejected by {done.by}: {done.reason}"
    raised = []
    if any(one.award.status in _PAID for one in left):
        words += "; a share of it was paid before, so the other shares stay as they are"
    elif left:
        raised = left
    if begun_again:
        words += "; the meter has begun again since, and keeps the reset amount"
    more = _raise(rejected, raised, begun_again=begun_again)
    after = restore(meter.pools, award.amount, Cents(more * len(raised)), meter.terms.limit)
    key = _key(award, f"restoration/{award.position}")
    ledger.post(
        award.progressive, key, PostingReason.RESTORATION, after, by=done.by, text=words, award=rejected.number
    )
    for one in raised:
        share = format_cents(Cents(one.award.amount + more))
        ledger.post(
            award.progressive,
            _key(award, f"award/{one.award.position}/without/{award.position}"),
            PostingReason.AWARD,
            pay_out(meter.pools, more),
            by=done.by,
            text=f"raised to {share}, one of {len(raised)} shares: {words}",
            award=one.number,
        )
    meter.wins += more * len(raised) - award.amount
    if not left:
        meter.hits -= 1


def _raise(rejected: StoredAward, left: list[StoredAward], *, begun_again: bool) -> Cents:
    """Return by how much each of those who are left is raised, nothing if nobody is."""
    if not left:
        return Cents(0)
    award, share = rejected.award, left[0].award.amount
    frozen = [award.amount, *(one.award.amount for one in left)]
    again = divide_again(award.meter_before, rejected.odds, frozen, len(left), begun_again=begun_again)
    return Cents(again - share)


def _key(award: Award, what: str) -> str:
    return f"{award.table}/{award.round_number}/{what}"


def _begin_again_after_earlier_wins(ledger: Ledger, progressive: ProgressiveId) -> None:
    """Reset the meter for wins that are still pending, because another one follows.

    Two wins within a moment are two wins: the first has the meter, the second the reset amount, not the cents
    that the first left (T17).
    """
    for one in pending_awards(ledger.connection, progressive):
        _begin_again(ledger, one, by=MeterWriter.RULES_WORKER)


def _begin_again(ledger: Ledger, one: StoredAward, by: PersonId | MeterWriter) -> None:
    """Put the reset amount on a meter, once for each round that won all of it (T52)."""
    award, meter = one.award, ledger.meter(one.award.progressive)
    key = _key(award, "reseed")
    if not takes_all(one.odds) or ledger.posted(award.progressive, key) is not None:
        return  # of a part of the meter the rest is still there, its seed within
    text = f"after win {award.win_number}: reset amount {format_cents(meter.terms.reset_amount)}"
    ledger.post(award.progressive, key, PostingReason.RESEED, reset(meter.pools, meter.terms), by=by, text=text)


def _win(
    ledger: Ledger, progressive: ProgressiveId, table: TableId, round_number: RoundNumber
) -> tuple[StoredAward, ...]:
    return stored_awards(
        ledger.connection,
        "progressive = ? AND table_id = ? AND round_number = ?",
        (progressive, table, round_number),
    )


def _all_rejected(win: tuple[StoredAward, ...]) -> bool:
    return all(one.award.status is AwardStatus.REJECTED for one in win)


def _wins(ledger: Ledger, progressive: ProgressiveId) -> int:
    found = ledger.connection.execute(
        "SELECT COALESCE(MAX(win_number), 0) FROM awards WHERE progressive = ?", (progressive,)
    ).fetchone()
    return int(found[0])
