import fcntl
import os
import tempfile
from pathlib import Path

import pytest

from bridge.demo.directory import PREFIX, directory, remove_abandoned


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary directories that no other demonstration uses."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_is_to_be_kept_is_kept_and_all_else_goes(place: Path) -> None:
    with directory(place / "kept" / "here") as kept:
        (kept / "file").touch()
    with directory(None) as temporary:
        (temporary / "var").mkdir()
        assert temporary.parent == place

    assert (place / "kept" / "here" / "file").exists()
    assert not temporary.exists()


def test_what_a_killed_demonstration_left_is_removed_by_the_next(place: Path) -> None:
    left = place / f"{PREFIX}killed"
    (left / "var").mkdir(parents=True)
    (left / "var" / "bj-demo.journal").touch()

    with directory(None):
        assert not left.exists()


def test_what_another_demonstration_uses_stays() -> None:
    with directory(None) as first:
        with directory(None) as second:
            assert first.exists()
            assert second != first
        assert first.exists()


def test_what_is_not_ours_stays(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "elsewhere").mkdir()
    (place / f"{PREFIX}link").symlink_to(place / "elsewhere")
    (place / f"{PREFIX}file").touch()
    remove_abandoned()
    assert {entry.name for entry in place.iterdir()} == {"elsewhere", f"{PREFIX}link", f"{PREFIX}file"}

    (place / f"{PREFIX}somebody-elses").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: -1)
    remove_abandoned()
    assert (place / f"{PREFIX}somebody-elses").exists()


def test_a_new_directory_that_was_taken_for_an_abandoned_one_is_made_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_lock = fcntl.flock
    removed: list[Path] = []

    def lock_too_late(descriptor: int, how: int) -> None:
        if not removed:
            (name,) = place.iterdir()
            name.rmdir()
            removed.append(name)
        really_lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", lock_too_late)
    with directory(None) as used:
        assert used.exists()
        assert used not in removed
