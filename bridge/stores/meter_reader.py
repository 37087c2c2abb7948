"""The meters as an auditor reads them: beside the worker that posts to them, and without a byte changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from bridge.domain.identity import ProgressiveId, Sequence, TableId, Timestamp
from bridge.domain.meter_records import AwardHit, AwardRecord, HeldContribution, RoundSpan, WinAudit
from bridge.domain.meters import MeterReading, Posting
from bridge.stores import meter_readings, sqlite_file
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.meter_check import check_figures
from bridge.stores.meter_errors import told_of
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.migrate import METERS, migrations, version_of
from bridge.stores.read_only import read_only


class MeterReader:
    """One moment of a meter store; used as ``with MeterReader.open(path) as meters``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """Yield a reader; raise ``MeterStoreError`` if there are no meters, or figures that are not on record."""
        if not path.is_file():
            raise MeterStoreError(f"there are no meters {path}; has the rules worker of this table run?")
        with ExitStack() as opened:
            with _told_of(path):
                connection = opened.enter_context(read_only(path))
                sqlite_file.refuse_empty(connection)
                _require_present(connection, path)
                check_figures(connection)
            yield cls(path, connection)

    def readings(self) -> tuple[MeterReading, ...]:
        """Return every meter."""
        with _told_of(self._path):
            return meter_readings.readings(self._connection)

    def postings(self, progressive: ProgressiveId, since: Timestamp) -> tuple[Posting, ...]:
        """Return the postings of a meter from a time on, oldest first."""
        with _told_of(self._path):
            return meter_readings.postings(self._connection, progressive, since)

    def awards_hit(self, table: TableId) -> tuple[AwardHit, ...]:
        """Return every award of a table as it stands, oldest first; much less to read than its records."""
        with _told_of(self._path):
            return meter_readings.awards_hit(self._connection, table)

    def postings_about(self, progressive: ProgressiveId, rounds: RoundSpan) -> tuple[Posting, ...]:
        """Return what wagers of some rounds contributed or were given back, and whatever else was ever posted."""
        with _told_of(self._path):
            return meter_readings.postings_about(self._connection, progressive, rounds)

    def last_posting(self, progressive: ProgressiveId) -> Posting:
        """Return the newest posting of a meter."""
        with _told_of(self._path):
            return meter_readings.last_posting(self._connection, progressive)

    def newest_answer(self, table: TableId) -> Sequence:
        """Return the newest journal record of a table that a posting answers; 0 where none does."""
        with _told_of(self._path):
            return meter_readings.newest_answer(self._connection, table)

    def award_records(self, progressive: ProgressiveId, rounds: RoundSpan) -> tuple[AwardRecord, ...]:
        """Return the awards that some rounds won of a meter, with what is on record about them, oldest first."""
        with _told_of(self._path):
            return meter_readings.award_records(self._connection, progressive, rounds)

    def newest_awards(self, progressive: ProgressiveId, count: int) -> tuple[AwardRecord, ...]:
        """Return so many of the last awards of a meter, newest first."""
        with _told_of(self._path):
            return meter_readings.newest_awards(self._connection, progressive, count)

    def held_contributions(self, progressive: ProgressiveId) -> tuple[HeldContribution, ...]:
        """Return every contribution of a meter that was ever held back, oldest first."""
        with _told_of(self._path):
            return meter_readings.held_contributions(self._connection, progressive)

    def audit(self, progressive: ProgressiveId) -> tuple[WinAudit, ...]:
        """Return for every win how its amount came about, oldest first."""
        with _told_of(self._path):
            return meter_readings.audit(self._connection, progressive)


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    """Let nothing out but a ``MeterStoreError``; a row that no store can have written is damage like any other."""
    with told_of(path):
        try:
            yield
        except (TypeError, ValueError, ArithmeticError) as error:
            raise DamagedFileError(f"a row of it does not make sense ({error})") from error


def _require_present(connection: sqlite3.Connection, path: Path) -> None:
    """Raise ``MeterStoreError`` for a file that a worker would bring to another shape first."""
    version, present = version_of(connection, METERS, path), len(migrations(METERS))
    if version < present:
        raise MeterStoreError(
            f"{path} has schema version {version}, and this release reads {present}; start its rules worker once,"
            " which brings it there"
        )
