"""Whether the figures of meters are what their record comes to; compared at every start."""

import sqlite3

from bridge.domain.awards import AwardStatus
from bridge.domain.meters import PostingReason
from bridge.domain.money import Cents, MeterAmount, format_cents
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.meter_rows import StoredAward, acts_of, stored_awards
from bridge.stores.meter_state import MeterState, all_meters

_PAID = frozenset({AwardStatus.PAID, AwardStatus.RESET})


def check_figures(connection: sqlite3.Connection) -> None:
    """Raise ``DamagedFileError`` if a figure is not what was recorded, or an award and its postings differ."""
    for state in all_meters(connection):
        awards = stored_awards(connection, "progressive = ?", (state.terms.id,))
        _check_postings(connection, state, sum(len(acts_of(connection, one.number)) for one in awards))
        for one in awards:
            _check_award(connection, one)
        _check_paid(state, awards)


def _check_postings(connection: sqlite3.Connection, state: MeterState, acts: int) -> None:
    id_ = state.terms.id
    sums = {"display": 0, "overflow": 0, "reserve": 0}
    count = wagers = 0
    for pool, amount, counted, rows in connection.execute(
        "SELECT pool, SUM(amount), SUM(wagers), COUNT(*) FROM postings WHERE progressive = ? GROUP BY pool", (id_,)
    ):
        sums[pool], wagers, count = amount, wagers + counted, count + rows
    (held,) = connection.execute(
        "SELECT COUNT(*) FROM held_contributions WHERE progressive = ?", (id_,)
    ).fetchone()
    said = {"display": state.pools.display, "overflow": state.pools.overflow, "reserve": state.pools.reserve}
    for pool, amount in said.items():
        if amount.units != sums[pool]:
            raise DamagedFileError(
                f"the {pool} of progressive {id_} says {amount}, but its postings add up to"
                f" {MeterAmount(sums[pool])}"
            )
    if state.records != count + acts + held:
        raise DamagedFileError(
            f"progressive {id_} is made of {state.records} records, but {count} postings, {acts} acts and {held}"
            " held contributions are there"
        )
    if state.in_meter != wagers:
        raise DamagedFileError(
            f"the in-meter of progressive {id_} says {state.in_meter} wagers, but {wagers} are on record"
        )


def _check_award(connection: sqlite3.Connection, one: StoredAward) -> None:
    award = one.award
    (restored,) = connection.execute(
        "SELECT COALESCE(SUM(amount), 0) FROM postings WHERE award = ? AND reason = ?",
        (one.number, PostingReason.RESTORATION),
    ).fetchone()
    due = award.amount if award.status is AwardStatus.REJECTED else Cents(0)
    if MeterAmount(restored) != MeterAmount.of_cents(due):
        raise DamagedFileError(
            f"the award of position {award.position} in round {award.round_number} of table {award.table} is"
            f" {award.status}, and {MeterAmount(restored)} instead of {format_cents(due)} was restored"
        )


def _check_paid(state: MeterState, awards: tuple[StoredAward, ...]) -> None:
    standing = [one.award for one in awards if one.award.status is not AwardStatus.REJECTED]
    comes_to = {
        "hits": (state.hits, len({award.win_number for award in standing})),
        "wins": (state.wins, sum(award.amount for award in standing)),
        "attendant-paid total": (
            state.attendant_paid,
            sum(award.amount for award in standing if award.status in _PAID),
        ),
    }
    for figure, (said, found) in comes_to.items():
        if said != found:
            raise DamagedFileError(
                f"the {figure} of progressive {state.terms.id} says {said}, but its awards come to {found}"
            )
