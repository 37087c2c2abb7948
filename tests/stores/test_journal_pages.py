import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.stores import chain, journal_sql, private, sqlite_file
from bridge.stores.journal_files import folder_of_finished, name_of_finished
from bridge.stores.journal_pages import NextFileRefusedError, prepare_next, put_in_place
from bridge.stores.journal_sql import FileHead
from bridge.stores.migrate import JOURNAL
from bridge.stores.snapshots import make_snapshot

END = chain.Link(41, b"\x05" * 32)
STATE = make_snapshot(sequence=END.sequence, hash_=END.hash, software="1", code=b"\x01" * 32, body=b"{}")  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    sqlite_file.create(tmp_path / "bj.journal", JOURNAL)
    with closing(sqlite3.connect(tmp_path / "bj.journal")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return tmp_path / "bj.journal"


def head_of(path: Path) -> FileHead:
    with closing(sqlite3.connect(path)) as connection:
        return journal_sql.head_of(connection)


def names(path: Path) -> list[str]:
    return sorted(str(file.relative_to(path.parent)) for file in path.parent.rglob("*"))


def test_the_new_file_stands_on_the_old_one_and_takes_its_name(path: Path) -> None:
    old, head = path.read_bytes(), head_of(path)
    unnamed = prepare_next(path, head, END, STATE, "2026-11-30")
    assert path.read_bytes() == old
    put_in_place(unnamed, path, head)
    finished = folder_of_finished(path) / name_of_finished(head)
    assert finished.read_bytes() == old
    assert finished.stat().st_mode & 0o777 == 0o400
    assert path.stat().st_mode & 0o777 == 0o600
    new = head_of(path)
    assert (new.before, new.day, new.finished) == (END, "2026-11-30", False)
    with closing(sqlite3.connect(path)) as connection:
        assert list(journal_sql.snapshots_down_from(connection)) == [STATE]
    assert names(path) == ["bj.journal", "bj.journal.finished", f"bj.journal.finished/{finished.name}"]


@pytest.mark.parametrize("step", ["link", "sync", "replace"])
def test_whatever_was_done_by_then_doing_it_again_finishes_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    old, head = path.read_bytes(), head_of(path)
    unnamed = prepare_next(path, head, END, None, "")

    def fail(*_args: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        target, name = {"link": (os, "link"), "sync": (private, "sync_folder"), "replace": (Path, "replace")}[step]
        broken.setattr(target, name, fail)
        with pytest.raises(OSError, match="Input/output error"):
            put_in_place(unnamed, path, head)
    assert path.read_bytes() == old
    put_in_place(unnamed, path, head)
    assert head_of(path).before == END
    assert (folder_of_finished(path) / name_of_finished(head)).read_bytes() == old


def test_another_file_in_the_way_is_never_overwritten(path: Path) -> None:
    head = head_of(path)
    finished = folder_of_finished(path) / name_of_finished(head)
    finished.parent.mkdir()
    finished.write_bytes(b"somebody else's")
    before = names(path)
    with pytest.raises(NextFileRefusedError, match="is in the way, and is another file; move it elsewhere"):
        prepare_next(path, head, END, None, "")
    assert finished.read_bytes() == b"somebody else's"
    assert names(path) == before


def test_a_disk_that_is_full_or_takes_no_second_name_is_known_before_anything_is_changed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_source: Path, _target: Path) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    def full(*_args: object) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    old = path.read_bytes()
    with monkeypatch.context() as broken:
        broken.setattr(os, "link", fail)
        with pytest.raises(NextFileRefusedError, match="takes no second name of a file"):
            prepare_next(path, head_of(path), END, None, "")
    with monkeypatch.context() as broken:
        broken.setattr(sqlite_file, "prepare_unnamed", full)
        with pytest.raises(NextFileRefusedError, match="free some space"):
            prepare_next(path, head_of(path), END, None, "")
    assert names(path) == ["bj.journal", "bj.journal.finished"]
    assert path.read_bytes() == old
