"""The chain that the journal's records form: each holds the hash of everything up to and including itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from bridge.domain.identity import Sequence
from bridge.stores.file_errors import DamagedFileError

COLUMNS = "sequence, at, CAST(kind AS BLOB), body, hash"
"""Text is read as bytes: a damaged one may not be text any more, and shall still be named."""

Row = tuple[int, int, bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Link:
    """Where a chain ends: the place of its last record, 0 if it has none, and the hash there."""

    sequence: int
    hash: bytes


class Fault(StrEnum):
    """What can be wrong with a record, or with what is kept beside it."""

    MISSING = "missing"
    HASH = "hash"
    KIND = "kind"
    """It says that it is one kind of event and holds another."""
    BODY = "body"
    """What it holds is no event that this release knows."""
    TIME = "time"
    """It was written at no time that a clock shows."""
    SNAPSHOT = "snapshot"
    """The state kept after it is not the fold of the records up to it."""
    FILE = "file"
    """Not a record: the file that holds it, or its name."""


class BrokenChainError(DamagedFileError):
    """A record does not follow from the one before it; ``sequence`` is the first of that kind."""

    def __init__(self, sequence: Sequence, fault: Fault, what: str) -> None:
        super().__init__(f"record {sequence} {what}")
        self.sequence = sequence
        self.fault = fault


def link_hash(previous: bytes, sequence: int, at: int, kind: bytes, body: bytes) -> bytes:
    """Return the hash of a record; the line in front of the body has no line break within, so nothing shifts."""
    return sha256(b"%b%d %d %b\n%b" % (previous, sequence, at, kind, body)).digest()


def follow(rows: Iterable[Row], after: Link) -> Iterator[Row]:
    """Yield records while each follows from the one before; raise ``BrokenChainError`` where one does not."""
    previous, expected = after.hash, after.sequence + 1
    for row in rows:
        sequence, at, kind, body, hash_ = row
        if sequence != expected:
            raise BrokenChainError(
                Sequence(expected), Fault.MISSING, f"is missing: {sequence} stands in its place"
            )
        try:
            computed = link_hash(previous, sequence, at, kind, body)
        except TypeError:
            computed = b""
        if hash_ != computed:
            raise BrokenChainError(
                Sequence(sequence),
                Fault.HASH,
                "is not what was written: its hash does not follow from it and the one before",
            )
        yield row
        previous, expected = hash_, expected + 1


def walk(rows: Iterable[Row], after: Link) -> Link:
    """Follow a chain; return its end, or raise ``BrokenChainError``."""
    end = after
    for sequence, _, _, _, hash_ in follow(rows, after):
        end = Link(sequence, hash_)
    return end
