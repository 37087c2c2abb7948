import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.stores import journal_sql
from bridge.stores.fold import table_fold
from bridge.stores.fold_starts import starts
from bridge.stores.journal import JournalError
from bridge.stores.journal_files import finished_files
from bridge.table.state import TableState
from tests.stores.days import days_of_play, folded, forge, lay_out, rewrite_snapshot, unguarded
from tests.stores.test_sqlite_journal import fill

EVENTS = days_of_play(3, rounds_a_day=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "bj.journal", 3, rounds_a_day=1)


def afters(path: Path) -> list[int]:
    return [start.after for start in starts(path, table_fold())]


def test_the_past_can_be_folded_from_every_kept_state_and_from_the_beginning(path: Path) -> None:
    found = list(starts(path, table_fold()))
    assert [start.after for start in found] == sorted(afters(path), reverse=True)
    assert found[-1].after == 0
    for start in found:
        state: TableState | None = start.state
        assert state is None or state == folded(EVENTS[: start.after])
        assert [record.event for record in start.records()] == EVENTS[start.after :]


def test_without_the_oldest_file_it_begins_with_the_state_that_the_next_was_begun_with(path: Path) -> None:
    first, second = finished_files(path)
    first.unlink()
    oldest = list(starts(path, table_fold()))[-1]
    assert oldest.files[0] == second
    assert oldest.after > 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshots SET body = CAST(body || ' ' AS BLOB)",
        "UPDATE snapshots SET hash = zeroblob(32)",
        "UPDATE snapshots SET code = zeroblob(32)",
    ],
)
def test_kept_states_that_do_not_hold_are_passed_over(path: Path, statement: str) -> None:
    for file in (*finished_files(path), path):
        unguarded(file, statement)
    assert afters(path) == [0]


def test_after_an_update_the_past_begins_with_the_oldest_file_that_is_here(path: Path) -> None:
    first, second = finished_files(path)
    first.unlink()
    for file in (second, path):
        unguarded(file)
        with closing(sqlite3.connect(file)) as connection:
            kept = [one.sequence for one in journal_sql.snapshots_down_from(connection)]
        for sequence in kept:
            rewrite_snapshot(file, sequence, lambda one: replace(one, code=bytes(32)))
    (only,) = starts(path, table_fold())
    assert only.files[0] == second
    assert only.state == folded(EVENTS[: only.after])


def test_damage_is_told_with_the_file_and_the_record(path: Path) -> None:
    unguarded(path, f"UPDATE records SET at = at + 1 WHERE sequence = {len(EVENTS)}")  # noqa: S608 - our own
    newest = next(starts(path, table_fold()))
    with pytest.raises(JournalError, match=f"the journal {path} is damaged: record {len(EVENTS)} is not"):
        list(newest.records())
    path.write_bytes(b"no database at all" * 300)
    with pytest.raises(JournalError, match="SQLite says"):
        next(starts(path, table_fold()))


def test_a_record_that_no_contract_knows_is_named(tmp_path: Path) -> None:
    asyncio.run(fill(tmp_path / "x.journal", 3))
    forge(tmp_path / "x.journal", "UPDATE records SET body = x'7b7d' WHERE sequence = 2")
    with pytest.raises(JournalError, match=r"record 2 of the journal .*run that release or a later one"):
        list(next(starts(tmp_path / "x.journal", table_fold())).records())
