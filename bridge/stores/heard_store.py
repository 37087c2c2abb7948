"""The history of what a dashboard heard: a file, or memory, written beside everything else and read at any time.

It is a copy of what tables say, of disclosed things alone, and not a record: that is the journal of each table.
So nobody waits for it: messages are gathered and written together, what a power cut takes is a gap, and while the
disk takes nothing, what is heard waits in memory.
"""

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence as Items
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, Self, TypeVar

from bridge import __version__
from bridge.clock import US_PER_S, Clock, SystemClock
from bridge.contracts.envelopes import Envelope
from bridge.domain.identity import RoundNumber, TableId, Timestamp
from bridge.stores import heard_reader, heard_search, sqlite_file
from bridge.stores.file_errors import FileRefusedError, is_of_storage, remedy
from bridge.stores.heard import Found, Heard, HeardRound, HeardStoreError, Search
from bridge.stores.heard_writer import HeardWriter
from bridge.stores.held_file import HeldFile
from bridge.stores.migrate import HEARD, migrate, prepare
from bridge.stores.sqlite_thread import SqliteThread, answer
from bridge.stores.transaction import transaction

_LOG = logging.getLogger(__name__)

DAYS: Final = 30
ROUNDS_IN_MEMORY: Final = 500
"""Of each table, where there is no file: a day of a busy table, in some twenty megabytes."""
_GATHER_S: Final = 1.0
"""How long a message waits for others; so a round is written once a second and not with each of its events."""
_TRY_AGAIN_S: Final = 5.0
_WAITING_MAX: Final = 20_000
"""Messages that wait while they cannot be written: about an hour of a busy table, in fifty megabytes."""
_BEGIN_ANEW: Final = (
    "Start again, and a new one begins; what the old one held stands in the journal of each table: table-bridge"
    " round"
)
_US_PER_DAY: Final = 86_400 * US_PER_S

_T = TypeVar("_T")


