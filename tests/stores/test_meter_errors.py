import errno
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.domain.errors import BridgeError
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.meter_errors import told_of
from bridge.stores.meter_store import AdjustmentRefusedError, MeterStoreError

PATH = Path("var/t.meters")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            DamagedFileError("a page is gone"),
            "the meter store var/t.meters is damaged: a page is gone. It is left",
        ),
        (sqlite3.OperationalError("locked"), "the meter store var/t.meters failed: locked"),
        (OSError(errno.ENOSPC, "No space left on device"), "free some space"),
        (BridgeError("as it is"), "as it is"),
    ],
)
def test_whatever_goes_wrong_says_what_to_do(error: Exception, words: str) -> None:
    with pytest.raises(MeterStoreError, match=words), told_of(PATH):
        raise error


def test_what_was_refused_stays_what_it_is() -> None:
    with pytest.raises(AdjustmentRefusedError), told_of(PATH):
        raise AdjustmentRefusedError("no")


def test_damage_that_sqlite_finds_is_damage(tmp_path: Path) -> None:
    (tmp_path / "t.meters").write_bytes(b"no database at all" * 300)
    with (
        closing(sqlite3.connect(tmp_path / "t.meters")) as connection,
        pytest.raises(MeterStoreError, match="damaged: SQLite says"),
        told_of(PATH),
    ):
        connection.execute("SELECT 1 FROM sqlite_schema")
