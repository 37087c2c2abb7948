import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bridge.reports.hand_over import NotHandedOverError, hand_over


def test_a_document_is_written_whole_in_place_of_the_former(tmp_path: Path) -> None:
    file = tmp_path / "archive" / "2026" / "slip.pdf"
    hand_over(file, b"first")
    hand_over(file, b"second")

    assert file.read_bytes() == b"second"
    assert list(file.parent.iterdir()) == [file]


def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    occupied = tmp_path / "occupied"
    occupied.write_text("a file")
    with pytest.raises(NotHandedOverError, match=r"occupied.*check the path"):
        hand_over(occupied / "slip.pdf", b"content")

    folder = tmp_path / "slip.pdf"
    folder.mkdir()
    with pytest.raises(NotHandedOverError, match="cannot write"):
        hand_over(folder, b"content")
    assert {path.name for path in tmp_path.iterdir()} == {"occupied", "slip.pdf"}


def test_a_link_leads_to_the_file_that_is_replaced_and_stays(tmp_path: Path) -> None:
    file, link = tmp_path / "slip.pdf", tmp_path / "newest.pdf"
    file.write_bytes(b"first")
    link.symlink_to(file)
    hand_over(link, b"second")

    assert link.is_symlink()
    assert file.read_bytes() == b"second"


def test_what_is_no_file_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_bytes)
        hand_over(pipe, b"content")

        assert read.result() == b"content"
    assert pipe.is_fifo()