class HeardStore:
    """Used as ``async with HeardStore.open(path) as store``; takes messages on the event loop at any time."""

    def __init__(self, path: Path | None, days: int, clock: Clock) -> None:
        self.trouble = ""
        """Why what is heard is not kept at this moment, and what to do; empty while it is."""
        self.refused = 0
        """Messages that were set aside because the history cannot hold them, each with a line in the log."""
        self._path = path
        self._days = days
        self._clock = clock
        self._waiting: deque[Heard] = deque()
        self._waiting_lock = threading.Lock()
        """Both the loop and the thread put in and take out; held for as long as that takes, never for the disk."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop
        self._thread: SqliteThread | None = None
        # The thread's alone.
        self._connection: sqlite3.Connection | None = None
        self._writer: HeardWriter

    @classmethod
    def open(cls, path: Path | None, *, days: int = DAYS, clock: Clock | None = None) -> Self:
        """Return a history that opens when it is entered; entering raises ``HeardStoreError``.

        Without a path it is in memory, and ends with the process. Rounds are removed after so many days.
        """
        return cls(path, days, clock or SystemClock())

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._thread = SqliteThread("history")
        try:
            await self._thread.run(self._open)
        except BaseException:
            # Also when the wait was cancelled: a file that nobody uses must not stay locked.
            self._end()
            raise
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._thread is not None:
            self._thread.submit(self._write_waiting)
            self._end()

    @property
    def in_memory(self) -> bool:
        """Return whether it ends with the process."""
        return self._path is None

    def take(self, envelope: Heard) -> None:
        """Keep a message; one that was taken before changes nothing. Returns at once."""
        with self._waiting_lock:
            self._waiting.append(envelope)
            while len(self._waiting) > _WAITING_MAX:
                self._waiting.popleft()
        self._write_after(_TRY_AGAIN_S if self.trouble else _GATHER_S)

    async def find(self, table: TableId, search: Search) -> Found:
        """Return a page of the rounds of a table; raise ``HeardStoreError``."""
        return await self._read(partial(heard_search.find, table=table, search=search))

    async def won_as(self, table: TableId) -> tuple[str, ...]:
        """Return by which rows of paytables wagers of a table were won; raise ``HeardStoreError``."""
        return await self._read(partial(heard_search.won_as, table=table))

    async def read(
        self, table: TableId, number: RoundNumber, journal: int | None = None, page: int = 1
    ) -> HeardRound:
        """Return what was heard of a round; raise ``NotHeardError`` or ``HeardStoreError``."""
        return await self._read(partial(heard_reader.read, table=table, number=number, journal=journal, page=page))

    async def last_rounds(self, table: TableId, count: int) -> tuple[Envelope, ...]:
        """Return what was said last of the last rounds of a table; raise ``HeardStoreError``."""
        return await self._read(partial(heard_reader.last_rounds, table=table, count=count))

    async def _read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Read what stands there after everything that was taken before."""
        if self._thread is None:
            raise HeardStoreError("the history cannot be read: it is not open")

        def written_then_read() -> _T:
            if not self.trouble:
                self._write_waiting()
            try:
                return work(self._connected())
            except sqlite3.Error as error:
                raise HeardStoreError(f"{self._name()} cannot be read: {remedy(error)}") from error

        return await self._thread.run(written_then_read)

    def _write_after(self, seconds: float) -> None:
        if self._timer is None and self._thread is not None:
            self._timer = self._loop.call_later(seconds, self._write)

    def _write(self) -> None:
        self._timer = None
        if self._thread is not None:
            self._thread.submit(self._write_waiting)

    def _end(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.submit(self._disconnect)
            thread.stop()

    # --- on the thread --------------------------------------------------------------------------------

    def _write_waiting(self) -> None:
        """Write everything that waits in one transaction; while the disk takes nothing it waits on.

        Where a message is refused, it is set aside, and those around it are written in transactions of their own.
        """
        with self._waiting_lock:
            parts = [tuple(self._waiting)] if self._waiting else []
            self._waiting.clear()
        while parts:
            part = parts.pop()
            try:
                self._commit(part)
            except Exception as error:  # noqa: BLE001 - whatever it is, the tables are followed all the same
                self._writer.forget()
                if is_of_storage(error):
                    self._wait_on((*part, *chain.from_iterable(reversed(parts))), error)
                    return
                if len(part) > 1:
                    half = len(part) // 2
                    parts += [part[half:], part[:half]]
                else:
                    self._set_message_aside(part[0], error)
            else:
                self._written_again()

    def _commit(self, batch: Items[Heard]) -> None:
        with transaction(self._connected()):
            for table in self._writer.write(batch, self._clock.wall()):
                self._remove_old(table)

    def _set_message_aside(self, envelope: Heard, error: Exception) -> None:
        self.refused += 1
        kind = type(envelope).__name__
        _LOG.error("%s of table %s is not kept in %s: %s", kind, envelope.table, self._name(), error)

    def _wait_on(self, batch: Items[Heard], error: Exception) -> None:
        with self._waiting_lock:
            self._waiting.extendleft(reversed(batch))
        reason = remedy(error) if isinstance(error, OSError | sqlite3.Error) else str(error)
        if not self.trouble:
            _LOG.error("%s is not written: %s", self._name(), reason)
        self.trouble = reason
        answer(self._loop, partial(self._write_after, _TRY_AGAIN_S))

    def _written_again(self) -> None:
        if self.trouble:
            _LOG.warning("%s is written again", self._name())
        self.trouble = ""

    def _remove_old(self, table: TableId) -> None:
        before = Timestamp(self._clock.wall() - self._days * _US_PER_DAY)
        self._writer.remove(table, before=before, rounds_max=ROUNDS_IN_MEMORY if self.in_memory else None)

    def _open(self) -> None:
        if self._path is None:
            connection = self._connection = sqlite3.connect(":memory:", isolation_level=None)
            connection.execute("PRAGMA foreign_keys = ON")
            prepare(connection, HEARD)
            self._writer = HeardWriter(connection)
            return
        file = HeldFile(
            path=self._path,
            schema=HEARD,
            name=self._name(),
            refused=HeardStoreError,
            where_in_use="Give each dashboard a history of its own.",
            where_damaged=_BEGIN_ANEW,
        )
        with file.opening(self._clock):
            if not sqlite_file.create(self._path, HEARD):
                _refuse_other_file(self._path)
            sqlite_file.keep_private(self._path)
            self._take_hold(file)

    def _take_hold(self, file: HeldFile) -> None:
        """Lock the file for good, then see whether it is what was written, and only then change it."""
        connection = self._connection = file.connect()
        connection.execute("PRAGMA synchronous = NORMAL")
        file.require_ours(connection)
        sqlite_file.check_integrity(connection)
        migrate(connection, HEARD, file.path)
        self._writer = HeardWriter(connection)
        with transaction(connection):
            connection.execute("UPDATE about SET software = ?", (__version__,))
            for (table,) in connection.execute("SELECT DISTINCT table_id FROM journals").fetchall():
                self._remove_old(TableId(table))

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            raise HeardStoreError("the history cannot be used: it is not open")
        return self._connection

    def _name(self) -> str:
        return "the history in memory" if self._path is None else f"the history {self._path}"


def _refuse_other_file(path: Path) -> None:
    """Raise ``FileRefusedError`` for a file that never was a history: somebody may have named it by mistake."""
    if not sqlite_file.is_database(path):
        raise FileRefusedError(
            f"{path} is no history and was left as it is: give --history a file of its own; if it was one, and is"
            " damaged, move it away, and a new one begins"
        )
