import asyncio
import json
from pathlib import Path

import pytest

from bridge.stores.journal_files import finished_files
from tests.cli.program import BLACKJACK, run
from tests.stores.days import days_of_play, unguarded, write

EVENTS = days_of_play(2, rounds_a_day=1)


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    asyncio.run(write(tmp_path / "bj-demo.journal", EVENTS))
    return tmp_path


def test_a_sound_journal_is_told_with_its_last_hash(storage: Path) -> None:
    by_table = run("journal", "verify", BLACKJACK, "--storage", storage)
    by_file = run("journal", "verify", storage / "bj-demo.journal", "--processes", "1")
    assert (by_table.exit_code, by_file.exit_code) == (0, 0)
    assert by_table.output == by_file.output
    assert f"{len(EVENTS)} records, records 1 to {len(EVENTS)}, the chain holds" in by_table.output
    (line,) = run("journal", "verify", BLACKJACK, "--storage", storage, "--json").output.splitlines()
    told = json.loads(line)
    assert (told["sound"], told["records"], told["first"], told["broken"]) == (True, len(EVENTS), 1, None)
    assert told["last_hash"] in by_table.output
    assert len(told["files"]) == 2


def test_a_broken_journal_is_told_with_status_1_and_its_first_broken_record(storage: Path) -> None:
    (finished,) = finished_files(storage / "bj-demo.journal")
    unguarded(finished, "UPDATE records SET at = at + 1 WHERE sequence >= 9")
    result = run("journal", "verify", BLACKJACK, "--storage", storage)
    assert result.exit_code == 1
    assert f"{finished}: record 9 is not what was written" in result.stderr
    assert "records 1 to 8, the chain holds" in result.stdout
    told = json.loads(run("journal", "verify", BLACKJACK, "--storage", storage, "--json").stdout)
    assert told["broken"]["sequence"] == 9
    assert told["broken"]["fault"] == "hash"
    assert told["last"] == 8


def test_what_is_no_journal_is_broken_and_what_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    journal = tmp_path / "bj.journal"
    journal.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    result = run("journal", "verify", journal)
    assert result.exit_code == 1
    assert str(journal) in result.stderr
    missing = run("journal", "verify", tmp_path / "none.journal")
    assert missing.exit_code == 2
    assert "check the path" in missing.stderr


def test_notes_are_told(storage: Path) -> None:
    (finished,) = finished_files(storage / "bj-demo.journal")
    finished.unlink()
    result = run("journal", "verify", BLACKJACK, "--storage", storage)
    assert result.exit_code == 0
    assert "what was before is in files that are not here" in result.output


def test_an_empty_journal_is_told(tmp_path: Path) -> None:
    asyncio.run(write(tmp_path / "bj.journal", []))
    assert "no records yet" in run("journal", "verify", tmp_path / "bj.journal").output
