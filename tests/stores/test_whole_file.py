import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.stores.whole_file import replace_file, write_new_file


def test_a_file_is_written_whole_and_is_its_owners(tmp_path: Path) -> None:
    write_new_file(tmp_path / "a", (b"one\n", b"two\n"))
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\n"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_what_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("kept")
    with pytest.raises(FileExistsError):
        write_new_file(tmp_path / "a", (b"new",))
    assert (tmp_path / "a").read_text() == "kept"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_what_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"one\n"
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_new_file(tmp_path / "a", broken())
    assert list(tmp_path.iterdir()) == []


def test_a_former_file_stays_until_the_new_one_is_complete_and_nothing_else_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "people.toml"
    replace_file(file, b"first")
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, b"second")
    assert file.read_bytes() == b"first"

    monkeypatch.undo()
    replace_file(file, b"third")
    assert file.read_bytes() == b"third"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link_to_the_new_file(tmp_path: Path) -> None:
    file, link = tmp_path / "kept" / "people.toml", tmp_path / "people.toml"
    file.parent.mkdir()
    file.write_bytes(b"first")
    link.symlink_to(file)
    replace_file(link, b"second")

    assert link.is_symlink()
    assert file.read_bytes() == b"second"
    assert list(file.parent.iterdir()) == [file]


def _full(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")
