"""The journal in a SQLite file: append-only, hash-chained, and nobody else's while it is open.

The file is sealed: it holds cards that nobody at the table has seen yet.

A damaged journal is set aside and the table does not start, because rounds may stand in it that are owed.
It does not start by being started again either, as a service manager would do at once: a new journal begins
only when a person has moved the damaged one to where it is kept.
"""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence as Items
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from bridge import __version__
from bridge.clock import Clock, SystemClock
from bridge.contracts.journal_records import JournalRecordError, event_from_json, event_to_json
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores import chain, journal_check, sqlite_file
from bridge.stores.journal import JournalError, JournalRecord
from bridge.stores.migrate import JOURNAL, WrongSchemaError, migrate
from bridge.stores.sqlite_file import DamagedFileError, FileRefusedError
from bridge.stores.sqlite_thread import SqliteThread, answer

_log = logging.getLogger(__name__)

_SETTLE_BY_HAND = (
    "Rounds that are not settled may stand in it: have a supervisor settle what was on the table, move the file"
    " and its companions to where they are kept, and start again; a new journal begins then."
)

_READ_AT_ONCE = 1000
"""Records fetched in one go: a long journal must not stand in memory twice."""

_EMPTY_LOG_AFTER_COMMITS = 256
"""About a megabyte of log. It is done after the answer, so that no event waits for its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Appending:
    """Events that wait for the next commit, and who waits for them."""

    events: tuple[TableEvent, ...]
    bodies: tuple[bytes, ...]
    written: "asyncio.Future[tuple[JournalRecord, ...]]"


class SqliteJournal:
    """``Journal`` in one file; used as ``async with SqliteJournal.open(path) as journal``."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._thread: SqliteThread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._waiting: deque[_Appending] = deque()
        self._commit_asked_for = False
        self._failure: str | None = None
        # Below here: the thread's alone.
        self._connection: sqlite3.Connection | None = None
        self._end = chain.Link(0, b"")
        self._commits_in_log = 0

    @classmethod
    def open(cls, path: Path, *, clock: Clock | None = None) -> Self:
        """Return a journal that opens when it is entered; entering raises ``JournalError``."""
        return cls(path, clock or SystemClock())

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._thread = SqliteThread(f"journal {self._path.name}")
        try:
            await self._thread.run(self._open)
        except BaseException:
            # Also when the wait was cancelled: a file that nobody uses must not stay locked.
            self._thread.submit(self._disconnect)
            self._thread.stop()
            self._thread = None
            raise
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    async def append(self, events: Items[TableEvent]) -> Items[JournalRecord]:
        """Write events durably in one commit; return them with their sequences. Raise ``JournalError``.

        What is appended while a commit runs goes into the next one together. After one failure every later
        call fails: a table that cannot record closes acceptance (T46).
        """
        thread = self._usable()
        if not events:
            return ()
        try:
            bodies = tuple(event_to_json(event) for event in events)
        except JournalRecordError as error:
            raise JournalError(f"the journal {self._path} cannot hold this event: {error}") from error
        appending = _Appending(
            events=tuple(events),
            bodies=bodies,
            written=asyncio.get_running_loop().create_future(),
        )
        self._waiting.append(appending)
        if not self._commit_asked_for:
            self._commit_asked_for = True
            thread.submit(self._commit_waiting)
        return await appending.written

    async def read(self, after: Sequence) -> Iterable[JournalRecord]:
        """Return all records after a sequence (0: all), oldest first. Raise ``JournalError`` on a damaged one.

        They are fetched as they are taken, up to the record that is the last one now.
        """
        thread = self._usable()
        start, last = await thread.run(lambda: (self._link_at(after), self._end.sequence))
        return self._records(start, last)

    async def close(self) -> None:
        """Finish what is being written and release the file."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            await thread.run(self._lay_down)
        finally:
            thread.submit(self._disconnect)
            thread.stop()

    def _usable(self) -> SqliteThread:
        if self._thread is None or self._failure is not None:
            raise self._unusable()
        return self._thread

    def _unusable(self) -> JournalError:
        reason = self._failure or "it is not open"
        return JournalError(f"the journal {self._path} cannot be used: {reason}")

    def _settle(self, batch: list[_Appending], outcomes: list[tuple[JournalRecord, ...]] | None) -> None:
        """Tell those who wait, on the event loop, what became of their events."""
        for place, appending in enumerate(batch):
            if appending.written.done():  # its caller was cancelled
                continue
            if outcomes is None:
                appending.written.set_exception(self._unusable())
            else:
                appending.written.set_result(outcomes[place])

    # --- on the thread --------------------------------------------------------------------------------

    def _open(self) -> None:
        try:
            self._refuse_to_begin_anew()
            sqlite_file.create(self._path, JOURNAL)
            sqlite_file.keep_private(self._path)
            self._take_hold()
        except (FileRefusedError, WrongSchemaError) as error:
            raise JournalError(str(error)) from error
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"cannot open the journal {self._path}: {sqlite_file.remedy(error)}") from error
        except DamagedFileError as error:
            raise JournalError(self._set_aside(error)) from error

    def _refuse_to_begin_anew(self) -> None:
        """Raise ``JournalError`` if there is no journal here, but the remains of one."""
        if self._path.exists():
            return
        if aside := sqlite_file.files_set_aside(self._path):
            raise JournalError(
                f"there is no journal {self._path}, but a damaged one was set aside as {aside[0]}, so no new one"
                f" is begun. {_SETTLE_BY_HAND}"
            )
        if Path(f"{self._path}-wal").exists():
            raise DamagedFileError("its write-ahead log is there, but the file itself is gone")

    def _take_hold(self) -> None:
        """Lock the file for good, then see whether it is what was written."""
        try:
            connection = self._connection = sqlite_file.connect(self._path, wait_s=0, exclusive=True)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            sqlite_file.refuse_empty(connection)
            migrate(connection, JOURNAL, self._path)
            examined = journal_check.examine(connection, self._path)
            if examined.interrupted:
                _log.warning(
                    "journal %s: its last commit was interrupted, as by a power cut, and does not count; nothing"
                    " had been done about it",
                    self._path,
                )
            self._end = examined.end
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            self._empty_log(connection)
        except sqlite3.Error as error:
            if sqlite_file.is_damage(error):
                raise DamagedFileError(f"SQLite says: {error}") from error
            if sqlite_file.is_busy(error):
                raise JournalError(
                    f"the journal {self._path} is in use by another process. Only one daemon may run a table:"
                    " stop the other one, or give this table a journal of its own in its configuration."
                ) from error
            raise

    def _set_aside(self, damage: DamagedFileError) -> str:
        """Move a damaged journal out of the way, unaltered; return what to tell the operator."""
        try:
            aside = sqlite_file.set_aside(self._path, self._clock.wall())
        except OSError as error:
            return (
                f"the journal {self._path} is damaged: {damage}. It could not be set aside:"
                f" {sqlite_file.remedy(error)}. Nothing in it was changed."
            )
        return (
            f"the journal {self._path} is damaged: {damage}. It was set aside as {aside}, unaltered."
            f" {_SETTLE_BY_HAND}"
        )

    def _commit_waiting(self) -> None:
        """Write everything that waits, in one commit, and answer everybody who waited."""
        # Taken back first: whoever comes after this and finds it False asks again, at worst for nothing.
        self._commit_asked_for = False
        batch: list[_Appending] = []
        while self._waiting:
            batch.append(self._waiting.popleft())
        if not batch:
            return
        outcomes: list[tuple[JournalRecord, ...]] | None = None
        if self._failure is None:
            try:
                outcomes = self._commit(batch)
            except Exception as error:  # noqa: BLE001 - whatever it is, nothing may be taken for recorded
                self._fail(error)
        answer(self._loop, partial(self._settle, batch, outcomes))
        if outcomes is not None:
            self._empty_log_now_and_then()

    def _commit(self, batch: list[_Appending]) -> list[tuple[JournalRecord, ...]]:
        connection = self._connected()
        at = self._clock.wall()
        end = self._end
        rows: list[chain.Row] = []
        written: list[tuple[JournalRecord, ...]] = []
        for appending in batch:
            records = []
            for event, body in zip(appending.events, appending.bodies, strict=True):
                sequence, kind = end.sequence + 1, event.kind.encode()
                end = chain.Link(sequence, chain.link_hash(end.hash, sequence, at, kind, body))
                rows.append((sequence, at, kind, body, end.hash))
                records.append(JournalRecord(sequence=Sequence(sequence), event=event))
            written.append(tuple(records))
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO records VALUES (?, ?, CAST(? AS TEXT), ?, ?)", rows)
        connection.execute("COMMIT")
        self._end = end
        return written

    def _empty_log_now_and_then(self) -> None:
        self._commits_in_log += 1
        if self._commits_in_log >= _EMPTY_LOG_AFTER_COMMITS:
            try:
                self._empty_log(self._connected())
            except sqlite3.Error as error:
                self._fail(error)

    def _empty_log(self, connection: sqlite3.Connection) -> None:
        """Move what is in the log into the file, and mark the file as one that needs its log from now on."""
        connection.execute("UPDATE about SET incomplete = 1")
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        connection.execute("UPDATE about SET incomplete = 0, software = ?", (__version__,))
        self._commits_in_log = 0

    def _fail(self, error: Exception) -> None:
        """Close the journal for good: what the disk holds now is known only after reading it again."""
        reason = sqlite_file.remedy(error) if isinstance(error, OSError | sqlite3.Error) else str(error)
        self._failure = f"writing failed: {reason}"
        _log.error("journal %s: writing failed: %s", self._path, reason)
        connection = self._connected()
        if connection.in_transaction:
            try:
                connection.execute("ROLLBACK")
            except sqlite3.Error:
                _log.exception("journal %s: the failed commit could not be rolled back either", self._path)

    def _link_at(self, sequence: int) -> chain.Link:
        """Return the chain as it was after a record: 0 is before the first one."""
        connection = self._connected()
        if sequence == 0:
            (genesis,) = connection.execute("SELECT genesis FROM about").fetchone()
            return chain.Link(0, genesis)
        row = connection.execute("SELECT hash FROM records WHERE sequence = ?", (sequence,)).fetchone()
        if row is None:
            raise JournalError(
                f"the journal {self._path} has no record {sequence}: its last is {self._end.sequence}"
            )
        return chain.Link(sequence, row[0])

    def _lay_down(self) -> None:
        """Move everything into the file, which then needs no log any more."""
        if self._failure is not None:
            return
        try:
            self._connected().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            # Every record is durable all the same; the next opening reads them from the log.
            _log.warning("journal %s: not closed in order: %s", self._path, sqlite_file.remedy(error))

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            raise self._unusable()
        return self._connection

    # --- in the hands of the reader -------------------------------------------------------------------

    def _records(self, start: chain.Link, last: int) -> Iterator[JournalRecord]:
        link = start
        while link.sequence < last:
            after = link.sequence
            rows = self._usable().wait_for(partial(self._rows, after))
            try:
                for sequence, _, _, body, hash_ in chain.follow(rows, link):
                    yield JournalRecord(sequence=Sequence(sequence), event=event_from_json(body))
                    link = chain.Link(sequence, hash_)
                    if sequence == last:
                        return
            except JournalRecordError as error:
                raise JournalError(f"record {link.sequence + 1} of the journal {self._path}: {error}") from error
            except DamagedFileError as error:
                raise JournalError(f"the journal {self._path} is damaged: {error}") from error
            if link.sequence == after:
                raise JournalError(f"the journal {self._path} is damaged: record {after + 1} is missing")

    def _rows(self, after: int) -> list[chain.Row]:
        try:
            return self._connected().execute(_SELECT_AFTER, (after, _READ_AT_ONCE)).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal {self._path}: {sqlite_file.remedy(error)}") from error


_SELECT_AFTER = f"SELECT {chain.COLUMNS} FROM records WHERE sequence > ? ORDER BY sequence LIMIT ?"  # noqa: S608 - a constant
