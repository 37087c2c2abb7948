"""The journal in SQLite files: append-only, hash-chained, and nobody else's while it is open.

This is the side that waits for it: events are gathered while a commit runs, and go into the next one together.
What is done to the file stands in ``journal_writer``.
"""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence as Items
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Self

from bridge.clock import Clock, SystemClock
from bridge.contracts.journal_records import JournalRecordError, event_from_json, event_to_json
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores import chain
from bridge.stores.file_errors import DamagedFileError, remedy
from bridge.stores.journal import JournalError, JournalRecord
from bridge.stores.journal_condition import LONG_FILE_RECORDS
from bridge.stores.journal_file import rows_across
from bridge.stores.journal_writer import JournalWriter
from bridge.stores.snapshots import Snapshot
from bridge.stores.sqlite_thread import SqliteThread, answer

_log = logging.getLogger(__name__)

_PAGE_RECORDS = 16
"""Decoded in one go while others wait: about a tenth of a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Appending:
    """Events that wait for the next commit, and who waits for them."""

    events: tuple[TableEvent, ...]
    bodies: tuple[bytes, ...]
    written: "asyncio.Future[tuple[JournalRecord, ...]]"


class SqliteJournal:
    """``Journal`` in files; used as ``async with SqliteJournal.open(path) as journal``."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._thread: SqliteThread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._waiting: deque[_Appending] = deque()
        self._commit_asked_for = False
        self._failure: str | None = None
        self._day = ""
        self._filed_from = 0
        # The thread's alone, but for what it has found when it answers.
        self._writer = JournalWriter(path, clock)

    @classmethod
    def open(cls, path: Path, *, clock: Clock | None = None) -> Self:
        """Return a journal that opens when it is entered; entering raises ``JournalError``."""
        return cls(path, clock or SystemClock())

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._thread = SqliteThread(f"journal {self._path.name}")
        try:
            await self._thread.run(self._writer.open)
        except BaseException:
            # Also when the wait was cancelled: a file that nobody uses must not stay locked.
            self._thread.submit(self._writer.disconnect)
            self._thread.stop()
            self._thread = None
            raise
        self._day, self._filed_from = self._writer.head.day, self._writer.head.before.sequence
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    @property
    def day(self) -> str:
        """The gaming day that the records appended now are filed under; empty if none was told yet."""
        return self._day

    @property
    def is_long(self) -> bool:
        """Whether so much was appended since ``begin_day`` that beginning anew would spare the next start."""
        return self._writer.end.sequence - self._filed_from >= LONG_FILE_RECORDS

    # --- appending ------------------------------------------------------------------------------------

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

    def _commit_waiting(self) -> None:
        """Write everything that waits, in one commit, and answer everybody who waited. On the thread."""
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
            try:
                self._writer.empty_log_now_and_then()
            except sqlite3.Error as error:
                self._fail(error)

    def _commit(self, batch: list[_Appending]) -> list[tuple[JournalRecord, ...]]:
        sequence = self._writer.end.sequence
        self._writer.commit(
            (event.kind.encode(), body)
            for appending in batch
            for event, body in zip(appending.events, appending.bodies, strict=True)
        )
        written: list[tuple[JournalRecord, ...]] = []
        for appending in batch:
            numbered = enumerate(appending.events, start=sequence + 1)
            written.append(tuple(JournalRecord(sequence=Sequence(n), event=event) for n, event in numbered))
            sequence += len(appending.events)
        return written

    def _settle(self, batch: list[_Appending], outcomes: list[tuple[JournalRecord, ...]] | None) -> None:
        """Tell those who wait, on the event loop, what became of their events."""
        for place, appending in enumerate(batch):
            if appending.written.done():  # its caller was cancelled
                continue
            if outcomes is None:
                appending.written.set_exception(self._unusable())
            else:
                appending.written.set_result(outcomes[place])

    # --- reading --------------------------------------------------------------------------------------

    async def read(self, after: Sequence) -> Iterable[JournalRecord]:
        """Return all records after a sequence (0: all), oldest first. Raise ``JournalError`` on a damaged one.

        They are fetched as they are taken, up to the record that is the last one now.
        """
        writer = self._writer
        start, last = await self._usable().run(lambda: (writer.place(after), writer.end.sequence))
        return self._records(after, start, last)

    def _records(self, after: int, start: chain.Link | None, last: int) -> Iterator[JournalRecord]:
        if start is None:
            for row in self._rows_of_finished(after):
                yield self._decoded(row)
            start = self._writer.head.before
        while start.sequence < last:
            rows = self._usable().wait_for(partial(self._rows, start, last))
            for row in rows:
                yield self._decoded(row)
            start = chain.Link(rows[-1][0], rows[-1][4])

    async def pages(self, after: Sequence, up_to: Sequence) -> AsyncIterator[Items[JournalRecord]]:
        """Yield the records after one sequence, up to another, some at a time, and let others work in between."""
        start = await self._usable().run(partial(self._writer.place, after))
        if start is None:
            older = self._rows_of_finished(after)
            while page := tuple(self._decoded(row) for row in islice(older, _PAGE_RECORDS)):
                yield page
                await asyncio.sleep(0)
            start = self._writer.head.before
        while start.sequence < up_to:
            rows = await self._usable().run(partial(self._rows, start, up_to))
            for page_start in range(0, len(rows), _PAGE_RECORDS):
                yield tuple(self._decoded(row) for row in rows[page_start : page_start + _PAGE_RECORDS])
                await asyncio.sleep(0)
            start = chain.Link(rows[-1][0], rows[-1][4])

    def _rows(self, start: chain.Link, last: int) -> list[chain.Row]:
        """Return some records of the file that is written, one at least, checked. On the thread."""
        try:
            rows = list(chain.follow(self._writer.rows_after(start.sequence, last), start))
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal {self._path}: {remedy(error)}") from error
        except DamagedFileError as error:
            raise JournalError(f"the journal {self._path} is damaged: {error}") from error
        if not rows:
            raise JournalError(f"the journal {self._path} is damaged: record {start.sequence + 1} is missing")
        return rows

    def _rows_of_finished(self, after: int) -> Iterator[chain.Row]:
        """Yield the records after a place that are in finished files, checked, up to the file that is written."""
        before, end = self._writer.head.before, chain.Link(after, b"")
        try:
            for row in rows_across(self._writer.finished_files(), after):
                yield row
                end = chain.Link(row[0], row[4])
        except DamagedFileError as error:
            raise JournalError(f"a finished file of the journal {self._path} is damaged: {error}") from error
        if end != before:
            raise JournalError(
                f"records {end.sequence + 1} to {before.sequence} of the journal {self._path} are not here, or are"
                " others than those it goes on from; bring the finished files back that were archived"
            )

    def _decoded(self, row: chain.Row) -> JournalRecord:
        try:
            return JournalRecord(sequence=Sequence(row[0]), event=event_from_json(row[3]))
        except JournalRecordError as error:
            raise JournalError(f"record {row[0]} of the journal {self._path}: {error}") from error

    # --- days and snapshots ---------------------------------------------------------------------------

    async def begin_day(self, day: str) -> None:
        """File what is appended from now on under a gaming day, apart from what was before it.

        Whoever calls this waits for it before appending anything else.
        """
        await self._changed(partial(self._writer.begin_day, day))
        # Also where no new file could be begun: what was refused is not tried again before there is a new reason.
        self._day, self._filed_from = day, self._writer.end.sequence

    async def keep(self, snapshot: Snapshot) -> None:
        """Keep the fold of the records up to one of them."""
        await self._changed(partial(self._writer.keep, snapshot))

    async def hash_at(self, sequence: Sequence) -> bytes:
        """Return the hash of a record; raise ``JournalError`` if it is not there."""
        link = await self._usable().run(partial(self._writer.link_at, sequence))
        if link is None:
            raise JournalError(f"the journal {self._path} has no record {sequence} in the file that is written")
        return link.hash

    async def newest_snapshot(self, code: bytes, before: Sequence) -> Snapshot | None:
        """Return the newest sound snapshot before a record that this code has made; None if there is none."""
        return await self._usable().run(partial(self._writer.newest_snapshot, code, before))

    async def _changed(self, work: Callable[[], None]) -> None:
        """Change something besides the records; a failure closes the journal as that of a commit does."""

        def work_or_fail() -> None:
            if self._failure is None:
                try:
                    work()
                except Exception as error:  # noqa: BLE001 - whatever it is, nothing more may be appended
                    self._fail(error)

        await self._usable().run(work_or_fail)
        self._usable()

    # --- the end --------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Finish what is being written and release the file."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            await thread.run(self._lay_down)
        finally:
            thread.submit(self._writer.disconnect)
            thread.stop()

    def _lay_down(self) -> None:
        if self._failure is not None:
            return
        try:
            self._writer.lay_down()
        except sqlite3.Error as error:
            # Every record is durable all the same; the next opening reads them from the log.
            _log.warning("journal %s: not closed in order: %s", self._path, remedy(error))

    def _fail(self, error: Exception) -> None:
        """Close the journal for good: what the disk holds now is known only after reading it again."""
        reason = remedy(error) if isinstance(error, OSError | sqlite3.Error) else str(error)
        self._failure = f"writing failed: {reason}"
        _log.error("journal %s: writing failed: %s", self._path, reason)

    def _usable(self) -> SqliteThread:
        if self._thread is None or self._failure is not None:
            raise self._unusable()
        return self._thread

    def _unusable(self) -> JournalError:
        reason = self._failure or "it is not open"
        return JournalError(f"the journal {self._path} cannot be used: {reason}")
