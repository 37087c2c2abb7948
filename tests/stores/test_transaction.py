import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.stores import sqlite_file
from bridge.stores.migrate import JOURNAL
from bridge.stores.transaction import transaction


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None, timeout=0)) as opened:
        opened.execute("CREATE TABLE chips (colour TEXT UNIQUE)")
        yield opened


def colours(connection: sqlite3.Connection) -> list[str]:
    return [colour for (colour,) in connection.execute("SELECT colour FROM chips")]


def test_what_is_done_within_is_committed(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO chips VALUES ('red')")
        assert connection.in_transaction
    assert not connection.in_transaction
    assert colours(connection) == ["red"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_whatever_comes_in_between_undoes_all_of_it(
    connection: sqlite3.Connection, error: type[BaseException]
) -> None:
    def fails() -> None:
        with transaction(connection):
            connection.execute("INSERT INTO chips VALUES ('red')")
            raise error

    with pytest.raises(error):
        fails()
    assert not connection.in_transaction
    assert colours(connection) == []


def test_what_sqlite_undid_itself_is_not_undone_again(connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"), transaction(connection):
        connection.execute("INSERT OR ROLLBACK INTO chips VALUES ('red'), ('red')")
    assert colours(connection) == []


def test_an_immediate_one_keeps_other_writers_out_from_its_beginning_and_a_deferred_one_does_not(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None, timeout=0)) as other:
        with transaction(connection, "DEFERRED"), transaction(other):
            pass
        with transaction(connection), pytest.raises(sqlite3.OperationalError, match="locked"), transaction(other):
            pass


@pytest.mark.parametrize("done", ["moved", "removed", "replaced"])
def test_nothing_is_written_into_a_file_that_nobody_would_find(tmp_path: Path, done: str) -> None:
    path, elsewhere = tmp_path / "x.sqlite", tmp_path / "elsewhere.sqlite"
    sqlite_file.create(path, JOURNAL)
    with closing(sqlite_file.connect(path, wait_s=0)) as connection:
        if done == "removed":
            elsewhere.hardlink_to(path)
            path.unlink()
        else:
            path.rename(elsewhere)
        if done == "replaced":
            sqlite_file.create(path, JOURNAL)
        with pytest.raises(OSError, match=r"x\.sqlite was moved, removed or replaced"), transaction(connection):
            connection.execute("UPDATE about SET software = 'x'")
        assert not connection.in_transaction

        elsewhere.replace(path)
        with transaction(connection):
            connection.execute("UPDATE about SET software = 'x'")
