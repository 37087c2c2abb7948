"""The journal of one table: append-only, and the only source of its state (T53)."""

from collections.abc import AsyncIterator, Iterable, Sequence as Items
from dataclasses import dataclass
from typing import Protocol, Self

from bridge.domain.errors import BridgeError
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores.snapshots import Snapshot


class JournalError(BridgeError):
    """The journal cannot be used; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRecord:
    """An event in its place."""

    sequence: Sequence
    event: TableEvent


class Journal(Protocol):
    """Whatever is appended is on the disk when ``append`` returns, in order, without gaps."""

    @property
    def day(self) -> str:
        """The gaming day that the records appended now are filed under; empty if none was told yet."""

    @property
    def is_long(self) -> bool:
        """Whether so much was appended since ``begin_day`` that beginning anew would spare the next start."""

    async def append(self, events: Items[TableEvent]) -> Items[JournalRecord]:
        """Write events durably in one commit; return them with their sequences. Raise ``JournalError``."""

    async def read(self, after: Sequence) -> Iterable[JournalRecord]:
        """Return all records after a sequence (0: all), oldest first. Raise ``JournalError`` on a damaged one."""

    def pages(self, after: Sequence, up_to: Sequence) -> AsyncIterator[Items[JournalRecord]]:
        """Yield the records after one sequence, up to another, some at a time, and let others work in between."""

    async def begin_day(self, day: str) -> None:
        """File what is appended from now on under a gaming day, apart from what was before it."""

    async def keep(self, snapshot: Snapshot) -> None:
        """Keep the fold of the records up to one of them."""

    async def hash_at(self, sequence: Sequence) -> bytes:
        """Return the hash of a record; raise ``JournalError`` if it is not there."""

    async def newest_snapshot(self, code: bytes, before: Sequence) -> Snapshot | None:
        """Return the newest sound snapshot before a record that this code has made; None if there is none.

        It is sound if its digest holds and its record is in the journal with the hash it names. Where the
        beginning is not here, and so no other way to fold: the state with which the oldest part of the journal was
        begun, whatever code has made it.
        """

    async def close(self) -> None:
        """Finish what is being written and release the file."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc_info: object) -> None: ...
