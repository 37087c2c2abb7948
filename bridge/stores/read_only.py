"""A database file read by somebody who must not change it, whether or not its owner has it open."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_WAIT_FOR_OWNER_S = 10
"""How long its owner may be in the middle of tidying its log, which takes it milliseconds."""


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that sees one moment of a database and changes none of it.

    Raises ``sqlite3.Error`` or ``OSError``. Whoever has it open has a log and the index of that log beside it. A
    log without its index was left by a process that is gone: SQLite would make the index anew, so it is given
    copies to do that with.
    """
    log, index = Path(f"{path}-wal"), Path(f"{path}-shm")
    with tempfile.TemporaryDirectory(prefix="table-bridge-") as folder:
        if not log.exists():
            # Without a log nobody is writing, and "immutable" keeps SQLite from making files beside it.
            source, mode = path, "immutable=1"
        elif index.exists():
            source, mode = path, "mode=ro"
        else:
            source, mode = Path(folder) / path.name, "mode=ro"
            shutil.copyfile(path, source)
            shutil.copyfile(log, f"{source}-wal")
        uri = f"{source.absolute().as_uri()}?{mode}"
        with closing(
            sqlite3.connect(uri, uri=True, timeout=_WAIT_FOR_OWNER_S, isolation_level=None)
        ) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("BEGIN")
            yield connection
