"""All of it or nothing, on a connection whose transactions are begun and ended by name."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from bridge.stores.sqlite_file import FileConnection


@contextmanager
def transaction(
    connection: sqlite3.Connection, kind: Literal["IMMEDIATE", "DEFERRED"] = "IMMEDIATE"
) -> Iterator[None]:
    """Commit what is done within, or undo all of it. An immediate one waits for its turn before it reads.

    Raise ``OSError`` if the file of the connection is no longer what its path leads to.
    """
    connection.execute(f"BEGIN {kind}")
    try:
        if isinstance(connection, FileConnection):
            connection.require_in_place()
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has SQLite roll back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
