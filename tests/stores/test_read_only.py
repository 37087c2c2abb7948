import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.stores.read_only import read_only


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database that somebody has open, its last commit in its log only."""
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        yield connection


def values(path: Path) -> list[int]:
    with read_only(path) as connection:
        return [row[0] for row in connection.execute("SELECT x FROM t")]


def test_a_database_that_is_closed_is_read_and_no_file_is_made_beside_it(
    tmp_path: Path, owner: sqlite3.Connection
) -> None:
    owner.close()
    before = files(tmp_path)
    assert values(tmp_path / "x.db") == [1]
    assert files(tmp_path) == before
    assert list(before) == ["x.db"]


def test_one_moment_is_read_while_its_owner_writes(tmp_path: Path, owner: sqlite3.Connection) -> None:
    with read_only(tmp_path / "x.db") as connection:
        assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (1,)
        owner.execute("INSERT INTO t VALUES (2)")
        assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (1,)
    assert values(tmp_path / "x.db") == [1, 2]


@pytest.mark.usefixtures("owner")
def test_a_log_that_a_dead_process_left_is_read_and_nothing_is_changed(tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.mkdir()
    for name in ("x.db", "x.db-wal"):
        shutil.copy(tmp_path / name, left / name)
    before = files(left)
    assert values(left / "x.db") == [1]
    assert files(left) == before


def test_nothing_can_be_written(tmp_path: Path, owner: sqlite3.Connection) -> None:
    for done in ("x.db open", "x.db closed"):
        with read_only(tmp_path / "x.db") as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("INSERT INTO t VALUES (3)")
        if done.endswith("open"):
            owner.close()
