import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bridge.stores.meter_filing import file_progressives
from bridge.stores.migrate import METERS, prepare
from tests.stores.meters import NOW, PROGRESSIVE


@pytest.fixture
def meters() -> Iterator[sqlite3.Connection]:
    """A meter store in memory, with one progressive filed."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare(connection, METERS)
        file_progressives(connection, (PROGRESSIVE,), NOW, submission="")
        yield connection
