"""What was heard, written: every event once, of every round the newest word, and what rounds are found by."""

import sqlite3
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from bridge.contracts.codec import decode, encode
from bridge.contracts.envelopes import Envelope, EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.contracts.strict_json import ContractError
from bridge.contracts.topics import topic_filter
from bridge.domain.identity import RoundNumber, TableId, Timestamp
from bridge.domain.settlements import FinalResult, MeterShare, Settlement
from bridge.domain.wagers import Wager, WagerKind
from bridge.stores.heard import Heard, HeardStoreError
from bridge.stores.heard_journals import HeardJournals, round_number
from bridge.words.wager_ends import Ending, wager_end

KINDS: Final[Mapping[type[Envelope], str]] = MappingProxyType(
    {RoundEnvelope: "round", TableEnvelope: "state", SettlementEnvelope: "settlement"}
)
"""Messages of which the newest is kept, and what the file calls them."""

BY_HAND: Final = "by_hand"
"""In place of how a wager ended that the dealer settles by hand: nobody tells the bridge."""

_E = TypeVar("_E", bound=Envelope)
_Version = tuple[int, int, int]
"""Record, start of the sender, and which of his messages."""


class HeardWriter:
    """Writes to one database, on its thread, within the transactions of whoever calls."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._journals = HeardJournals(connection)

    def forget(self) -> None:
        """Believe only the database: after a transaction that failed."""
        self._journals.forget()

    def write(self, heard: Iterable[Heard], now: Timestamp) -> set[TableId]:
        """Take messages in the order in which they came; return the tables of which a round is new."""
        newest: dict[tuple[int, RoundNumber, str], Heard] = {}
        for envelope in heard:
            journal = self._journals.of(envelope)
            if journal is None:
                continue
            if isinstance(envelope, EventEnvelope):
                self._connection.execute(
                    "INSERT OR IGNORE INTO events (journal, sequence, round_number, body) VALUES (?, ?, ?, ?)",
                    (journal, envelope.sequence, envelope.round_number, encode(envelope)),
                )
                continue
            key = journal, round_number(envelope), KINDS[type(envelope)]
            if key not in newest or _supersedes(_version(envelope), _version(newest[key])):
                newest[key] = envelope
        self._journals.note()
        changed = {
            (journal, number): envelope.table
            for (journal, number, kind), envelope in newest.items()
            if self._write_newest(journal, number, kind, envelope)
        }
        return {table for place, table in changed.items() if self._describe(*place, table, now)}

    def remove(self, table: TableId, *, before: Timestamp, rounds_max: int | None) -> None:
        """Remove the rounds of a table that were heard of before a time, or are too many; never its last one."""
        found = [
            row
            for row in (
                self._connection.execute(
                    "SELECT journal, number FROM rounds WHERE table_id = ? AND heard_at >= ?"
                    " ORDER BY journal, number LIMIT 1",
                    (table, before),
                ).fetchone()
                or self._place_from_the_end(table, 1),
                None if rounds_max is None else self._place_from_the_end(table, rounds_max),
            )
            if row is not None
        ]
        if not found:
            return
        journal, number = keep = max(found)
        older = self._connection.execute(
            "DELETE FROM journals WHERE table_id = ? AND id < ?", (table, journal)
        ).rowcount
        (removed_to,) = self._connection.execute(
            "SELECT MAX(sequence) FROM events WHERE journal = ? AND round_number < ?", keep
        ).fetchone()
        if removed_to is not None:
            self._connection.execute("UPDATE journals SET removed_to = ? WHERE id = ?", (removed_to, journal))
        self._connection.execute("DELETE FROM events WHERE journal = ? AND round_number < ?", keep)
        self._connection.execute("DELETE FROM messages WHERE journal = ? AND round_number < ?", keep)
        self._connection.execute("DELETE FROM rounds WHERE journal = ? AND number < ?", (journal, number))
        if older:
            self._journals.forget()

    def _place_from_the_end(self, table: TableId, count: int) -> tuple[int, RoundNumber] | None:
        """Return the first of so many last rounds; None where there are fewer."""
        found: tuple[int, RoundNumber] | None = self._connection.execute(
            "SELECT journal, number FROM rounds WHERE table_id = ?"
            " ORDER BY journal DESC, number DESC LIMIT 1 OFFSET ?",
            (table, count - 1),
        ).fetchone()
        return found

    def _write_newest(self, journal: int, number: RoundNumber, kind: str, envelope: Heard) -> bool:
        """Keep a message unless a newer one is kept; return whether it is."""
        known = self._connection.execute(
            "SELECT sequence, epoch, count FROM messages WHERE journal = ? AND round_number = ? AND kind = ?",
            (journal, number, kind),
        ).fetchone()
        version = _version(envelope)
        if known is not None and not _supersedes(version, known):
            return False
        self._connection.execute(
            "INSERT OR REPLACE INTO messages (journal, round_number, kind, sequence, epoch, count, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (journal, number, kind, *version, encode(envelope)),
        )
        return True

    def _describe(self, journal: int, number: RoundNumber, table: TableId, now: Timestamp) -> bool:
        """Write what a round is found by; return whether it was not there before."""
        bodies = newest_messages(self._connection, journal, number)
        try:
            said = decoded(RoundEnvelope, table, bodies)
            state = decoded(TableEnvelope, table, bodies)
            settled = decoded(SettlementEnvelope, table, bodies)
        except HeardStoreError:
            # A message of another release beside one of ours: the round is found by what was known of it then.
            return False
        if said is None:
            return False
        settlement = None if settled is None else settled.settlement
        known = self._connection.execute(
            "SELECT id FROM rounds WHERE journal = ? AND number = ?", (journal, number)
        ).fetchone()
        if known is None:
            self._connection.execute(
                "INSERT INTO rounds"
                " (journal, table_id, number, opened_at, heard_at, voided, irregularities, winner)"
                " VALUES (?, ?, ?, ?, ?, 0, 0, '')",
                (journal, table, number, said.round.opened_at, now),
            )
        (id_,) = known or self._connection.execute("SELECT last_insert_rowid()").fetchone()
        self._connection.execute(
            "UPDATE rounds SET voided = ?, irregularities = ?, winner = ? WHERE id = ?",
            (said.round.voided, 0 if state is None else len(state.view.irregularities), _winner(settlement), id_),
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO wagers (round, position, kind, ending, won_as, award, overridden)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((id_, wager.position, wager.kind.value, *_ended(wager, settlement)) for wager in said.round.accepted),
        )
        return known is None


def newest_messages(connection: sqlite3.Connection, journal: int, number: RoundNumber) -> dict[str, bytes]:
    """Return the newest messages of a round, by what the file calls their kinds."""
    return dict(
        connection.execute(
            "SELECT kind, body FROM messages WHERE journal = ? AND round_number = ?", (journal, number)
        )
    )


def decoded(kind: type[_E], table: TableId, bodies: Mapping[str, bytes]) -> _E | None:
    """Return one of the newest messages, None where there is none; raise ``HeardStoreError`` as ``read_back``."""
    body = bodies.get(KINDS[kind])
    return None if body is None else read_back(kind, table, body)


def read_back(kind: type[_E], table: TableId, body: bytes) -> _E:
    """Return a message as strictly as it was taken; raise ``HeardStoreError`` for one of another release."""
    try:
        envelope = decode(topic_filter(kind, table=table), body)
    except ContractError as error:
        raise HeardStoreError(
            f"this round was heard by another release of table-bridge, and this one cannot read it ({error}). Open"
            " the history with that release, or rebuild the round from the journal: table-bridge round"
        ) from error
    if not isinstance(envelope, kind):
        raise HeardStoreError(f"a {kind.__name__} is due, and a {type(envelope).__name__} stands there")
    return envelope


def _version(envelope: Heard) -> _Version:
    return envelope.sequence, envelope.epoch, envelope.number


def _supersedes(version: _Version, known: _Version) -> bool:
    """Return whether a message says more than a known one: of a later record, or said again and not earlier."""
    if version[0] != known[0]:
        return version[0] > known[0]
    return version[1] != known[1] or version[2] > known[2]


def _winner(settlement: Settlement | None) -> str:
    said = () if settlement is None else settlement.announcements
    results = [one.winner.value for one in said if isinstance(one, FinalResult)]
    return results[-1] if results else ""


def _ended(wager: Wager, settlement: Settlement | None) -> tuple[str, str, bool, bool]:
    """Return how a wager ended, as what it won, whether by a share of a meter, and whether it is overridden."""
    end = None if settlement is None else wager_end(settlement, (), wager.position, wager.kind)
    if settlement is None or end is None:
        return BY_HAND if wager.kind is WagerKind.BLACKJACK else "", "", False, False
    if end.ending is not Ending.WON or end.overridden:
        return end.ending.value, "", False, end.overridden
    (won,) = (one for one in settlement.outcomes if (one.position, one.kind) == (wager.position, wager.kind))
    return end.ending.value, won.outcome, isinstance(won.paid, MeterShare), False
