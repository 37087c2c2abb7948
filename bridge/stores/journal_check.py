"""A journal looked at from outside, whole: whether it is what was written. Nothing in it is changed.

Every record is checked against the one before, decoded, and folded, and every state that was kept is compared
with the fold. As the states that were kept cut the journal into stretches, several processes can look at it.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from bridge.domain.identity import Sequence
from bridge.stores import chain, journal_files, journal_sql
from bridge.stores.chain import Fault
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.fold import table_fold
from bridge.stores.journal import JournalError
from bridge.stores.journal_file import open_journal_file
from bridge.stores.journal_stretch import Broken, Looked, Stretch, StretchWalk

_STRETCH_RECORDS = 20_000
"""A second or two of work: long enough to be handed to another process, short enough to be shared out evenly."""
_ALONE_RECORDS = 40_000
"""Up to here, starting another process takes longer than it saves."""
_POLITE = 5
"""The daemon of the table may be running on the same machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found of a journal."""

    files: tuple[Path, ...]
    begin: chain.Link
    """What the first record that is here stands on: 0, unless older files were archived."""
    end: chain.Link
    """The last record up to which everything is what was written."""
    broken: Broken | None
    notes: tuple[str, ...]
    """What a person should know and what is no fault of the journal."""

    @property
    def records(self) -> int:
        """Return how many records are what was written."""
        return self.end.sequence - self.begin.sequence


def verify(path: Path, *, processes: int | None = None) -> Verdict:
    """Check a journal, or one file of it, also one that is being written; raise ``JournalError`` if unreadable.

    ``processes`` look at it at the same time, by default as many as there are processors.
    """
    files = journal_files.files_of(path)
    verdict = _verify(path, files, processes)
    while verdict.broken is not None and files != (now := journal_files.files_of(path)):
        # The daemon has turned to a new file meanwhile, and what was looked at has another name.
        files, verdict = now, _verify(path, now, processes)
    return verdict


def _verify(path: Path, files: list[Path], processes: int | None) -> Verdict:
    if not files:
        raise JournalError(f"there is no journal {path}; check the path")
    stretches, records = _plan(files)
    workers = 1 if records <= _ALONE_RECORDS else min(processes or os.cpu_count() or 1, len(stretches))
    with _walks(stretches, workers) as walks:
        verdict = _joined(files, walks)
    if verdict.broken is None and not path.exists():
        verdict = replace(verdict, broken=_newest_is_missing(path, verdict.end))
    return _with_names(path, verdict)


def _plan(files: list[Path]) -> tuple[list[Stretch], int]:
    """Cut a journal where its state was kept; return the stretches, and about how many records they hold.

    A file that cannot be read is left to whoever walks there.
    """
    code, records = table_fold().code, 0
    stretches: list[Stretch] = []
    begun_in = 0
    start = Stretch(files=tuple(files), after=None, state=None, up_to=None)
    for number, path in enumerate(files):
        try:
            with open_journal_file(path) as file:
                records += file.end().sequence - file.head.before.sequence
                for snapshot in reversed(list(journal_sql.snapshots_down_from(file.connection))):
                    begun = 0 if start.after is None else start.after.sequence
                    here = chain.Link(snapshot.sequence, snapshot.hash)
                    usable = snapshot.code == code and snapshot.is_whole and file.link_at(here.sequence) == here
                    if usable and here.sequence - begun >= _STRETCH_RECORDS:
                        walked = tuple(files[begun_in : number + 1])
                        stretches.append(replace(start, files=walked, up_to=snapshot.sequence))
                        begun_in = number
                        start = replace(start, files=tuple(files[number:]), after=here, state=snapshot.body)
        except (JournalError, DamagedFileError):
            continue
    return [*stretches, start], records


@contextmanager
def _walks(stretches: list[Stretch], workers: int) -> Iterator[Iterable[Looked]]:
    """Yield what is seen of each stretch, in their order, as it becomes known."""
    if workers == 1:
        yield map(_walk, stretches)
        return
    # Started anew instead of forked: whoever asks may have threads.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_serve)
    try:
        yield pool.map(_walk, stretches)
    finally:
        pool.shutdown(cancel_futures=True)


def _walk(stretch: Stretch) -> Looked:
    return StretchWalk(stretch, table_fold()).walk()


def _serve() -> None:
    """Let a helping process give way to others, leave interruptions to its parent, and end when that ends."""
    os.nice(_POLITE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _joined(files: list[Path], walks: Iterable[Looked]) -> Verdict:
    """Return what the stretches say together, up to the first that is broken."""
    begin = end = chain.Link(0, b"")
    broken: Broken | None = None
    seen: list[Looked] = []
    for looked in walks:
        if looked.begin is not None and looked.end is not None:
            begin = begin if seen else looked.begin
            end = looked.end
        seen.append(looked)
        broken = looked.broken
        if broken is not None:
            break
    return Verdict(files=tuple(files), begin=begin, end=end, broken=broken, notes=tuple(_notes(begin, seen)))


def _notes(begin: chain.Link, seen: list[Looked]) -> Iterator[str]:
    if begin.sequence:
        yield f"it begins with record {begin.sequence + 1}; what was before is in files that are not here"
    if unfolded := sum(looked.unfolded for looked in seen):
        yield f"{unfolded} records were not folded, for no state of the table is known that they follow from"
    if passed_over := sum(looked.snapshots_passed_over for looked in seen):
        yield f"{passed_over} states kept in it are not used: other software kept them, or they do not hold"
    set_back = [sequence for looked in seen for sequence in looked.clock_set_back]
    if set_back:
        yield f"the clock was set back {len(set_back)} times, for the first time before record {set_back[0]}"
    if any(looked.interrupted for looked in seen):
        yield "its last commit was interrupted, as by a power cut, and does not count"


def _newest_is_missing(path: Path, end: chain.Link) -> Broken:
    return Broken(
        file=path,
        sequence=Sequence(end.sequence + 1),
        fault=Fault.MISSING,
        reason=f"record {end.sequence + 1} is missing: the newest file, {path}, is not here",
    )


def _with_names(path: Path, verdict: Verdict) -> Verdict:
    """Return the verdict with files that lie among the finished ones under other names, and what they may be."""
    found: list[str] = []
    for file in journal_files.misnamed_files(path):
        try:
            with open_journal_file(file) as opened:
                name = journal_files.name_of_finished(opened.head)
                found.append(
                    f"{file} has lost its name: it holds the records from {opened.head.first} to"
                    f" {opened.end().sequence}, and is called {name}"
                )
        except (JournalError, DamagedFileError):
            found.append(f"{file} is no file of this journal")
    return replace(verdict, notes=(*verdict.notes, *found))
