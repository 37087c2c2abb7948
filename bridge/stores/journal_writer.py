"""The file of a journal that is written: held by one process, on one thread, and by nobody else meanwhile.

The file is sealed: it holds cards that nobody at the table has seen yet.

A damaged journal is set aside and the table does not start, because rounds may stand in it that are owed.
It does not start by being started again either, as a service manager would do at once: a new journal begins
only when a person has moved the damaged one to where it is kept.
"""

import logging
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from bridge import __version__
from bridge.clock import Clock
from bridge.stores import chain, journal_condition, journal_files, journal_sql, sqlite_file, write_ahead_log
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.held_file import HeldFile
from bridge.stores.journal import JournalError
from bridge.stores.journal_file import no_such_record, open_journal_file
from bridge.stores.journal_pages import NextFileRefusedError, prepare_next, put_in_place
from bridge.stores.journal_sql import FileHead
from bridge.stores.migrate import JOURNAL, migrate
from bridge.stores.snapshots import Snapshot
from bridge.stores.transaction import transaction

_log = logging.getLogger(__name__)

_SETTLE_BY_HAND = (
    "Rounds that are not settled may stand in it: have a supervisor settle what was on the table, move the file"
    " and its companions to where they are kept, and start again; a new journal begins then."
)

_ONE_DAEMON = (
    "Only one daemon may run a table: stop the other one, or give this table a journal of its own in its"
    " configuration."
)

_EMPTY_LOG_AFTER_COMMITS = 256
"""About a megabyte of log. It is done after the answer, so that no event waits for its own."""


