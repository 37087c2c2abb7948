from pathlib import Path

import pytest

from bridge.stores.chain import BrokenChainError, Fault
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.journal import JournalError
from bridge.stores.journal_file import open_journal_file, rows_across
from bridge.stores.journal_files import files_of, finished_files
from tests.stores.days import days_of_play, lay_out, unguarded


@pytest.fixture
def days(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "bj.journal", 3, rounds_a_day=1)


def test_files_go_on_from_each_other(days: Path) -> None:
    rows = list(rows_across(files_of(days), 0))
    assert [row[0] for row in rows] == list(range(1, len(days_of_play(3, rounds_a_day=1)) + 1))
    for after in (0, 3, rows[-1][0] - 1, rows[-1][0]):
        assert list(rows_across(files_of(days), after)) == rows[after:]


def test_reading_begins_at_the_turn_of_two_files_as_anywhere(days: Path) -> None:
    with open_journal_file(finished_files(days)[1]) as second:
        first = second.head.first
        assert second.link_at(first - 1) == second.head.before
    assert next(rows_across(files_of(days), first - 1))[0] == first


def test_what_is_not_here_is_told(days: Path) -> None:
    end = list(rows_across(files_of(days), 0))[-1][0]
    with pytest.raises(JournalError, match=f"there is no record {end + 1}"):
        next(rows_across(files_of(days), end + 1))
    files = files_of(days)[1:]
    with pytest.raises(JournalError, match="bring the finished files back that were archived"):
        next(rows_across(files, 0))
    assert next(rows_across(files, end - 1))[0] == end


def test_a_file_that_is_missing_in_the_middle_breaks_the_chain_there(days: Path) -> None:
    first, _, last = files_of(days)
    with open_journal_file(first) as file:
        end = file.end().sequence
    with pytest.raises(BrokenChainError, match=f"record {end + 1} is missing: .*bj.journal begins with") as caught:
        list(rows_across([first, last], 0))
    assert caught.value.fault is Fault.MISSING


def test_damage_is_named_where_it_is(days: Path) -> None:
    second = finished_files(days)[1]
    with open_journal_file(second) as file:
        at = file.head.first + 2
    unguarded(second, f"UPDATE records SET at = at + 1 WHERE sequence = {at}")  # noqa: S608 - our own
    with pytest.raises(BrokenChainError, match=f"record {at} is not what was written"):
        list(rows_across(files_of(days), 0))


def test_a_file_that_is_not_there_or_none_of_ours_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"), open_journal_file(tmp_path / "none"):
        pytest.fail("opened")
    (tmp_path / "x").write_bytes(b"no database at all" * 300)
    with pytest.raises(DamagedFileError, match="SQLite says"), open_journal_file(tmp_path / "x"):
        pytest.fail("opened")
