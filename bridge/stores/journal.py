"""The journal of one table: append-only, and the only source of its state (T53)."""

from collections.abc import Iterable, Sequence as Items
from dataclasses import dataclass
from typing import Protocol, Self

from bridge.domain.errors import BridgeError
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence


class JournalError(BridgeError):
    """The journal cannot be used; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRecord:
    """An event in its place."""

    sequence: Sequence
    event: TableEvent


class Journal(Protocol):
    """Whatever is appended is on the disk when ``append`` returns, in order, without gaps."""

    async def append(self, events: Items[TableEvent]) -> Items[JournalRecord]:
        """Write events durably in one commit; return them with their sequences. Raise ``JournalError``."""

    async def read(self, after: Sequence) -> Iterable[JournalRecord]:
        """Return all records after a sequence (0: all), oldest first. Raise ``JournalError`` on a damaged one."""

    async def close(self) -> None:
        """Finish what is being written and release the file."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc_info: object) -> None: ...