class JournalWriter:
    """The file that is written. Everything raises ``JournalError``, or ``sqlite3.Error`` where writing fails."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self._file = HeldFile(
            path=path,
            schema=JOURNAL,
            name=f"the journal {path}",
            refused=JournalError,
            where_in_use=_ONE_DAEMON,
            where_damaged=_SETTLE_BY_HAND,
            companions=journal_files.COMPANIONS,
        )
        self.head: FileHead
        self.end = chain.Link(0, b"")
        self._clock = clock
        self._connection: sqlite3.Connection | None = None
        self._commits_in_log = 0

    @property
    def connection(self) -> sqlite3.Connection:
        """Return the one connection; raise ``JournalError`` if there is none."""
        if self._connection is None:
            raise JournalError(f"the journal {self.path} cannot be used: it is not open")
        return self._connection

    # --- opening --------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take hold of the file, or begin one where there is none; raise ``JournalError`` with what to do."""
        with self._file.opening(self._clock):
            self._refuse_to_begin_anew()
            sqlite_file.create(self.path, JOURNAL)
            sqlite_file.keep_private(self.path)
            self._take_hold()

    def _refuse_to_begin_anew(self) -> None:
        """Raise ``JournalError`` if there is no journal here, but the remains of one."""
        if self.path.exists():
            return
        if aside := sqlite_file.files_set_aside(self.path):
            raise JournalError(
                f"there is no journal {self.path}, but a damaged one was set aside as {aside[0]}, so no new one"
                f" is begun. {_SETTLE_BY_HAND}"
            )
        if Path(f"{self.path}-wal").exists():
            raise DamagedFileError("its write-ahead log is there, but the file itself is gone")
        if finished := journal_files.finished_files(self.path):
            raise JournalError(
                f"there is no journal {self.path}, but finished files of one, the newest of them {finished[-1]}."
                f" What was recorded after it is missing: bring the file back. If it is lost for good:"
                f" {_SETTLE_BY_HAND} The folder {finished[-1].parent} goes with it."
            )

    def _take_hold(self) -> None:
        """Lock the file for good, then see whether it is what was written, and only then change it."""
        connection = self._connection = self._file.connect()
        self._file.require_ours(connection)
        examined = journal_condition.examine(connection, self._log_condition(), self.path)
        if examined.interrupted:
            _log.warning(
                "journal %s: its last commit was interrupted, as by a power cut, and does not count; nothing had"
                " been done about it",
                self.path,
            )
        if examined.looked_at_from > examined.head.first:
            _log.warning(
                "journal %s is long, and was looked at from record %d on; table-bridge journal verify looks at all"
                " of it",
                self.path,
                examined.looked_at_from,
            )
        migrate(connection, JOURNAL, self.path)
        self.head, self.end = examined.head, examined.end
        if self.head.finished:
            self._finish_turning()
        else:
            self._begin_writing()

    def _log_condition(self) -> write_ahead_log.LogCondition:
        log = Path(f"{self.path}-wal")
        return write_ahead_log.examine(log.read_bytes() if log.exists() else b"")

    def _begin_writing(self) -> None:
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        self.empty_log()

    # --- writing --------------------------------------------------------------------------------------

    def commit(self, events: Iterable[tuple[bytes, bytes]]) -> None:
        """Write events, each its kind and its body, in one commit."""
        at, end = self._clock.wall(), self.end
        rows: list[chain.Row] = []
        for kind, body in events:
            sequence = end.sequence + 1
            end = chain.Link(sequence, chain.link_hash(end.hash, sequence, at, kind, body))
            rows.append((sequence, at, kind, body, end.hash))
        with transaction(self.connection):
            self.connection.executemany("INSERT INTO records VALUES (?, ?, CAST(? AS TEXT), ?, ?)", rows)
        self.end = end

    def empty_log_now_and_then(self) -> None:
        """Move the log into the file once it is long."""
        self._commits_in_log += 1
        if self._commits_in_log >= _EMPTY_LOG_AFTER_COMMITS:
            self.empty_log()

    def empty_log(self) -> None:
        """Move what is in the log into the file, and mark the file as one that needs its log from now on."""
        connection = self.connection
        connection.execute("UPDATE about SET incomplete = 1")
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        connection.execute("UPDATE about SET incomplete = 0, software = ?", (__version__,))
        self._commits_in_log = 0

    def lay_down(self) -> None:
        """Move everything into the file, which then needs no log any more."""
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def disconnect(self) -> None:
        """Release the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- reading --------------------------------------------------------------------------------------

    def rows_after(self, sequence: int, up_to: int) -> list[chain.Row]:
        """Return the next records of this file between two places."""
        return journal_sql.rows_after(self.connection, sequence, up_to=up_to)

    def link_at(self, sequence: int) -> chain.Link | None:
        """Return a record of this file as a place to go on from; None if it is not here."""
        return journal_sql.link_at(self.connection, self.head, sequence)

    def place(self, sequence: int) -> chain.Link | None:
        """Return a record as a place to go on from; None if it is in a finished file.

        Raise ``JournalError`` if it is not here.
        """
        if (link := self.link_at(sequence)) is not None:
            return link
        finished = self.finished_files()
        first = journal_files.first_of(finished[0]) if finished else self.head.first
        if first - 1 <= sequence < self.head.before.sequence:
            return None
        raise JournalError(f"the journal {self.path}: {no_such_record(sequence, first)}")

    def finished_files(self) -> list[Path]:
        """Return the files before this one, oldest first."""
        return journal_files.finished_files(self.path)

    # --- snapshots ------------------------------------------------------------------------------------

    def newest_snapshot(self, code: bytes, before: int) -> Snapshot | None:
        """Return the newest sound snapshot before a place that this code has made, in whichever file it is.

        Where there is none, and the beginning of the journal is not here: the state with which the oldest file
        that is here was begun, whatever code has made it.
        """
        for snapshot in journal_sql.sound_snapshots(self.connection, self.head, before - 1):
            if snapshot.code == code:
                return snapshot
        carried = journal_sql.carried_forward(self.connection, self.head)
        for path in reversed(self.finished_files()):
            try:
                with open_journal_file(path) as file:
                    for snapshot in journal_sql.sound_snapshots(file.connection, file.head, before - 1):
                        if snapshot.code == code:
                            return snapshot
                    carried = journal_sql.carried_forward(file.connection, file.head)
            except DamagedFileError as error:
                _log.error("the finished file %s of a journal is damaged: %s", path, error)
                break
        return carried if carried is not None and carried.sequence < before else None

    def keep(self, snapshot: Snapshot) -> None:
        """Add a snapshot."""
        journal_sql.insert_snapshot(self.connection, snapshot)

    # --- turning to a new file ------------------------------------------------------------------------

    def begin_day(self, day: str) -> None:
        """Go on in a new file that is begun for a gaming day; a file of no day yet becomes one of that day.

        Where no new file can be begun, the present one goes on.
        """
        if not self.head.day or self.end == self.head.before:
            self.connection.execute("UPDATE about SET day = ?", (day,))
            self.head = journal_sql.head_of(self.connection)
            return
        try:
            unnamed = prepare_next(self.path, self.head, self.end, self._state_here(), day)
        except NextFileRefusedError as error:
            _log.error("journal %s goes on in the same file, for no new one can be begun: %s", self.path, error)
            return
        self.connection.execute("UPDATE about SET finished = 1, incomplete = 0, software = ?", (__version__,))
        self._go_on_in(unnamed)

    def _finish_turning(self) -> None:
        """Go on from a file that was finished when the process died; its day is told later."""
        try:
            unnamed = prepare_next(self.path, self.head, self.end, self._state_here(), "")
        except NextFileRefusedError as error:
            raise JournalError(
                f"the journal {self.path} is finished, and no new file can be begun: {error}"
            ) from error
        self._go_on_in(unnamed)

    def _state_here(self) -> Snapshot | None:
        newest = next(journal_sql.snapshots_down_from(self.connection, self.end.sequence), None)
        return newest if newest is not None and newest.sequence == self.end.sequence else None

    def _go_on_in(self, unnamed: Path) -> None:
        """Give the new file its name, and take hold of it before the old one is let go."""
        try:
            # A finished file needs no log, and every tool can read it. Nor may closing it take away the log of the
            # file that has its name by then.
            (mode,) = self.connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            if mode != "delete":
                raise JournalError(f"the write-ahead log of {self.path} cannot be given up; start again")
            put_in_place(unnamed, self.path, self.head)
        finally:
            sqlite_file.discard(unnamed)
        old, self._connection = self.connection, self._file.connect()
        old.close()
        self.head = journal_sql.head_of(self.connection)
        self.end = self.head.before
        self._begin_writing()
