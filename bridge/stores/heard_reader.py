"""A round with everything that was heard of it, and what was not heard."""

import sqlite3
from collections.abc import Iterator, Sequence as Items

from bridge.contracts.envelopes import Envelope, EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.identity import RoundNumber, Sequence, TableId
from bridge.stores.heard import PAGE_EVENTS, Gap, HeardRound, NotHeardError, RoundPlace
from bridge.stores.heard_writer import decoded, newest_messages, read_back

_OLDER = (
    "SELECT number, journal, newest FROM found_rounds WHERE table_id = ? AND (journal, number) < (?, ?)"
    " ORDER BY journal DESC, number DESC LIMIT 1"
)
_NEWER = (
    "SELECT number, journal, newest FROM found_rounds WHERE table_id = ? AND (journal, number) > (?, ?)"
    " ORDER BY journal, number LIMIT 1"
)


def read(
    connection: sqlite3.Connection, table: TableId, number: RoundNumber, journal: int | None = None, page: int = 1
) -> HeardRound:
    """Return what was heard of a round: in a journal, or in the newest that has it; of its events one page.

    Raise ``NotHeardError``, or ``HeardStoreError`` for one that another release has heard.
    """
    places = [
        _place(row)
        for row in connection.execute(
            "SELECT number, journal, newest FROM found_rounds WHERE table_id = ? AND number = ?"
            " ORDER BY journal DESC",
            (table, number),
        )
    ]
    chosen = [place for place in places if journal in (None, place.journal)]
    place = chosen[0] if chosen else RoundPlace(number=number, journal=0, newest=False)
    bodies = newest_messages(connection, place.journal, number)
    said = decoded(RoundEnvelope, table, bodies)
    if said is None:
        raise NotHeardError(f"nothing was heard of round {number}, or it is no longer kept")
    sequences = _sequences(connection, place)
    pages = max(-(-len(sequences) // PAGE_EVENTS), 1)
    page = min(page, pages)
    ends_at = _ends_at(connection, place, said.sequence, sequences)
    last = connection.execute(
        "SELECT id, last_round FROM journals WHERE table_id = ? ORDER BY id DESC LIMIT 1", (table,)
    ).fetchone()
    return HeardRound(
        table=table,
        place=place,
        round=said,
        state=decoded(TableEnvelope, table, bodies),
        settlement=decoded(SettlementEnvelope, table, bodies),
        events=tuple(_events(connection, table, place, page)),
        page=page,
        pages=pages,
        records=(sequences[0], sequences[-1]) if sequences else None,
        gaps=tuple(_gaps(_record_before(connection, place), sequences, ends_at)),
        over=(place.journal, number) < last,
        ends_at=Sequence(ends_at),
        older=_beside(connection, _OLDER, table, place),
        newer=_beside(connection, _NEWER, table, place),
        namesakes=tuple(other for other in places if other != place),
    )


def last_rounds(connection: sqlite3.Connection, table: TableId, count: int) -> tuple[Envelope, ...]:
    """Return the newest messages of the last rounds of the journal heard last, in the order of the rounds.

    Raise ``HeardStoreError`` for those of another release.
    """
    rows = connection.execute(
        "SELECT journal, number FROM rounds WHERE journal = (SELECT MAX(id) FROM journals WHERE table_id = ?)"
        " ORDER BY number DESC LIMIT ?",
        (table, count),
    ).fetchall()
    said: list[Envelope] = []
    for journal, number in reversed(rows):
        bodies = newest_messages(connection, journal, number)
        newest = (decoded(kind, table, bodies) for kind in (RoundEnvelope, SettlementEnvelope, TableEnvelope))
        said += [envelope for envelope in newest if envelope is not None]
    return tuple(said)


def _sequences(connection: sqlite3.Connection, place: RoundPlace) -> list[Sequence]:
    """Return the records of a round that were heard, in their order."""
    heard = connection.execute(
        "SELECT sequence FROM events WHERE journal = ? AND round_number = ? ORDER BY sequence",
        (place.journal, place.number),
    )
    return [Sequence(sequence) for (sequence,) in heard]


def _beside(connection: sqlite3.Connection, query: str, table: TableId, place: RoundPlace) -> RoundPlace | None:
    """Return the next round before or after a place; None where that is the first or the last."""
    row = connection.execute(query, (table, place.journal, place.number)).fetchone()
    return None if row is None else _place(row)


def _events(
    connection: sqlite3.Connection, table: TableId, place: RoundPlace, page: int
) -> Iterator[EventEnvelope]:
    for (body,) in connection.execute(
        "SELECT body FROM events WHERE journal = ? AND round_number = ? ORDER BY sequence LIMIT ? OFFSET ?",
        (place.journal, place.number, PAGE_EVENTS, PAGE_EVENTS * (page - 1)),
    ):
        yield read_back(EventEnvelope, table, body)


def _gaps(before: int | None, heard: Items[int], end: int) -> Iterator[Gap]:
    """Yield the records that were not heard, from that after the round before up to the end of this one."""
    if before is None:
        begin = heard[0] if heard else end + 1
        if begin > 1:
            yield Gap(first=None, last=Sequence(begin - 1))
        before = begin - 1
    for sequence in (*heard, end + 1):
        if sequence > before + 1:
            yield Gap(first=Sequence(before + 1), last=Sequence(sequence - 1))
        before = sequence


def _record_before(connection: sqlite3.Connection, place: RoundPlace) -> int | None:
    """Return the last record before a round, if that was heard; what was removed since counts as heard."""
    (found,) = connection.execute(
        "SELECT MAX(sequence) FROM events WHERE journal = ? AND round_number < ?", (place.journal, place.number)
    ).fetchone()
    (removed_to,) = connection.execute("SELECT removed_to FROM journals WHERE id = ?", (place.journal,)).fetchone()
    return found or removed_to or None


def _ends_at(connection: sqlite3.Connection, place: RoundPlace, said: int, heard: Items[int]) -> int:
    """Return the last record that can be of a round: that before the first one of a later round."""
    (after,) = connection.execute(
        "SELECT MIN(sequence) FROM events WHERE journal = ? AND round_number > ?", (place.journal, place.number)
    ).fetchone()
    if after is not None:
        return int(after) - 1
    last = heard[-1] if heard else 0
    # A round is published before the event that changed it: one more need not have come yet.
    return last if said == last + 1 else max(said, last)


def _place(row: tuple[int, int, int]) -> RoundPlace:
    number, journal, newest = row
    return RoundPlace(number=RoundNumber(number), journal=journal, newest=bool(newest))
