"""Whatever goes wrong with a file of meters, as an error that says what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.stores.file_errors import DamagedFileError, damage_told, remedy
from bridge.stores.meter_store import MeterStoreError


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Let nothing out but a ``MeterStoreError``."""
    try:
        with damage_told():
            yield
    except MeterStoreError:
        raise
    except DamagedFileError as error:
        raise MeterStoreError(
            f"the meter store {path} is damaged: {error}. It is left as it is, and no new one is begun, because"
            " a meter would fall back to its seed: put the last good copy in its place, and post what is missing"
            " from the rounds since."
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise MeterStoreError(f"the meter store {path} failed: {remedy(error)}") from error
    except BridgeError as error:
        raise MeterStoreError(str(error)) from error
