import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.stores.latch import LatchError, StorageLatch


def test_a_latch_is_made_beforehand_private_and_notes_nothing(tmp_path: Path) -> None:
    latch = StorageLatch(tmp_path / "new" / "bj-1.latch")

    assert latch.found() == ""
    assert latch.path.stat().st_size == 4096, "so that a full disk has room for the note"
    assert latch.path.stat().st_mode & 0o777 == 0o600


def test_1_39b_what_was_noted_is_found_by_the_next_process_until_it_is_cleared(tmp_path: Path) -> None:
    path = tmp_path / "bj-1.latch"
    StorageLatch(path).found()
    before = path.stat().st_ino
    StorageLatch(path).note("no space left on device; free some “space”")

    assert StorageLatch(path).found() == "no space left on device; free some “space”"
    assert (path.stat().st_ino, path.stat().st_size) == (before, 4096), "overwritten in place"
    StorageLatch(path).clear()
    assert StorageLatch(path).found() == ""


def test_a_note_that_was_being_written_when_the_power_went_counts_as_one(tmp_path: Path) -> None:
    latch = StorageLatch(tmp_path / "latch")
    latch.note("disk full")
    latch.path.write_bytes(latch.path.read_bytes()[:4])

    assert "the note of why is not readable" in latch.found()


def test_a_later_shorter_note_leaves_nothing_of_a_longer_one(tmp_path: Path) -> None:
    latch = StorageLatch(tmp_path / "latch")
    latch.note("a long note " * 20)
    latch.note("short")

    assert latch.found() == "short"


@given(detail=st.text(min_size=1, max_size=9000))
def test_a_note_of_any_length_fits_into_its_page(detail: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    latch = StorageLatch(tmp_path_factory.getbasetemp() / "latch")
    latch.note(detail)
    found = latch.found()

    assert latch.path.stat().st_size == 4096
    assert detail.startswith(found)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_latch_that_may_not_be_written_says_what_to_do(tmp_path: Path) -> None:
    latch = StorageLatch(tmp_path / "latch")
    latch.found()
    latch.path.chmod(0o400)
    with pytest.raises(LatchError, match="check the disk, and the owner"):
        latch.note("disk full")


def test_a_latch_in_the_place_of_a_folder_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "latch").mkdir()
    with pytest.raises(LatchError, match="cannot be used"):
        StorageLatch(tmp_path / "latch").found()
