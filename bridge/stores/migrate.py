"""The shapes of our database files, and how an older file becomes a newer one: forward only.

A migration is a numbered file that is never edited once it was released. ``PRAGMA user_version`` holds the
number of the last one that a file has been through, ``PRAGMA application_id`` whether it is ours at all.
"""

import sqlite3
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from bridge.domain.errors import BridgeError


class WrongSchemaError(BridgeError):
    """A sound database that is not ours to touch: another kind of file, or one from a later release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """One kind of database file."""

    what: str
    """As a person calls it: "journal"."""
    folder: str
    """Of its migrations, below ``migrations/sqlite``."""
    application_id: int
    """Four letters at a fixed place of the file that tell our kinds apart (SQLite file format, section 1.3.2)."""


JOURNAL = Schema(what="table journal", folder="journal", application_id=int.from_bytes(b"TbJo"))
METERS = Schema(what="meter store", folder="meters", application_id=int.from_bytes(b"TbMe"))
HEARD = Schema(what="history of rounds", folder="heard", application_id=int.from_bytes(b"TbHe"))


@cache
def migrations(schema: Schema) -> tuple[str, ...]:
    """Return the scripts of a schema, oldest first; the last one's number is the present version."""
    folder = files("bridge.stores").joinpath("migrations", "sqlite", schema.folder)
    scripts = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(script.read_text(encoding="utf-8") for script in scripts)


def prepare(connection: sqlite3.Connection, schema: Schema) -> None:
    """Give an empty database its schema."""
    connection.execute(f"PRAGMA application_id = {schema.application_id}")
    _run(connection, schema, after=0)


def version_of(connection: sqlite3.Connection, schema: Schema, path: Path) -> int:
    """Return the schema version of a database; raise ``WrongSchemaError`` if it is not ours to touch."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != schema.application_id or version < 1:
        raise WrongSchemaError(
            f"{path} is a database, but not a {schema.what}; it is left as it is. Check the path that was"
            " given or configured for it."
        )
    present = len(migrations(schema))
    if version > present:
        raise WrongSchemaError(
            f"{path} is a {schema.what} of schema version {version}, last opened by table-bridge"
            f" {_software(connection)}; this release knows versions up to {present}. It is left as it is. Run that"
            " release or a later one."
        )
    return int(version)


def migrate(connection: sqlite3.Connection, schema: Schema, path: Path) -> None:
    """Bring an existing database to the present version; raise ``WrongSchemaError`` if that is not ours to do."""
    _run(connection, schema, after=version_of(connection, schema, path))


def _run(connection: sqlite3.Connection, schema: Schema, after: int) -> None:
    """Run each migration in a transaction of its own, with the number that says that it was run."""
    for number, script in enumerate(migrations(schema)[after:], start=after + 1):
        try:
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.rollback()
            raise


def _software(connection: sqlite3.Connection) -> str:
    """Return who wrote a file from the future, as far as its shape still tells."""
    try:
        return str(connection.execute("SELECT software FROM about").fetchone()[0])
    except (sqlite3.Error, TypeError):
        return "of an unknown version"
