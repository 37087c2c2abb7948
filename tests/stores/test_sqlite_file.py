import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.domain.identity import Timestamp
from bridge.stores import sqlite_file
from bridge.stores.file_errors import DamagedFileError, FileRefusedError
from bridge.stores.migrate import JOURNAL

NOON = Timestamp(1_700_000_000_000_000)


def test_a_file_is_made_once_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "x.sqlite"
    assert sqlite_file.create(path, JOURNAL)
    content = path.read_bytes()
    assert not sqlite_file.create(path, JOURNAL)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == ["x.sqlite"]


def test_a_folder_in_the_place_of_a_file_is_told_and_left(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.mkdir()
    with pytest.raises(FileRefusedError, match="is a folder or a device, and no file"):
        sqlite_file.create(path, JOURNAL)
    assert list(path.iterdir()) == []


@pytest.mark.parametrize(("content", "is_one"), [(b"", True), (b"[table]\n", False), (b"SQLite format 2", False)])
def test_a_database_is_known_by_how_it_begins(tmp_path: Path, content: bytes, *, is_one: bool) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(content)
    assert sqlite_file.is_database(path) is is_one
    sqlite_file.create(tmp_path / "y.sqlite", JOURNAL)
    assert sqlite_file.is_database(tmp_path / "y.sqlite")


def test_of_two_that_make_a_file_at_once_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.sqlite"
    link = os.link

    def link_second(source: Path, target: Path) -> None:
        target.write_bytes(b"the other one's")
        link(source, target)

    monkeypatch.setattr(os, "link", link_second)
    assert not sqlite_file.create(path, JOURNAL)
    assert path.read_bytes() == b"the other one's"
    assert [file.name for file in tmp_path.iterdir()] == ["x.sqlite"]


def test_a_file_that_cannot_be_made_whole_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_source: Path, _target: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "link", full)
    with pytest.raises(
        FileRefusedError, match=r"cannot create .*x\.sqlite: No space left on device; free some space"
    ):
        sqlite_file.create(tmp_path / "x.sqlite", JOURNAL)
    assert list(tmp_path.iterdir()) == []


def test_a_connection_is_durable_and_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x ?#.sqlite"
    with pytest.raises(sqlite3.OperationalError):
        sqlite_file.connect(path, wait_s=0)
    sqlite_file.create(path, JOURNAL)
    with closing(sqlite_file.connect(path, wait_s=0)) as connection:
        full = 2
        assert connection.execute("PRAGMA synchronous").fetchone() == (full,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_mode_that_cannot_be_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.sqlite"
    path.touch(mode=0o644)

    def refuse(_path: Path, _mode: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(FileRefusedError, match="which must stay sealed"):
        sqlite_file.keep_private(path)


def test_integrity_is_the_databases_own_word(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (x CHECK (x > 0))")
        sqlite_file.check_integrity(connection)
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("INSERT INTO t VALUES (-1)")
        connection.execute("PRAGMA ignore_check_constraints = OFF")
        with pytest.raises(DamagedFileError, match="CHECK constraint failed in t"):
            sqlite_file.check_integrity(connection)


def test_setting_aside_takes_all_companions_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    for attempt in range(3):
        path.write_text(f"{attempt}")
        Path(f"{path}-wal").write_text(f"{attempt} log")
        aside = sqlite_file.set_aside(path, NOON)
        assert aside.read_text() == f"{attempt}"
        assert Path(f"{aside}-wal").read_text() == f"{attempt} log"
    assert not path.exists()
    assert len(sqlite_file.files_set_aside(path)) == 6


def test_sqlite_leaves_alone_what_was_set_aside_under_its_hands(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    sqlite_file.create(path, JOURNAL)
    connection = sqlite_file.connect(path, wait_s=0, exclusive=True)
    connection.execute("UPDATE about SET software = 'x'")
    log = Path(f"{path}-wal").read_bytes()
    aside = sqlite_file.set_aside(path, NOON)
    connection.close()
    assert Path(f"{aside}-wal").read_bytes() == log
    assert not path.exists()
