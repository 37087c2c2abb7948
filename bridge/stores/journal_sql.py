"""What is asked of a journal's file, by whoever holds it and by whoever only looks."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from bridge.domain.identity import Sequence
from bridge.stores import chain
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.snapshots import Snapshot

ROWS_AT_ONCE = 1000
"""Records fetched in one go: a long journal must not stand in memory whole."""

_SELECT_ROWS = (
    f"SELECT {chain.COLUMNS} FROM records WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?"  # noqa: S608 - a constant
)
_SELECT_SNAPSHOTS = "SELECT sequence, hash, CAST(software AS BLOB), code, body, digest FROM snapshots"
_SELECT_HEAD = {
    1: "SELECT 1, genesis, x'', 0, incomplete, CAST(software AS BLOB) FROM about",
    2: (
        "SELECT first_sequence, genesis, CAST(day AS BLOB), finished, incomplete, CAST(software AS BLOB)"
        " FROM about"
    ),
}
"""By schema version: a file is looked at before it is migrated, and where it must stay as it is."""
_SNAPSHOTS_SINCE = 2
_BIGGEST = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHead:
    """What a file says about itself."""

    before: chain.Link
    """What its first record stands on."""
    day: str
    """The gaming day for which it was begun, an ISO date; empty if none was told."""
    finished: bool
    """Whether a later file goes on from its end."""
    incomplete: bool
    """Whether its last records are in its write-ahead log only."""
    software: str

    @property
    def first(self) -> Sequence:
        """Return the place of its first record."""
        return Sequence(self.before.sequence + 1)


def head_of(connection: sqlite3.Connection) -> FileHead:
    """Return what a file of any version says about itself; raise ``DamagedFileError`` if it says nothing."""
    row = connection.execute(_SELECT_HEAD[_version(connection)]).fetchone()
    if row is None:
        raise DamagedFileError("what it says about itself is gone")
    first, genesis, day, finished, incomplete, software = row
    match [first, genesis, day, finished, incomplete, software]:
        case [int(), bytes(), bytes(), 0 | 1, 0 | 1, bytes()]:
            return FileHead(
                before=chain.Link(first - 1, genesis),
                day=day.decode(errors="replace"),
                finished=finished == 1,
                incomplete=incomplete == 1,
                software=software.decode(errors="replace"),
            )
        case _:
            raise DamagedFileError("what it says about itself does not make sense")


def end_of(connection: sqlite3.Connection, head: FileHead) -> chain.Link:
    """Return the last record of a file, unchecked; what it stands on if it has none."""
    match connection.execute("SELECT sequence, hash FROM records ORDER BY sequence DESC LIMIT 1").fetchone():
        case None:
            return head.before
        case (int(sequence), bytes(hash_)):
            return chain.Link(sequence, hash_)
        case _:
            raise DamagedFileError("its last record does not make sense")


def link_at(connection: sqlite3.Connection, head: FileHead, sequence: int) -> chain.Link | None:
    """Return a record of a file as a place to go on from, unchecked; None if it is not in this file."""
    if sequence == head.before.sequence:
        return head.before
    row = connection.execute("SELECT hash FROM records WHERE sequence = ?", (sequence,)).fetchone()
    return None if row is None else chain.Link(sequence, row[0])


def rows_after(connection: sqlite3.Connection, sequence: int, *, up_to: int = _BIGGEST) -> list[chain.Row]:
    """Return the next ``ROWS_AT_ONCE`` records after a place, or what there is of them."""
    return connection.execute(_SELECT_ROWS, (sequence, up_to, ROWS_AT_ONCE)).fetchall()


def rows_from(connection: sqlite3.Connection, after: int, *, up_to: int = _BIGGEST) -> Iterator[chain.Row]:
    """Yield all records after a place, oldest first."""
    while rows := rows_after(connection, after, up_to=up_to):
        yield from rows
        after = rows[-1][0]


def bodies_of_kind(connection: sqlite3.Connection, kind: str) -> list[tuple[int, bytes]]:
    """Return place and body of every record of a kind."""
    return connection.execute(
        "SELECT sequence, body FROM records WHERE kind = ? ORDER BY sequence", (kind,)
    ).fetchall()


def snapshots_down_from(connection: sqlite3.Connection, sequence: int = _BIGGEST) -> Iterator[Snapshot]:
    """Yield the snapshots of a file up to a place, newest first."""
    if _version(connection) < _SNAPSHOTS_SINCE:
        return
    for row in connection.execute(f"{_SELECT_SNAPSHOTS} WHERE sequence <= ? ORDER BY sequence DESC", (sequence,)):
        yield _snapshot(row)


def sound_snapshots(
    connection: sqlite3.Connection, head: FileHead, sequence: int = _BIGGEST
) -> Iterator[Snapshot]:
    """Yield the snapshots up to a place that are whole and stand on their record, newest first."""
    for snapshot in snapshots_down_from(connection, sequence):
        link = link_at(connection, head, snapshot.sequence)
        if snapshot.is_whole and link is not None and link.hash == snapshot.hash:
            yield snapshot


def carried_forward(connection: sqlite3.Connection, head: FileHead) -> Snapshot | None:
    """Return the state that a file was begun with, whatever code has kept it; None for the very first file.

    Where the files before are archived, it is all that is known of them.
    """
    at_beginning = (one for one in sound_snapshots(connection, head, head.before.sequence) if head.first > 1)
    return next(at_beginning, None)


def insert_snapshot(connection: sqlite3.Connection, snapshot: Snapshot) -> None:
    """Add a snapshot, unless this code has made one of that record before."""
    connection.execute(
        "INSERT OR IGNORE INTO snapshots (sequence, hash, software, code, body, digest) VALUES (?, ?, ?, ?, ?, ?)",
        (
            snapshot.sequence,
            snapshot.hash,
            snapshot.software,
            snapshot.code,
            snapshot.body,
            snapshot.digest,
        ),
    )


def _snapshot(row: tuple[object, ...]) -> Snapshot:
    """Return the snapshot of a row; of a row that is none, one that is not whole."""
    match row:
        case (int(sequence), bytes(hash_), bytes(software), bytes(code), bytes(body), bytes(digest)):
            said = software.decode(errors="replace")
            return Snapshot(
                sequence=Sequence(sequence), hash=hash_, software=said, code=code, body=body, digest=digest
            )
        case _:
            return Snapshot(sequence=Sequence(0), hash=b"", software="", code=b"", body=b"", digest=b"")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
