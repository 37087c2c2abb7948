import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bridge.domain.identity import Sequence
from bridge.stores import journal_condition, journal_sql
from bridge.stores.chain import BrokenChainError
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.snapshots import Snapshot
from bridge.stores.write_ahead_log import LogCondition
from tests.stores.days import days_of_play, lay_out, rewrite_snapshot, unguarded

NO_LOG = LogCondition(size=0, header_sound=False, commits_hidden=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "bj.journal", 2, rounds_a_day=1)


def examine(path: Path, log: LogCondition = NO_LOG) -> journal_condition.Examined:
    with closing(sqlite3.connect(path)) as connection:
        return journal_condition.examine(connection, log, path)


def test_a_sound_file_is_followed_from_what_it_stands_on_to_its_end(path: Path) -> None:
    examined = examine(path)
    assert examined.head.before.sequence > 0
    assert examined.end.sequence == len(days_of_play(2, rounds_a_day=1))
    assert not examined.interrupted


def test_the_first_broken_record_is_named(path: Path) -> None:
    first = examine(path).head.first
    unguarded(path, f"UPDATE records SET at = 5 WHERE sequence >= {first + 3}")  # noqa: S608 - our own
    with pytest.raises(BrokenChainError, match=f"record {first + 3} is not what was written"):
        examine(path)


@pytest.mark.parametrize(
    ("incomplete", "log", "message"),
    [
        (0, NO_LOG, None),
        (0, LogCondition(size=99, header_sound=False, commits_hidden=0), None),
        (0, LogCondition(size=99, header_sound=True, commits_hidden=1), None),
        (1, NO_LOG, "write-ahead log bj.journal-wal, which is gone"),
        (1, LogCondition(size=99, header_sound=False, commits_hidden=0), "which does not check"),
        (0, LogCondition(size=99, header_sound=True, commits_hidden=2), "2 commits of its write-ahead log"),
    ],
)
def test_a_log_may_lack_one_commit_and_no_more(
    path: Path, incomplete: int, log: LogCondition, message: str | None
) -> None:
    unguarded(path, f"UPDATE about SET incomplete = {incomplete}")  # noqa: S608 - our own
    if message is None:
        assert examine(path, log).interrupted is (log.commits_hidden == 1)
        return
    with pytest.raises(DamagedFileError, match=message):
        examine(path, log)


def kept(path: Path) -> list[Snapshot]:
    with closing(sqlite3.connect(path)) as connection:
        return list(journal_sql.snapshots_down_from(connection))[::-1]


def test_a_file_that_ends_before_a_record_whose_fold_was_kept_was_shortened(path: Path) -> None:
    rewrite_snapshot(path, kept(path)[0].sequence, lambda one: replace(one, sequence=Sequence(5000)))
    with pytest.raises(BrokenChainError, match="is missing: the state was kept after record 5000"):
        examine(path)


@pytest.mark.parametrize("change", [{"sequence": Sequence(3)}, {"hash": bytes(32)}])
def test_a_file_that_stands_on_another_record_than_the_state_it_begins_with_is_found(
    path: Path, change: dict[str, Any]
) -> None:
    rewrite_snapshot(path, kept(path)[0].sequence, lambda one: replace(one, **change))
    with pytest.raises(BrokenChainError, match="does not stand on record"):
        examine(path)


def test_a_long_file_is_looked_at_from_its_newest_snapshot_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = examine(path)
    assert whole.looked_at_from == whole.head.first
    monkeypatch.setattr(journal_condition, "LONG_FILE_RECORDS", 5)
    newest = kept(path)[-1].sequence
    assert (examine(path).looked_at_from, examine(path).end) == (newest + 1, whole.end)
    unguarded(path, "DELETE FROM snapshots")
    assert examine(path).looked_at_from == whole.head.first


def test_a_kept_state_whose_digest_does_not_hold_tells_nothing(path: Path) -> None:
    unguarded(path, "UPDATE snapshots SET sequence = 5000")
    assert examine(path).end.sequence < 5000
