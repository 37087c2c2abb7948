"""The meters inside one transaction: each is read once, posted to, and its figures written back once."""

import sqlite3
from dataclasses import dataclass
from typing import assert_never

from bridge.domain.identity import PersonId, ProgressiveId, Timestamp
from bridge.domain.meters import (
    ByFiling,
    ByPerson,
    ByRound,
    MeterWriter,
    Pool,
    Pools,
    PostingCause,
    PostingReason,
)
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.settlements import Contribution
from bridge.stores.meter_state import MeterState, meter_of, write_figures

_INSERT = (
    "INSERT INTO postings (progressive, key, pool, reason, amount, wagers, award, settles, table_id, round_number,"
    " answers, by, text, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a held contribution came to when somebody had looked at it."""

    amount: MeterAmount
    wagers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A contribution that was held back."""

    number: int
    amount: MeterAmount
    """Of both pools together."""
    settled: Settled | None
    """None while nobody has looked at it."""


class Ledger:
    """Posts to the meters of a connection, inside the caller's transaction, on behalf of one cause."""

    def __init__(self, connection: sqlite3.Connection, cause: PostingCause, at: Timestamp, *, own: str) -> None:
        """``own`` is what the keys of this cause begin with; they are looked up together."""
        self._connection = connection
        self.at = at
        self._rows: list[tuple[object, ...]] = []
        """Postings that are not written yet."""
        self._cause = _columns(cause)
        self.own = own
        self._meters: dict[ProgressiveId, MeterState] = {}
        self._read: dict[ProgressiveId, int] = {}
        """How many records each meter was made of when it was read."""
        self._known: dict[ProgressiveId, dict[str, MeterAmount | Held]] = {}

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, everything posted so far written to it."""
        if self._rows:
            self._connection.executemany(_INSERT, self._rows)
            self._rows.clear()
        return self._connection

    def meter(self, progressive: ProgressiveId) -> MeterState:
        """Return a meter; raise ``MeterStoreError`` if there is none of that name."""
        state = self._meters.get(progressive)
        if state is None:
            state = self._meters[progressive] = meter_of(self.connection, progressive)
            self._read[progressive] = state.records
        return state

    def posted(self, progressive: ProgressiveId, key: str) -> MeterAmount | Held | None:
        """Return what all pools together had of a key; or the contribution that is held under it; or None."""
        if not key.startswith(self.own):
            return _known(self.connection, progressive, key, key).get(key)
        known = self._known.get(progressive)
        if known is None:
            known = _known(self.connection, progressive, self.own, f"{self.own}\uffff")
            self._known[progressive] = known
        return known.get(key)

    def hold(self, made: Contribution, key: str, cause: ByRound, above: Cents) -> None:
        """Hold a contribution back: it is on the record, and in no pool."""
        amount, hidden = made.amount.units, made.hidden.units
        number = self.connection.execute(
            "INSERT INTO held_contributions (progressive, key, amount, hidden, above_cents, table_id,"
            " round_number, answers, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (
                *(made.progressive, key, amount, hidden, above),
                *(cause.table, cause.round_number, cause.answers, self.at),
            ),
        ).fetchone()[0]
        self._know(made.progressive, key, Held(number=number, amount=made.amount + made.hidden, settled=None))
        self.meter(made.progressive).records += 1

    def post(
        self,
        progressive: ProgressiveId,
        key: str,
        reason: PostingReason,
        after: Pools,
        *,
        by: PersonId | MeterWriter = MeterWriter.RULES_WORKER,
        text: str = "",
        wagers: int = 0,
        award: int | None = None,
        settles: int | None = None,
    ) -> None:
        """Post the change from the pools as they are; one row for each pool that changes, and at least one."""
        meter = self.meter(progressive)
        before = meter.pools
        amounts = (
            (Pool.DISPLAY, after.display.units - before.display.units),
            (Pool.OVERFLOW, after.overflow.units - before.overflow.units),
            (Pool.RESERVE, after.reserve.units - before.reserve.units),
        )
        changes = [(pool, amount) for pool, amount in amounts if amount] or [(Pool.DISPLAY, 0)]
        table, round_number, answers = self._cause
        # Texts are handed over as such: SQLite's module asks around for what else an enumeration might become.
        who = str(by)
        for pool, amount in changes:
            why = PostingReason.RESERVE if _feeds_reserve(reason, pool) else reason
            what = (progressive, key, str(pool), str(why), amount, wagers, award, settles)
            self._rows.append((*what, table, round_number, answers, who, text, self.at))
            meter.in_meter += wagers
            # They are of the change as a whole, and stand in its first row.
            wagers, settles = 0, None
        meter.records += len(changes)
        meter.pools = after
        self._know(progressive, key, MeterAmount(sum(amount for _, amount in changes)))

    def write(self) -> None:
        """Write the figures of the meters of which something was recorded."""
        connection = self.connection
        for progressive, state in self._meters.items():
            if state.records != self._read[progressive]:
                write_figures(connection, state)

    def _know(self, progressive: ProgressiveId, key: str, what: MeterAmount | Held) -> None:
        if progressive in self._known and key.startswith(self.own):
            self._known[progressive][key] = what


def _known(
    connection: sqlite3.Connection, progressive: ProgressiveId, first: str, last: str
) -> dict[str, MeterAmount | Held]:
    """Return what stands under a range of keys."""
    found: dict[str, MeterAmount | Held] = {}
    for key, amount, held in connection.execute(
        "SELECT key, SUM(amount), NULL FROM postings WHERE progressive = ?1 AND key BETWEEN ?2 AND ?3 GROUP BY key"
        " UNION ALL SELECT key, amount + hidden, number FROM held_contributions"
        " WHERE progressive = ?1 AND key BETWEEN ?2 AND ?3",
        (progressive, first, last),
    ).fetchall():
        found[key] = MeterAmount(amount)
        if held is not None:
            found[key] = Held(number=held, amount=MeterAmount(amount), settled=_settled(connection, held))
    return found


def _settled(connection: sqlite3.Connection, held: int) -> Settled | None:
    amount, wagers = connection.execute(
        "SELECT SUM(every.amount), SUM(every.wagers) FROM postings AS one JOIN postings AS every"
        " ON every.progressive = one.progressive AND every.key = one.key WHERE one.settles = ?",
        (held,),
    ).fetchone()
    return None if amount is None else Settled(amount=MeterAmount(amount), wagers=wagers)


def _feeds_reserve(reason: PostingReason, pool: Pool) -> bool:
    """Return whether a row is what a contribution adds to the reserve, which has a name of its own."""
    return pool is Pool.RESERVE and reason is PostingReason.CONTRIBUTION


def _columns(cause: PostingCause) -> tuple[str | None, int | None, int | None]:
    match cause:
        case ByRound():
            return cause.table, cause.round_number, cause.answers
        case ByPerson():
            return cause.table, None, None
        case ByFiling():
            return None, None, None
        case _:
            assert_never(cause)
