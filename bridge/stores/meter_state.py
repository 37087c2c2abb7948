"""The row of a meter: what it was filed with last, and the figures that its record comes to."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import NoLimit, Pools
from bridge.domain.money import Cents, MeterAmount
from bridge.rules.submission import Progressive
from bridge.stores.meter_store import MeterStoreError

_SELECT = (
    "SELECT id, base_cents, reset_cents, increment_parts, increment_per, hidden_parts, hidden_per, limit_cents,"
    " unreasonable_cents, display, overflow, reserve, records, in_meter, hits, wins_cents, device_paid_cents,"
    " attendant_paid_cents FROM progressives"
)

_TERMS_KEPT = 16
"""Terms hardly ever change, and are read with every round."""
_TermsRow = tuple[str, int, int, int, int, int, int, int | None, int | None]


@dataclass(slots=True, kw_only=True)
class MeterState:
    """A meter as it stands; within a transaction it is changed as the meter is posted to."""

    terms: Progressive
    pools: Pools
    records: int
    in_meter: int
    hits: int
    wins: int
    device_paid: int
    attendant_paid: int


def meter_of(connection: sqlite3.Connection, progressive: ProgressiveId) -> MeterState:
    """Return a meter; raise ``MeterStoreError`` if there is none of that name."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (progressive,)).fetchone()
    if row is None:
        known = names(one.terms.id for one in all_meters(connection))
        raise MeterStoreError(f"there is no meter of progressive {progressive}; this store has {known or 'none'}")
    return _state(row)


def all_meters(connection: sqlite3.Connection) -> tuple[MeterState, ...]:
    """Return every meter, by name."""
    return tuple(map(_state, connection.execute(f"{_SELECT} ORDER BY id").fetchall()))


def insert_meter(connection: sqlite3.Connection, terms: Progressive) -> None:
    """Begin a meter that holds nothing yet."""
    connection.execute(
        "INSERT INTO progressives (id, base_cents, reset_cents, increment_parts, increment_per, hidden_parts,"
        " hidden_per, limit_cents, unreasonable_cents, display, overflow, reserve, records, in_meter, hits,"
        " wins_cents, device_paid_cents, attendant_paid_cents, cumulative_paid_cents)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        _terms_row(terms),
    )


def change_terms(connection: sqlite3.Connection, terms: Progressive) -> None:
    """Give a meter other terms; what it began with stays."""
    id_, _, *others = _terms_row(terms)
    connection.execute(
        "UPDATE progressives SET reset_cents = ?, increment_parts = ?, increment_per = ?, hidden_parts = ?,"
        " hidden_per = ?, limit_cents = ?, unreasonable_cents = ? WHERE id = ?",
        (*others, id_),
    )


def write_figures(connection: sqlite3.Connection, state: MeterState) -> None:
    """Write the figures of a meter."""
    pools, paid = state.pools, state.attendant_paid
    connection.execute(
        "UPDATE progressives SET display = ?, overflow = ?, reserve = ?, records = ?, in_meter = ?, hits = ?,"
        " wins_cents = ?, attendant_paid_cents = ?, cumulative_paid_cents = device_paid_cents + ? WHERE id = ?",
        (
            *(pools.display.units, pools.overflow.units, pools.reserve.units, state.records, state.in_meter),
            *(state.hits, state.wins, paid, paid, state.terms.id),
        ),
    )


def names(things: Iterable[object]) -> str:
    """Return things as a person lists them."""
    return ", ".join(map(str, things))


def _state(row: tuple[Any, ...]) -> MeterState:
    display, overflow, reserve, records, in_meter, hits, wins, device_paid, attendant_paid = row[9:]
    return MeterState(
        terms=_terms(row[:9]),
        pools=Pools(display=MeterAmount(display), overflow=MeterAmount(overflow), reserve=MeterAmount(reserve)),
        records=records,
        in_meter=in_meter,
        hits=hits,
        wins=wins,
        device_paid=device_paid,
        attendant_paid=attendant_paid,
    )


@lru_cache(maxsize=_TERMS_KEPT)
def _terms(row: tuple[Any, ...]) -> Progressive:
    id_, base, reset, parts, per, hidden_parts, hidden_per, limit, unreasonable = row
    return Progressive(
        id=ProgressiveId(id_),
        base_amount=Cents(base),
        reset_amount=Cents(reset),
        increment_rate=Fraction(parts, per),
        hidden_rate=Fraction(hidden_parts, hidden_per),
        limit=_up_to(limit),
        unreasonable_above=_up_to(unreasonable),
    )


def _terms_row(of: Progressive) -> _TermsRow:
    return (
        of.id,
        of.base_amount,
        of.reset_amount,
        of.increment_rate.numerator,
        of.increment_rate.denominator,
        of.hidden_rate.numerator,
        of.hidden_rate.denominator,
        None if isinstance(of.limit, NoLimit) else of.limit,
        None if isinstance(of.unreasonable_above, NoLimit) else of.unreasonable_above,
    )


def _up_to(cents: int | None) -> Cents | NoLimit:
    return NoLimit.NO_LIMIT if cents is None else Cents(cents)
