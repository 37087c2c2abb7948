"""A table as it is heard: a daemon with a journal, whose messages come or do not, and a rules worker."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

from bridge.clock import Clock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import DealerKeyPressed
from bridge.domain.identity import DeviceId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import Result, Settlement, UnpaidOdds, WagerOutcome
from bridge.domain.wagers import BettingPosition, Wager, WagerKind
from bridge.stores.heard import Heard
from bridge.stores.heard_writer import HeardWriter
from bridge.stores.migrate import HEARD, prepare
from tests.contracts.samples import ROUND, VIEW

OPENED = 1_790_000_000_000_000
ROUND_US = 60_000_000
"""From one round to the next."""


class StoodClock:
    """A clock that shows what it was set to."""

    def __init__(self, wall: int = OPENED) -> None:
        self.wall_us = wall

    def wall(self) -> Timestamp:
        return Timestamp(self.wall_us)

    def monotonic_us(self) -> int:
        return 1


class Telling:
    """Says what a daemon says: of every record the event, and before it the round where one is opened."""

    def __init__(self, table: str = "bj-1", *, epoch: int = OPENED, sequence: int = 0, number: int = 0) -> None:
        self.table = TableId(table)
        clock: Clock = StoodClock(epoch)
        self.daemon = Author(f"{table}-daemon", clock)
        self.worker = Author(f"{table}-worker", clock)
        self.sequence = sequence
        self.number = number
        self.opened_at = 0

    def started_again(self, *, later_us: int = 1_000_000, sequence: int | None = None) -> "Telling":
        """Return the same table, told by another daemon: of the same journal, or of one that stands elsewhere."""
        epoch = self.daemon.epoch + later_us
        at = self.sequence if sequence is None else sequence
        again = Telling(self.table, epoch=epoch, sequence=at, number=self.number)
        again.opened_at = self.opened_at
        return again

    def event(self) -> EventEnvelope:
        """Say that something happened in the round that is on."""
        self.sequence += 1
        return self.daemon.stamp(
            EventEnvelope,
            table=self.table,
            round_number=RoundNumber(self.number),
            sequence=Sequence(self.sequence),
            event=DealerKeyPressed(
                at=Timestamp(OPENED + self.sequence), device=DeviceId("keys"), key=DealerKey.ROUND_COMPLETE
            ),
        )

    def open(self, number: int, opened_at: int | None = None) -> tuple[RoundEnvelope, EventEnvelope]:
        """Open a round: it is told before the event of the round before it that opened it."""
        self.opened_at = OPENED + number * ROUND_US if opened_at is None else opened_at
        before = self.event()
        self.number = number
        return self.round(accepted=()), before

    def round(self, **changes: Any) -> RoundEnvelope:
        """Tell the round that is on, as it stands after the last record."""
        said: dict[str, Any] = {"accepted": (), "hands": (), "overrides": (), "sign_offs": ()}
        return self.daemon.stamp(
            RoundEnvelope,
            table=self.table,
            sequence=Sequence(self.sequence),
            round=replace(
                ROUND,
                table=self.table,
                number=RoundNumber(self.number),
                opened_at=Timestamp(self.opened_at),
                **{**said, **changes},
            ),
        )

    def state(self, **changes: Any) -> TableEnvelope:
        said = {"table": self.table, "round_number": RoundNumber(self.number), "irregularities": (), **changes}
        return self.daemon.stamp(
            TableEnvelope, table=self.table, sequence=Sequence(self.sequence), view=replace(VIEW, **said)
        )

    def settlement(self, *outcomes: WagerOutcome, **changes: Any) -> SettlementEnvelope:
        number = RoundNumber(self.number)
        settled = Settlement(table=self.table, round_number=number, outcomes=outcomes)
        return self.worker.stamp(
            SettlementEnvelope,
            table=self.table,
            sequence=Sequence(self.sequence),
            settlement=replace(settled, **changes),
            awards=(),
            complete=True,
        )

    def played(self, number: int, *events: int) -> list[Heard]:
        """Return a whole round: opened, so many things happened in it, and it was told again."""
        said: list[Heard] = list(self.open(number))
        for _ in range(*events or (3,)):
            said.append(self.event())
            said.append(self.round())
        return said


def wager(position: int, kind: WagerKind = WagerKind.ROYAL_MATCH_PROGRESSIVE) -> Wager:
    return Wager(position=BettingPosition(position), kind=kind, amount=Cents(5_00))


def ended(
    position: int,
    result: Result,
    kind: WagerKind = WagerKind.ROYAL_MATCH_PROGRESSIVE,
    *,
    outcome: str = "royal_match",
    **changes: Any,
) -> WagerOutcome:
    won = result is Result.WIN
    end = WagerOutcome(
        position=BettingPosition(position),
        kind=kind,
        amount=Cents(5_00),
        result=result,
        outcome=outcome,
        odds=Odds.for_one(60) if won else UnpaidOdds.NONE,
        paid=Cents(300_00 if won else 0),
        stake_returned=Cents(0),
    )
    return replace(end, **changes)


class Written(HeardWriter):
    """A writer whose clock stands still until a test sets it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.now_us = OPENED

    def hear(self, heard: Iterable[Heard], *, at: int | None = None) -> set[TableId]:
        """Write messages as they are heard now, or at another time from now on."""
        self.now_us = self.now_us if at is None else at
        return self.write(heard, Timestamp(self.now_us))


@contextmanager
def in_memory() -> Iterator[sqlite3.Connection]:
    """Yield a history in memory, as a writer needs it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        prepare(connection, HEARD)
        yield connection
