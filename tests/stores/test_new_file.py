from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.stores.new_file import write_new_file


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
