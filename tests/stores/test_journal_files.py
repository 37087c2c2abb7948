from pathlib import Path

import pytest

from bridge.stores import chain
from bridge.stores.journal_files import (
    files_of,
    finished_files,
    first_of,
    folder_of_finished,
    misnamed_files,
    name_of_finished,
)
from bridge.stores.journal_sql import FileHead


def head(first: int, day: str) -> FileHead:
    return FileHead(
        before=chain.Link(first - 1, bytes(32)), day=day, finished=True, incomplete=False, software="1"
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder_of_finished(tmp_path / "bj.journal").mkdir()
    return tmp_path / "bj.journal"


def test_a_finished_file_is_called_by_its_day_and_first_record() -> None:
    assert name_of_finished(head(40_214, "2026-11-29")) == "2026-11-29-000040214.journal"
    assert name_of_finished(head(1, "")) == "undated-000000001.journal"
    assert first_of(Path("x/2026-11-29-000040214.journal")) == 40_214
    with pytest.raises(ValueError, match="does not bear the name"):
        first_of(Path("x/40214.journal"))


def test_files_are_in_the_order_of_their_records_whatever_their_days(path: Path) -> None:
    heads = [head(1, ""), head(90, "2026-11-30"), head(500, "2026-11-29"), head(9_999_999_999, "2026-12-01")]
    for one in reversed(heads):
        (folder_of_finished(path) / name_of_finished(one)).touch()
    assert [file.name for file in finished_files(path)] == [name_of_finished(one) for one in heads]
    assert files_of(path) == finished_files(path)
    path.touch()
    assert files_of(path) == [*finished_files(path), path]


def test_what_bears_no_name_is_listed_apart(path: Path) -> None:
    (folder_of_finished(path) / "tuesday.bak").touch()
    (folder_of_finished(path) / "2026-11-29-000000001.journal.damaged").touch()
    (folder_of_finished(path) / "2026-11-29-000000001.journal").touch()
    (folder_of_finished(path) / "old").mkdir()
    assert [file.name for file in finished_files(path)] == ["2026-11-29-000000001.journal"]
    assert [file.name for file in misnamed_files(path)] == ["2026-11-29-000000001.journal.damaged", "tuesday.bak"]


def test_a_file_that_has_both_names_is_listed_once(path: Path) -> None:
    path.touch()
    (folder_of_finished(path) / "2026-11-29-000000001.journal").hardlink_to(path)
    (folder_of_finished(path) / ".bj.journal.x.new").touch()
    assert files_of(path) == [path]
    assert misnamed_files(path) == []


def test_without_a_folder_there_are_no_finished_files(tmp_path: Path) -> None:
    assert files_of(tmp_path / "none.journal") == []
