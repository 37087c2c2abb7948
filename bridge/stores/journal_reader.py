"""A journal read from outside, record by record with its place in the chain. Nothing in it is changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bridge.contracts.journal_records import JournalRecordError, event_from_json
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence
from bridge.stores import chain, sqlite_file
from bridge.stores.journal import JournalError
from bridge.stores.migrate import JOURNAL, WrongSchemaError, version_of
from bridge.stores.sqlite_file import DamagedFileError


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainedRecord:
    """An event in its place, and the digest that seals it with everything before it."""

    sequence: Sequence
    event: TableEvent
    digest: str
    """SHA-256, in hexadecimal."""


def chained_records(path: Path) -> Iterator[ChainedRecord]:
    """Yield the records of a journal that no daemon holds, oldest first, each checked against the one before.

    Raise ``JournalError`` if the journal is not there, in use, damaged, or of a later release.
    """
    if not path.is_file():
        raise JournalError(f"there is no journal {path}; check the path")
    mode = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=0)) as connection:
            sqlite_file.refuse_empty(connection)
            version_of(connection, JOURNAL, path)
            (genesis,) = connection.execute("SELECT genesis FROM about").fetchone()
            rows = connection.execute(f"SELECT {chain.COLUMNS} FROM records ORDER BY sequence")  # noqa: S608 - a constant
            for sequence, _, _, body, digest in chain.follow(rows, chain.Link(0, genesis)):
                yield ChainedRecord(sequence=Sequence(sequence), event=event_from_json(body), digest=digest.hex())
    except (JournalRecordError, WrongSchemaError) as error:
        raise JournalError(f"the journal {path}: {error}") from error
    except DamagedFileError as error:
        raise JournalError(
            f"the journal {path} is damaged: {error}; table-bridge journal verify says more"
        ) from error
    except sqlite3.Error as error:
        if sqlite_file.is_busy(error):
            raise JournalError(f"the journal {path} is in use by its daemon; stop that first") from error
        raise JournalError(f"cannot read the journal {path}: {sqlite_file.remedy(error)}") from error
