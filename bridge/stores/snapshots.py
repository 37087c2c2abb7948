"""Snapshots: a state kept beside the records that it is the fold of. They are checked, and never trusted.

A snapshot saves a start the way from the first record. Whatever it holds could be had from the records, so
one that is not sound, or that other code has made, is passed over and an older one is taken.
"""

from dataclasses import dataclass
from hashlib import sha256

from bridge.domain.identity import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The fold of a journal up to a record, as it stands in the file."""

    sequence: Sequence
    """Of the last record folded in."""
    hash: bytes
    """Of that record: a snapshot belongs to one chain and to one place in it."""
    software: str
    """Version that made it, for people."""
    code: bytes
    """Digest of the code that folds; see ``Fold.code``."""
    body: bytes
    digest: bytes
    """SHA-256 of all the rest."""

    @property
    def is_whole(self) -> bool:
        """Return whether it is what was written."""
        return self.digest == _digest(self.sequence, self.hash, self.software, self.code, self.body)


def make_snapshot(*, sequence: Sequence, hash_: bytes, software: str, code: bytes, body: bytes) -> Snapshot:
    """Return the snapshot of an encoded state."""
    return Snapshot(
        sequence=sequence,
        hash=hash_,
        software=software,
        code=code,
        body=body,
        digest=_digest(sequence, hash_, software, code, body),
    )


def _digest(sequence: int, hash_: bytes, software: str, code: bytes, body: bytes) -> bytes:
    """Return the digest of a snapshot; lengths stand in front of what varies, so nothing shifts."""
    head = b"%d %b %d %b %b\n" % (
        sequence,
        hash_.hex().encode(),
        len(software),
        software.encode(),
        code.hex().encode(),
    )
    return sha256(head + body).digest()
