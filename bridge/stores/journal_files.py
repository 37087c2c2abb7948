"""The files of one journal: the one that is written, and those of finished gaming days.

``bj-1.journal`` is written. What is finished lies in ``bj-1.journal.finished``, a file for each gaming day, named
by the day and its first record: ``2026-11-29-000040214.journal``. It is never written again and may be moved
away, oldest first; each file holds what it stands on, and the state of the table at its beginning.
"""

import re
from pathlib import Path

from bridge.domain.identity import Sequence
from bridge.stores.journal_sql import FileHead

_FOLDER = ".finished"
_UNDATED = "undated"
_NAME = re.compile(r"(?:\d{4}-\d\d-\d\d|undated)-(\d{9,})\.journal")

COMPANIONS = ("", "-wal", "-shm", "-journal", _FOLDER)
"""What belongs to the file that is written, the folder of finished ones included: they are set aside together."""


def folder_of_finished(path: Path) -> Path:
    """Return the folder that holds the finished files of a journal; it need not exist."""
    return Path(f"{path}{_FOLDER}")


def name_of_finished(head: FileHead) -> str:
    """Return what a finished file is called."""
    return f"{head.day or _UNDATED}-{head.first:09}.journal"


def finished_files(path: Path) -> list[Path]:
    """Return the finished files of a journal that bear their names, oldest first."""
    named = [file for file in _files_in(folder_of_finished(path)) if _NAME.fullmatch(file.name)]
    return sorted(named, key=first_of)


def first_of(finished: Path) -> Sequence:
    """Return the first record of a finished file, as its name says; raise ``ValueError`` if it bears none."""
    match = _NAME.fullmatch(finished.name)
    if match is None:
        raise ValueError(f"{finished} does not bear the name of a finished file")
    return Sequence(int(match[1]))


def files_of(path: Path) -> list[Path]:
    """Return the files of a journal that bear their names, oldest first, the one that is written last.

    One that has just been finished has both names until the next one is there, and is listed once.
    """
    if not path.exists():
        return finished_files(path)
    return [*(file for file in finished_files(path) if not file.samefile(path)), path]


def misnamed_files(path: Path) -> list[Path]:
    """Return what else lies among the finished files: renamed ones, and what is none of ours."""
    return [file for file in _files_in(folder_of_finished(path)) if not _NAME.fullmatch(file.name)]


def _files_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
