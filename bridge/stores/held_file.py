"""A database file that one process has for itself, and what a person is told where that cannot be.

It is locked before it is looked at, and looked at before it is changed. A damaged one is set aside, unaltered.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence as Items
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bridge.clock import Clock
from bridge.domain.errors import BridgeError
from bridge.stores import sqlite_file
from bridge.stores.file_errors import DamagedFileError, FileRefusedError, damage_told, is_busy, remedy
from bridge.stores.migrate import Schema, WrongSchemaError, version_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFile:
    """One kind of file at its path."""

    path: Path
    schema: Schema
    name: str
    """As a person calls it, with its path: "the journal var/bj-1.journal"."""
    refused: Callable[[str], BridgeError]
    """Makes an error of what a person is told."""
    where_in_use: str
    """What to do where another process has it."""
    where_damaged: str
    """What to do where it was damaged and has been set aside."""
    companions: Items[str] = sqlite_file.COMPANIONS
    """What is set aside with it."""

    @contextmanager
    def opening(self, clock: Clock) -> Iterator[None]:
        """Let out only what ``refused`` makes of an error. A damaged file is set aside.

        Its connection has to be open still then, for closing it would move its log into it.
        """
        try:
            with damage_told():
                yield
        except (FileRefusedError, WrongSchemaError) as error:
            raise self.refused(str(error)) from error
        except DamagedFileError as error:
            raise self.refused(f"{self.name} is damaged: {error}. {self._set_aside(clock)}") from error
        except (OSError, sqlite3.Error) as error:
            if is_busy(error):
                raise self.in_use() from error
            raise self.refused(f"cannot open {self.name}: {remedy(error)}") from error

    def connect(self) -> sqlite3.Connection:
        """Return the one connection to the file, which holds it until it is closed.

        Raise what ``refused`` makes if another file has its name meanwhile, ``sqlite3.Error``, or
        ``UnicodeDecodeError`` for a schema that is no text.
        """
        found = self.path.stat().st_ino
        with ExitStack() as undo:
            connection = undo.enter_context(closing(sqlite_file.connect(self.path, wait_s=0, exclusive=True)))
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            if self.path.stat().st_ino == found:
                undo.pop_all()
                return connection
        raise self.in_use()

    def require_ours(self, connection: sqlite3.Connection) -> None:
        """Raise ``DamagedFileError`` for an empty file, ``WrongSchemaError`` for one that is not ours to touch."""
        sqlite_file.refuse_empty(connection)
        version_of(connection, self.schema, self.path)

    def in_use(self) -> BridgeError:
        """Return what to say where another process has the file."""
        return self.refused(f"{self.name} is in use by another process. {self.where_in_use}")

    def _set_aside(self, clock: Clock) -> str:
        """Move the file out of the way; return where it is now, and what to do."""
        try:
            aside = sqlite_file.set_aside(self.path, clock.wall(), self.companions)
        except OSError as error:
            return f"It could not be set aside: {remedy(error)}. Nothing in it was changed."
        return f"It was set aside as {aside}, unaltered. {self.where_damaged}"
