"""Rows of the meter store as the values they stand for."""

import sqlite3
from collections.abc import Sequence as Items
from dataclasses import dataclass

from bridge.domain.awards import AwardStatus, PayoutAct, award_status
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meters import (
    Award,
    ByFiling,
    ByPerson,
    ByRound,
    MeterWriter,
    Pool,
    Posting,
    PostingCause,
    PostingReason,
)
from bridge.domain.money import UNITS_PER_CENT, Cents, MeterAmount
from bridge.domain.odds import Odds, OddsBasis
from bridge.domain.rounds import SignOff
from bridge.domain.wagers import BettingPosition

_AWARDS = (
    "SELECT number, progressive, table_id, round_number, position, among, odds_pays, odds_per, win_number,"
    " meter_before,"
    " (SELECT -SUM(amount) FROM postings WHERE award = awards.number AND reason = 'award'),"
    " (SELECT COUNT(*) FROM postings WHERE award = awards.number AND reason = 'award')"
    " FROM awards WHERE"
)
_POSTINGS = (
    "SELECT number, key, progressive, pool, reason, amount, wagers, table_id, round_number, answers, by, text, at"
    " FROM postings WHERE"
)

_NOT_OVER = "NOT EXISTS (SELECT 1 FROM award_acts WHERE award = awards.number AND act IN ('reset', 'rejected'))"

Parameters = Items[str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAward:
    """An award with what the store keeps of it besides."""

    number: int
    award: Award
    odds: Odds
    """The part of the meter that all winners of the round share."""


def stored_awards(connection: sqlite3.Connection, where: str, parameters: Parameters) -> tuple[StoredAward, ...]:
    """Return awards in the order in which they were claimed."""
    rows = connection.execute(f"{_AWARDS} {where} ORDER BY number", parameters).fetchall()
    return tuple(_award(connection, row) for row in rows)


def pending_awards(connection: sqlite3.Connection, progressive: ProgressiveId) -> tuple[StoredAward, ...]:
    """Return the awards of a meter that are hit and not over: frozen (T52)."""
    return stored_awards(connection, f"progressive = ? AND {_NOT_OVER}", (progressive,))


def acts_of(connection: sqlite3.Connection, award: int) -> tuple[SignOff, ...]:
    """Return what was done about an award, in its order."""
    rows = connection.execute(
        "SELECT position, act, by, done_at, reason FROM award_acts JOIN awards ON awards.number = award"
        " WHERE award = ? ORDER BY award_acts.number",
        (award,),
    )
    return tuple(
        SignOff(
            position=BettingPosition(position),
            act=PayoutAct(act),
            by=PersonId(by),
            at=Timestamp(at),
            reason=reason,
        )
        for position, act, by, at, reason in rows
    )


def stored_postings(connection: sqlite3.Connection, where: str, parameters: Parameters) -> tuple[Posting, ...]:
    """Return postings, oldest first."""
    rows = connection.execute(f"{_POSTINGS} {where} ORDER BY number", parameters)
    return tuple(
        Posting(
            number=number,
            key=key,
            progressive=ProgressiveId(progressive),
            pool=Pool(pool),
            reason=PostingReason(reason),
            amount=MeterAmount(amount),
            wagers=wagers,
            cause=_cause(table, round_number, answers),
            by=MeterWriter.RULES_WORKER if by == MeterWriter.RULES_WORKER else PersonId(by),
            text=text,
            at=Timestamp(at),
        )
        for (
            *(number, key, progressive, pool, reason, amount, wagers, table, round_number, answers, by, text),
            at,
        ) in rows
    )


def _award(
    connection: sqlite3.Connection, row: tuple[int, str, str, int, int, int, int, int, int, int, int, int]
) -> StoredAward:
    number, progressive, table, round_number, position, among, pays, per, win_number, before, units, times = row
    return StoredAward(
        number=number,
        odds=Odds(pays=pays, per=per, basis=OddsBasis.METER),
        award=Award(
            progressive=ProgressiveId(progressive),
            table=TableId(table),
            round_number=RoundNumber(round_number),
            position=BettingPosition(position),
            amount=Cents(units // UNITS_PER_CENT),
            among=among - (times - 1),
            win_number=win_number,
            meter_before=MeterAmount(before),
            status=_status(connection, number),
        ),
    )


def _status(connection: sqlite3.Connection, award: int) -> AwardStatus:
    acts = connection.execute("SELECT act FROM award_acts WHERE award = ? ORDER BY number", (award,))
    return award_status(PayoutAct(act) for (act,) in acts)


def _cause(table: str | None, round_number: int | None, answers: int | None) -> PostingCause:
    if table is None:
        return ByFiling()
    if round_number is None or answers is None:
        return ByPerson(table=TableId(table))
    return ByRound(table=TableId(table), round_number=RoundNumber(round_number), answers=Sequence(answers))
