"""How a journal goes on in a new file: nothing is overwritten, and at every instant there is one to go on with.

The new file is made whole under no name. The old one is marked as finished, gets its second name in the folder of
finished files, and then the new one takes the first name, in one step. A process that dies before that step finds
a finished file when it is started again, and goes on from here.
"""

import os
import sqlite3
from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.stores import chain, journal_sql, private, sqlite_file
from bridge.stores.file_errors import remedy
from bridge.stores.journal_files import folder_of_finished, name_of_finished
from bridge.stores.journal_sql import FileHead
from bridge.stores.migrate import JOURNAL
from bridge.stores.snapshots import Snapshot

_READ_ONLY = 0o400


class NextFileRefusedError(BridgeError):
    """No new file can be begun; the present one was not changed."""


def prepare_next(path: Path, head: FileHead, end: chain.Link, state: Snapshot | None, day: str) -> Path:
    """Make the file that goes on after the end of another one, and return where it is, for it has no name yet.

    ``state`` is the one after that end, if it was kept. Raise ``NextFileRefusedError``.
    """

    def fill(connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE about SET first_sequence = ?, genesis = ?, day = ?", (end.sequence + 1, end.hash, day)
        )
        if state is not None:
            journal_sql.insert_snapshot(connection, state)

    try:
        folder = folder_of_finished(path)
        folder.mkdir(mode=private.PRIVATE_FOLDER, exist_ok=True)
        finished = folder / name_of_finished(head)
        if finished.exists() and not finished.samefile(path):
            raise NextFileRefusedError(f"{finished} is in the way, and is another file; move it elsewhere")
        unnamed = sqlite_file.prepare_unnamed(path, JOURNAL, fill)
    except (OSError, sqlite3.Error) as error:
        raise NextFileRefusedError(remedy(error)) from error
    try:
        _try_second_name(unnamed, folder)
    except OSError as error:
        sqlite_file.discard(unnamed)
        raise NextFileRefusedError(f"{folder} takes no second name of a file: {remedy(error)}") from error
    return unnamed


def _try_second_name(unnamed: Path, folder: Path) -> None:
    """Give a file a second name in a folder and take it away again; raise ``OSError`` where that cannot be."""
    trial = folder / unnamed.name
    os.link(unnamed, trial)
    trial.unlink()


def put_in_place(unnamed: Path, path: Path, head: FileHead) -> None:
    """Give the finished file at ``path`` its own name, and its present one to the file that goes on after it.

    Raise ``OSError``; whatever was done by then, doing it again finishes it.
    """
    finished = folder_of_finished(path) / name_of_finished(head)
    if not finished.exists():
        os.link(path, finished)
        private.sync_folder(finished.parent)
    unnamed.replace(path)
    private.sync_folder(path.parent)
    finished.chmod(_READ_ONLY)
