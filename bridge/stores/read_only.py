"""A database file read beside its owner, however large it has grown.

A journal is held by its daemon alone, so it is looked at in a copy (``unlocked``). Meters are shared by several
workers and never end, so whoever reads them takes a place among those who share them, for reading only.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bridge.stores.unlocked import open_unlocked

_WAIT_FOR_OWNER_S = 10
"""How long its owner may be in the middle of tidying its log, which takes it milliseconds."""


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that sees one moment of a database and changes none of it.

    Whoever has it open has a log beside it, and the index of that log. Where one of them is missing nobody has:
    SQLite would make it anew, so the file is read without. Raises ``FileRefusedError``, ``DamagedFileError`` or
    ``sqlite3.Error``.
    """
    if not (Path(f"{path}-wal").exists() and Path(f"{path}-shm").exists()):
        with open_unlocked(path) as unlocked:
            yield unlocked.connection
        return
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT_FOR_OWNER_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("BEGIN")
        yield connection
