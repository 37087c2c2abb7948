import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bridge.clock import SystemClock
from bridge.domain.errors import BridgeError
from bridge.stores import sqlite_file
from bridge.stores.file_errors import DamagedFileError, FileRefusedError
from bridge.stores.held_file import HeldFile
from bridge.stores.migrate import HEARD, JOURNAL, Schema, WrongSchemaError


class NotebookError(BridgeError):
    """Something about a notebook."""


def notebook(path: Path, schema: Schema = HEARD) -> HeldFile:
    return HeldFile(
        path=path,
        schema=schema,
        name="the notebook",
        refused=NotebookError,
        where_in_use="Buy another.",
        where_damaged="Begin another.",
        companions=("", ".ink"),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.sqlite"
    sqlite_file.create(path, HEARD)
    return path


def told(file: HeldFile, work: Callable[[], object]) -> str:
    """Return what a person reads when the work fails while a file is opened."""
    with pytest.raises(NotebookError) as caught, file.opening(SystemClock()):
        work()
    return str(caught.value)


def fail_with(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def test_of_two_only_one_has_it_until_it_lets_go(path: Path) -> None:
    file = notebook(path)
    with closing(file.connect()):
        assert told(file, file.connect) == "the notebook is in use by another process. Buy another."
    with closing(file.connect()) as connection:
        file.require_ours(connection)


def test_one_that_was_exchanged_meanwhile_is_anothers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite_file.connect

    def connect_and_lose(file: Path, *, wait_s: int, exclusive: bool) -> sqlite3.Connection:
        connection = connect(file, wait_s=wait_s, exclusive=exclusive)
        Path(shutil.copy(file, f"{file}.new")).replace(file)
        return connection

    monkeypatch.setattr(sqlite_file, "connect", connect_and_lose)
    file = notebook(path)
    assert "in use by another process" in told(file, file.connect)
    monkeypatch.undo()
    file.connect().close()


def test_a_damaged_one_is_set_aside_with_what_belongs_to_it(path: Path) -> None:
    path.write_bytes(b"no database at all" * 300)
    Path(f"{path}.ink").write_bytes(b"blue")
    file = notebook(path)
    said = told(file, file.connect)
    (ink,) = path.parent.glob("*.ink")
    aside = str(ink).removesuffix(".ink")
    assert said == (
        "the notebook is damaged: SQLite says: file is not a database."
        f" It was set aside as {aside}, unaltered. Begin another."
    )
    assert Path(aside).read_bytes() == b"no database at all" * 300
    assert not path.exists()


def test_a_damaged_one_that_cannot_be_moved_stays_as_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sqlite_file, "set_aside", lambda *_: fail_with(OSError(errno.EROFS, os.strerror(errno.EROFS)))()
    )
    said = told(notebook(path), fail_with(DamagedFileError("a page is gone")))
    assert said.startswith(
        "the notebook is damaged: a page is gone. It could not be set aside: Read-only file system;"
    )
    assert said.endswith("Nothing in it was changed.")
    assert path.exists()


def test_an_empty_one_is_damaged_and_one_of_another_kind_is_not_ours(path: Path) -> None:
    other = notebook(path, JOURNAL)
    with closing(other.connect()) as connection, pytest.raises(WrongSchemaError, match="not a table journal"):
        other.require_ours(connection)
    path.write_bytes(b"")
    with closing(notebook(path).connect()) as connection, pytest.raises(DamagedFileError, match="empty"):
        notebook(path).require_ours(connection)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileRefusedError("as it is"), "as it is"),
        (WrongSchemaError("not ours"), "not ours"),
        (
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
            "cannot open the notebook: No space left on device; free",
        ),
        (sqlite3.OperationalError("no"), "cannot open the notebook: no (SQLITE_MISUSE); check the disk"),
        (NotebookError("known"), "known"),
    ],
)
def test_whatever_else_goes_wrong_is_told(path: Path, error: Exception, said: str) -> None:
    assert told(notebook(path), fail_with(error)).startswith(said)
    assert path.exists()
