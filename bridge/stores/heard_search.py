"""Rounds that were heard, found by what happened in them."""

import json
import sqlite3
from collections.abc import Iterable, Mapping

from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.wagers import BettingPosition
from bridge.stores.heard import PAGE_ROUNDS, Found, FoundRound, FoundWager, RoundPlace, Search

_FIND = """
WITH
found AS (
    SELECT id, journal, number FROM rounds
    WHERE table_id = :table
    AND (:number IS NULL OR number = :number)
    AND (:opened_from IS NULL OR opened_at >= :opened_from)
    AND (:opened_until IS NULL OR opened_at < :opened_until)
    AND CASE :ended
        WHEN 'voided' THEN voided
        WHEN 'irregular' THEN irregularities > 0
        WHEN 'player' THEN winner = 'player'
        WHEN 'banker' THEN winner = 'banker'
        WHEN 'tie_hand' THEN winner = 'tie_hand'
        ELSE TRUE
    END
    AND (NOT :of_wagers OR EXISTS (
        SELECT 1 FROM wagers
        WHERE wagers.round = rounds.id
        AND (:position IS NULL OR position = :position)
        AND (:wager IS NULL OR kind = :wager)
        AND (:won_as = '' OR won_as = :won_as)
        AND CASE :ended
            WHEN 'won' THEN ending = 'won'
            WHEN 'lost' THEN ending = 'lost'
            WHEN 'returned' THEN ending = 'returned'
            WHEN 'rejected' THEN ending = 'rejected'
            WHEN 'undecided' THEN ending IN ('', 'deferred', 'undecided')
            WHEN 'award' THEN award
            WHEN 'overridden' THEN overridden
            ELSE TRUE
        END
    ))
),
last AS (SELECT id AS last_journal, last_round FROM journals WHERE table_id = :table ORDER BY id DESC LIMIT 1),
page AS (SELECT id FROM found ORDER BY journal DESC, number DESC LIMIT :size OFFSET :skipped)
SELECT
    (SELECT COUNT(*) FROM found), page.id, number, journal, newest, opened_at,
    (journal, number) < (last_journal, last_round), voided, irregularities, winner
FROM last LEFT JOIN page ON TRUE LEFT JOIN found_rounds ON found_rounds.id = page.id
ORDER BY journal DESC, number DESC
"""
"""Written out, with what is not asked for as NULL, so that nothing anybody types can become a part of it."""
_OF_WAGERS = frozenset({"won", "lost", "returned", "rejected", "undecided", "award", "overridden"})


def find(connection: sqlite3.Connection, table: TableId, search: Search) -> Found:
    """Return a page of rounds, newest first; an empty one beyond the last page."""
    skipped = PAGE_ROUNDS * (search.page - 1)
    # Behind another page the last round of that one comes too: what lies between them was perhaps not heard.
    first = int(skipped > 0)
    ended = None if search.ended is None else search.ended.value
    asked = {
        "table": table,
        "number": search.number,
        "opened_from": search.opened_from,
        "opened_until": search.opened_until,
        "position": search.position,
        "wager": None if search.wager is None else search.wager.value,
        "won_as": search.won_as,
        "ended": ended,
        "of_wagers": bool(search.position is not None or search.wager or search.won_as or ended in _OF_WAGERS),
        "size": PAGE_ROUNDS + first,
        "skipped": skipped - first,
    }
    kept, oldest = connection.execute(
        "SELECT COUNT(*), MIN(opened_at) FROM rounds WHERE table_id = ?", (table,)
    ).fetchone()
    # One row at least, and without a round where there is none on this page.
    rows = connection.execute(_FIND, asked).fetchall()
    wagers = _wagers(connection, (row[1] for row in rows))
    rounds = tuple(
        FoundRound(
            place=RoundPlace(number=RoundNumber(number), journal=journal, newest=bool(newest)),
            opened_at=opened_at,
            over=bool(over),
            voided=bool(voided),
            irregularities=irregularities,
            winner=winner,
            wagers=wagers.get(id_, ()),
        )
        for _, id_, number, journal, newest, opened_at, over, voided, irregularities, winner in rows
        if id_ is not None
    )
    return Found(
        rounds=rounds[first:],
        before=rounds[0].place if first and rounds else None,
        count=rows[0][0] if rows else 0,
        kept=kept,
        oldest=oldest,
    )


def won_as(connection: sqlite3.Connection, table: TableId) -> tuple[str, ...]:
    """Return the rows of paytables by which any wager of the rounds that are kept was won, in order of name."""
    found = connection.execute(
        "SELECT DISTINCT won_as FROM wagers JOIN rounds ON rounds.id = wagers.round"
        " WHERE table_id = ? AND won_as <> '' ORDER BY won_as",
        (table,),
    )
    return tuple(name for (name,) in found)


def _wagers(connection: sqlite3.Connection, rounds: Iterable[int]) -> Mapping[int, tuple[FoundWager, ...]]:
    """Return the wagers of rounds, each round's by position."""
    found: dict[int, tuple[FoundWager, ...]] = {}
    for id_, position, kind, ending, row, award, overridden in connection.execute(
        "SELECT round, position, kind, ending, won_as, award, overridden FROM wagers"
        " WHERE round IN (SELECT value FROM json_each(?)) ORDER BY round, position, kind",
        (json.dumps(list(rounds)),),
    ):
        wager = FoundWager(
            position=BettingPosition(position),
            kind=kind,
            ending=ending,
            won_as=row,
            award=bool(award),
            overridden=bool(overridden),
        )
        found[id_] = (*found.get(id_, ()), wager)
    return found
