"""The meters in a SQLite file, which several workers may have open: whoever posts second gets the first's answer.

A damaged meter store is refused and left in place, and no new one is begun for it: a meter that starts at its
seed again has lost what players paid into it.
"""

import sqlite3
from collections.abc import Callable, Sequence as Items
from pathlib import Path
from typing import Self, TypeVar

from bridge import __version__
from bridge.clock import Clock, SystemClock
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import Adjustment, MeterEntries, MeterReading, Posting
from bridge.rules.submission import Progressive
from bridge.stores import meter_adjusting, meter_postings, meter_readings, sqlite_file
from bridge.stores.meter_check import check_figures
from bridge.stores.meter_errors import told_of
from bridge.stores.meter_filing import file_progressives
from bridge.stores.meter_store import MeterStoreError, PostedEntries
from bridge.stores.migrate import METERS, migrate
from bridge.stores.sqlite_thread import SqliteThread
from bridge.stores.transaction import transaction

_T = TypeVar("_T")

_WAIT_FOR_OTHERS_S = 10
"""How long another worker may be in the middle of a transaction, which takes it a millisecond."""


class SqliteMeterStore:
    """``MeterStore`` in one file; used as ``async with SqliteMeterStore.open(path, progressives) as meters``."""

    def __init__(self, path: Path, progressives: Items[Progressive], submission: str, clock: Clock) -> None:
        self._path = path
        self._progressives = tuple(progressives)
        self._submission = submission
        self._clock = clock
        self._thread: SqliteThread | None = None
        self._connection: sqlite3.Connection | None = None
        """The thread's alone."""

    @classmethod
    def open(
        cls, path: Path, progressives: Items[Progressive], *, submission: str = "", clock: Clock | None = None
    ) -> Self:
        """Return a store that opens when it is entered; entering raises ``MeterStoreError``.

        A progressive that the store does not know begins at its base amount. What it knows must be filed, with the
        base amount it began with; other terms go on the record. ``submission`` is the digest of what files them.
        """
        return cls(path, progressives, submission, clock or SystemClock())

    async def __aenter__(self) -> Self:
        self._thread = SqliteThread(f"meters {self._path.name}")
        try:
            await self._thread.run(lambda: self._guarded(self._open))
        except BaseException:
            # Also when the wait was cancelled: nobody is left to close it.
            self._end()
            raise
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    async def post(self, entries: MeterEntries) -> PostedEntries:
        """Post all of it or nothing, durably, in one transaction ordered among all others (T17).

        Raises ``MeterStoreError``, and posts nothing, if the entries contradict what was posted before.
        """

        def work(connection: sqlite3.Connection) -> PostedEntries:
            with transaction(connection):
                meter_postings.post(connection, entries, self._clock.wall())
                return PostedEntries(
                    awards=meter_readings.awards_of_round(connection, entries.table, entries.round_number),
                    readings=meter_readings.readings(connection),
                )

        return await self._run(work)

    async def adjust(self, adjustment: Adjustment) -> tuple[MeterReading, ...]:
        """Post a person's change once; raise ``AdjustmentRefusedError`` if there is no reason for it."""

        def work(connection: sqlite3.Connection) -> tuple[MeterReading, ...]:
            with transaction(connection):
                meter_adjusting.adjust(connection, adjustment, self._clock.wall())
                return meter_readings.readings(connection)

        return await self._run(work)

    async def readings(self) -> tuple[MeterReading, ...]:
        """Return every meter of this store."""

        def work(connection: sqlite3.Connection) -> tuple[MeterReading, ...]:
            with transaction(connection, "DEFERRED"):
                return meter_readings.readings(connection)

        return await self._run(work)

    async def postings(self, progressive: ProgressiveId) -> Items[Posting]:
        """Return the postings that a meter is the sum of, oldest first; raise ``MeterStoreError`` if unknown."""
        return await self._run(lambda connection: meter_readings.postings(connection, progressive))

    async def close(self) -> None:
        """Finish what is being written and release the file."""
        if self._thread is not None:
            self._end()

    async def _run(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        if self._thread is None:
            raise MeterStoreError(f"the meter store {self._path} cannot be used: it is not open")
        return await self._thread.run(lambda: self._guarded(lambda: work(self._connected())))

    def _end(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.submit(self._disconnect)
            thread.stop()

    # --- on the thread --------------------------------------------------------------------------------

    def _guarded(self, work: Callable[[], _T]) -> _T:
        """Do a piece of work; whatever goes wrong with the file is a ``MeterStoreError`` that says what to do."""
        with told_of(self._path):
            return work()

    def _open(self) -> None:
        sqlite_file.create(self._path, METERS)
        sqlite_file.keep_private(self._path)
        connection = self._connection = sqlite_file.connect(self._path, wait_s=_WAIT_FOR_OTHERS_S)
        sqlite_file.refuse_empty(connection)
        migrate(connection, METERS, self._path)
        sqlite_file.check_integrity(connection)
        with transaction(connection):
            check_figures(connection)
            file_progressives(connection, self._progressives, self._clock.wall(), submission=self._submission)
            connection.execute("UPDATE about SET software = ?", (__version__,))

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            raise MeterStoreError(f"the meter store {self._path} cannot be used: it is not open")
        return self._connection
