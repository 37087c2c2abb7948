"""Whatever goes wrong with a file of meters, as an error that says what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.stores import sqlite_file
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_file import DamagedFileError


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Let nothing out but a ``MeterStoreError``."""
    try:
        yield
    except MeterStoreError:
        raise
    except DamagedFileError as error:
        raise MeterStoreError(_damaged(path, str(error))) from error
    except sqlite3.Error as error:
        if sqlite_file.is_damage(error):
            raise MeterStoreError(_damaged(path, f"SQLite says: {error}")) from error
        raise MeterStoreError(f"the meter store {path} failed: {sqlite_file.remedy(error)}") from error
    except OSError as error:
        raise MeterStoreError(f"the meter store {path} failed: {sqlite_file.remedy(error)}") from error
    except BridgeError as error:
        raise MeterStoreError(str(error)) from error


def _damaged(path: Path, how: str) -> str:
    return (
        f"the meter store {path} is damaged: {how}. It is left as it is, and no new one is begun, because a meter"
        " would fall back to its seed: put the last good copy in its place, and post what is missing from the"
        " rounds since."
    )
