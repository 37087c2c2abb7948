"""Which documents a table has: looked up in its files, which their owners go on writing."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from bridge.config import TableConfig
from bridge.dashboard import documents_words as say
from bridge.dashboard.signin_words import sentence
from bridge.domain.errors import BridgeError
from bridge.domain.meter_records import AwardHit
from bridge.reports.wanted import Sources, sources_of
from bridge.rules.submission import RulesSubmission
from bridge.stores.journal_files import files_of
from bridge.stores.journal_reader import days_begun_in
from bridge.stores.meter_reader import MeterReader

_DAYS_AT_ONCE: Final = 31
"""Those before them are folded up by month."""
_MONTH: Final = len("2026-11")

_Mark = tuple[int, int, int]
"""What tells a file from what it was before: its identity, its size, and when it was written."""


class NothingThereError(BridgeError):
    """A file of a table is not where documents are made; the message says which."""


class NotReadableError(BridgeError):
    """The system lets nobody read a file; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Where the files of tables lie on this machine, and rules submissions of former times."""

    storage: Path
    former: tuple[RulesSubmission, ...] = ()

    def sources(self, config: TableConfig) -> Sources:
        """Return what the documents of a table are made from."""
        return sources_of(config.setup.table, self.storage, config.submission, former=self.former)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What a table has documents of, as its files are; or why it has none here."""

    elsewhere: tuple[str, ...] = ()
    """What is missing here; empty where everything is at hand."""
    days: tuple[str, ...] = ()
    """Gaming days, ISO dates, newest first; the first of them is not over."""
    days_trouble: str = ""
    """Why no day can be listed."""
    meters: bool = False
    """Whether there are meters to read."""
    awards: tuple[AwardHit, ...] = ()
    """Newest first."""
    awards_trouble: str = ""

    @property
    def newest(self) -> tuple[str, ...]:
        """Return the days that are shown at once."""
        return self.days[:_DAYS_AT_ONCE]

    @property
    def months(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the days before those by month, such as ``2026-11``."""
        older = self.days[_DAYS_AT_ONCE:]
        return tuple((month, tuple(days)) for month, days in groupby(older, key=lambda day: day[:_MONTH]))


class Shelf:
    """The documents of one table. What was looked up is looked up again only when its file has changed."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._turn = asyncio.Lock()
        self._days: dict[Path, tuple[_Mark, tuple[str, ...]]] = {}
        self._awards: tuple[tuple[_Mark, _Mark], tuple[AwardHit, ...]] | None = None

    async def listed(self) -> Listed:
        """Return what there are documents of. Whoever asks meanwhile waits, and profits."""
        async with self._turn:
            return await asyncio.to_thread(self._listed)

    def days(self) -> tuple[str, ...]:
        """Return the gaming days that the journal holds, newest first.

        One that was begun while a round is on may be missing until that round is over. Raise
        ``NothingThereError``, ``NotReadableError`` or ``JournalError``.
        """
        journal = self._sources.journal
        with _told(journal):
            files = files_of(journal)
            if not files:
                raise NothingThereError(say.NO_JOURNAL.format(storage=journal.parent))
            self._days = {file: self._days_in(file) for file in files}
        return tuple(sorted({day for _, days in self._days.values() for day in days}, reverse=True))

    def awards(self) -> tuple[AwardHit, ...]:
        """Return the awards that the table has won, newest first.

        Raise ``NothingThereError``, ``NotReadableError`` or ``MeterStoreError``.
        """
        meters = self._sources.meters
        with _told(meters):
            if not meters.exists():
                raise NothingThereError(say.NO_METER_FILE.format(storage=meters.parent))
            marks = _mark(meters), _mark(Path(f"{meters}-wal"))
            if self._awards is None or self._awards[0] != marks:
                with MeterReader.open(meters) as reader:
                    self._awards = marks, reader.awards_hit(self._sources.table)[::-1]
        return self._awards[1]

    def _listed(self) -> Listed:
        elsewhere: list[str] = []
        days: tuple[str, ...] = ()
        awards: tuple[AwardHit, ...] = ()
        days_trouble = awards_trouble = ""
        try:
            days = self.days()
        except NothingThereError as error:
            elsewhere.append(str(error))
        except BridgeError as error:
            days_trouble = sentence(str(error))
        has_meters = bool(self._sources.submission.progressives())
        try:
            awards = self.awards() if has_meters else ()
        except NothingThereError as error:
            elsewhere.append(str(error))
        except BridgeError as error:
            awards_trouble = sentence(str(error))
        return Listed(
            elsewhere=tuple(elsewhere),
            days=days,
            days_trouble=days_trouble,
            meters=has_meters and self._sources.meters.exists(),
            awards=awards,
            awards_trouble=awards_trouble,
        )

    def _days_in(self, file: Path) -> tuple[_Mark, tuple[str, ...]]:
        """Return the days that one file tells of.

        Its log is not waited for: what stands in it is moved into the file soon, and a day begins in a new one.
        """
        mark, known = _mark(file), self._days.get(file)
        if known is not None and known[0] == mark and known[1]:
            return known
        return mark, tuple(day for _, day in days_begun_in(file))


def _mark(file: Path) -> _Mark:
    try:
        found = file.stat()
    except FileNotFoundError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Let an error of the system be told with what to do about it."""
    try:
        yield
    except OSError as error:
        raise NotReadableError(
            say.NOT_READABLE.format(file=error.filename or file, why=error.strerror, folder=file.parent)
        ) from error
