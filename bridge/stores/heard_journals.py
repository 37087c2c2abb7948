"""Whose journal a message tells of, so that the rounds of two journals are never mixed.

A message says of which record of its table's journal it is, and since when its sender runs; which journal that is,
it does not say. But a daemon has one journal from its start to its end, writes there before it publishes, and
counts records and rounds up. So the messages of one daemon belong together, and go on with what was heard before
if they can stand behind it: a later record, no earlier round, and not another round of the same number. If they
cannot, the journal was begun anew or fell back to an older copy. Then another journal begins here too, and the
rounds that were heard before stay as they are. A journal that was exchanged while nobody listened, and has come
past all that was heard, is taken for the same one: its rounds have other numbers all the same.
"""

import sqlite3
from dataclasses import dataclass

from bridge.contracts.envelopes import EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.identity import RoundNumber, Sequence, TableId, Timestamp
from bridge.stores.heard import Heard


@dataclass(slots=True, kw_only=True)
class _Journal:
    """A journal as far as it was heard."""

    id: int
    last_sequence: Sequence
    last_round: RoundNumber
    opened_at: dict[RoundNumber, Timestamp]
    """When rounds were opened that are not in the database yet; of the last round in any case."""
    noted: bool = True
    """Whether the database has it so."""


class HeardJournals:
    """The journals of one database, on its thread, within the transactions of whoever calls."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._journals: dict[int, _Journal] = {}
        self._newest: dict[TableId, int] = {}
        self._of_epoch: dict[tuple[TableId, Timestamp], int] = {}

    def forget(self) -> None:
        """Believe only the database: after a transaction that failed, or one that removed something."""
        self._journals.clear()
        self._newest.clear()
        self._of_epoch.clear()

    def of(self, envelope: Heard) -> int | None:
        """Return whose journal a message tells of; begin one where it must be another.

        A settlement is of the round that is on, and so of the newest journal; None where there is none yet.
        """
        newest = self._newest_of(envelope.table)
        if isinstance(envelope, SettlementEnvelope):
            return None if newest is None else newest.id
        journal = self._spoken_of(envelope.table, envelope.epoch)
        if journal is None or self._contradicts(journal, envelope):
            journal = newest
            if journal is None or not self._follows(journal, envelope):
                journal = self._begin(envelope.table)
            self._assign(envelope, journal)
        self._take(journal, envelope)
        return journal.id

    def note(self) -> None:
        """Write down how far each journal was heard."""
        for journal in self._journals.values():
            if not journal.noted:
                self._connection.execute(
                    "UPDATE journals SET last_sequence = ?, last_round = ? WHERE id = ?",
                    (journal.last_sequence, journal.last_round, journal.id),
                )
                journal.noted = True
            journal.opened_at = {
                number: at for number, at in journal.opened_at.items() if number == journal.last_round
            }

    def _take(self, journal: _Journal, envelope: EventEnvelope | RoundEnvelope | TableEnvelope) -> None:
        number = round_number(envelope)
        if envelope.sequence > journal.last_sequence or number > journal.last_round:
            journal.last_sequence = max(journal.last_sequence, envelope.sequence)
            journal.last_round = max(journal.last_round, number)
            journal.noted = False
        if isinstance(envelope, RoundEnvelope):
            journal.opened_at[number] = envelope.round.opened_at

    def _follows(self, journal: _Journal, envelope: Heard) -> bool:
        return (
            envelope.sequence > journal.last_sequence
            and round_number(envelope) >= journal.last_round
            and not self._contradicts(journal, envelope)
        )

    def _contradicts(self, journal: _Journal, envelope: Heard) -> bool:
        """Return whether a journal is known to have another round of the same number."""
        if not isinstance(envelope, RoundEnvelope):
            return False
        number = envelope.round.number
        opened_at = journal.opened_at.get(number)
        if opened_at is None:
            found = self._connection.execute(
                "SELECT opened_at FROM rounds WHERE journal = ? AND number = ?", (journal.id, number)
            ).fetchone()
            opened_at = None if found is None else found[0]
        return opened_at is not None and opened_at != envelope.round.opened_at

    def _begin(self, table: TableId) -> _Journal:
        self._connection.execute(
            "INSERT INTO journals (table_id, last_sequence, last_round, removed_to) VALUES (?, 0, 0, 0)", (table,)
        )
        (id_,) = self._connection.execute("SELECT last_insert_rowid()").fetchone()
        self._newest[table] = id_
        return self._known(id_, Sequence(0), RoundNumber(0))

    def _assign(self, envelope: Heard, journal: _Journal) -> None:
        self._of_epoch[envelope.table, envelope.epoch] = journal.id
        self._connection.execute(
            "INSERT OR REPLACE INTO epochs (table_id, epoch, journal) VALUES (?, ?, ?)",
            (envelope.table, envelope.epoch, journal.id),
        )

    def _newest_of(self, table: TableId) -> _Journal | None:
        if table in self._newest:
            return self._journals[self._newest[table]]
        row = self._connection.execute(
            "SELECT id, last_sequence, last_round FROM journals WHERE table_id = ? ORDER BY id DESC LIMIT 1",
            (table,),
        ).fetchone()
        if row is None:
            return None
        self._newest[table] = row[0]
        return self._known(*row)

    def _spoken_of(self, table: TableId, epoch: Timestamp) -> _Journal | None:
        key = (table, epoch)
        if key in self._of_epoch:
            return self._journals[self._of_epoch[key]]
        row = self._connection.execute(
            "SELECT id, last_sequence, last_round FROM epochs JOIN journals ON journals.id = epochs.journal"
            " WHERE epochs.table_id = ? AND epoch = ?",
            key,
        ).fetchone()
        if row is None:
            return None
        self._of_epoch[key] = row[0]
        return self._known(*row)

    def _known(self, id_: int, last_sequence: Sequence, last_round: RoundNumber) -> _Journal:
        found = _Journal(id=id_, last_sequence=last_sequence, last_round=last_round, opened_at={})
        return self._journals.setdefault(id_, found)


def round_number(envelope: Heard) -> RoundNumber:
    """Return of which round a message is."""
    match envelope:
        case EventEnvelope():
            return envelope.round_number
        case RoundEnvelope():
            return envelope.round.number
        case TableEnvelope():
            return envelope.view.round_number
        case SettlementEnvelope():
            return envelope.settlement.round_number
