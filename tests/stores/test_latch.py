import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.controller import DisabledReason
from bridge.domain.errors import BridgeError
from bridge.stores.journal import JournalError
from bridge.stores.latch import FailureLatch, LatchError, Note, noted
from bridge.stores.state_keeper import StateDiffersError

STORAGE = DisabledReason.STORAGE_FAILURE


def test_a_latch_is_made_beforehand_private_and_notes_nothing(tmp_path: Path) -> None:
    latch = FailureLatch(tmp_path / "site" / "new" / "bj-1.latch")

    assert latch.found() is None
    assert latch.path.stat().st_size == 4096, "so that a full disk has room for the note"
    assert latch.path.stat().st_mode & 0o777 == 0o600
    assert [folder.stat().st_mode & 0o777 for folder in latch.path.parents[:2]] == [0o700] * 2


def test_1_39b_what_was_noted_is_found_by_the_next_process_until_it_is_cleared(tmp_path: Path) -> None:
    path = tmp_path / "bj-1.latch"
    FailureLatch(path).found()
    before = path.stat().st_ino
    FailureLatch(path).note(STORAGE, "no space left on device; free some “space”")

    assert FailureLatch(path).found() == Note(reason=STORAGE, detail="no space left on device; free some “space”")
    assert (path.stat().st_ino, path.stat().st_size) == (before, 4096), "overwritten in place"
    FailureLatch(path).clear()
    assert FailureLatch(path).found() is None


@pytest.mark.parametrize("content", [b'["storage_fai', b'"x"', b'["a", "b"]', b"[1]", b"7"])
def test_a_note_that_was_being_written_when_the_power_went_counts_as_one(tmp_path: Path, content: bytes) -> None:
    latch = FailureLatch(tmp_path / "latch")
    latch.path.write_bytes(content)
    found = latch.found()

    assert found is not None
    assert (found.reason, "not readable" in found.detail) == (STORAGE, True)


def test_a_later_shorter_note_leaves_nothing_of_a_longer_one(tmp_path: Path) -> None:
    latch = FailureLatch(tmp_path / "latch")
    latch.note(STORAGE, "a long note " * 20)
    latch.note(DisabledReason.RAM_FAILURE, "short")

    assert latch.found() == Note(reason=DisabledReason.RAM_FAILURE, detail="short")


@given(detail=st.text(max_size=9000))
def test_a_note_of_any_length_fits_into_its_page(detail: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    latch = FailureLatch(tmp_path_factory.getbasetemp() / "latch")
    latch.note(STORAGE, detail)
    found = latch.found()

    assert latch.path.stat().st_size == 4096
    assert found is not None
    assert detail.startswith(found.detail)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (JournalError("the journal is damaged"), STORAGE),
        (StateDiffersError("the state differs"), DisabledReason.RAM_FAILURE),
    ],
)
def test_1_39b_what_ends_a_process_and_cannot_be_journalled_is_noted(
    tmp_path: Path, error: BridgeError, reason: DisabledReason
) -> None:
    latch = FailureLatch(tmp_path / "latch")
    with pytest.raises(type(error)), noted(latch):
        raise error

    assert latch.found() == Note(reason=reason, detail=str(error))


def test_any_other_end_is_none_of_its_business(tmp_path: Path) -> None:
    latch = FailureLatch(tmp_path / "latch")
    with pytest.raises(LatchError), noted(latch):
        raise LatchError("something else")

    assert latch.found() is None


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_latch_that_may_not_be_written_says_what_to_do(tmp_path: Path) -> None:
    latch = FailureLatch(tmp_path / "latch")
    latch.found()
    latch.path.chmod(0o400)
    with pytest.raises(LatchError, match="check the disk, and the owner"):
        latch.note(STORAGE, "disk full")


def test_a_latch_in_the_place_of_a_folder_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "latch").mkdir()
    with pytest.raises(LatchError, match="cannot be used"):
        FailureLatch(tmp_path / "latch").found()
    with pytest.raises(LatchError, match="cannot be used"):
        FailureLatch(tmp_path / "latch").clear()
