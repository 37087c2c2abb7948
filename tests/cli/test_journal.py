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


# --- a day handed over --------------------------------------------------------------------------------

DAY = "2026-01-05"


def test_a_key_is_made_once_and_its_public_half_printed(tmp_path: Path) -> None:
    made = run("journal", "key", BLACKJACK, "--storage", tmp_path)
    again = run("journal", "key", BLACKJACK, "--storage", tmp_path)
    assert "was made" in made.stderr
    assert "was there already" in again.stderr
    assert made.stdout == again.stdout
    assert len(bytes.fromhex(made.stdout.strip())) == 32
    told = json.loads(run("journal", "key", BLACKJACK, "--storage", tmp_path, "--json").stdout)
    assert told["public_key"] == made.stdout.strip()
    assert not told["made"]


def test_a_day_is_handed_over_and_accepted_elsewhere(storage: Path, tmp_path: Path) -> None:
    public = run("journal", "key", BLACKJACK, "--storage", storage).stdout.strip()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    to = elsewhere / "day.jsonl"
    written = run("journal", "export", BLACKJACK, "--storage", storage, "--day", DAY, "--to", to)
    assert (written.exit_code, written.output) == (0, f"{to}\n")
    assert (
        run("journal", "export", BLACKJACK, "--storage", storage, "--day", DAY).stdout.splitlines()[1:-1]
        == (to.read_text().splitlines()[1:-1])
    )
    (elsewhere / "public").write_text(public + "\n")
    for key in (public, elsewhere / "public"):
        accepted = run("journal", "verify", to, "--public-key", key)
        assert accepted.exit_code == 0
        assert f"gaming day {DAY} of table bj-demo" in accepted.output
        assert "that was given" in accepted.output
    assert "only --public-key tells" in run("journal", "verify", to).output
    assert run("journal", "verify", to, "--public-key", "ab" * 32).exit_code == 1
    assert run("journal", "verify", to, "--public-key", "nonsense").exit_code == 2
    (elsewhere / "no text").write_bytes(b"\xff\xfe")
    with_no_text = run("journal", "verify", to, "--public-key", elsewhere / "no text")
    assert (with_no_text.exit_code, "which is not UTF-8" in with_no_text.stderr) == (2, True)
    unsigned = run("journal", "verify", storage / "bj-demo.journal", "--public-key", key)
    assert unsigned.exit_code == 2
    assert "nothing else is signed" in " ".join(unsigned.stderr.split())
    told = json.loads(run("journal", "verify", to, "--json").stdout)
    assert (told["sound"], told["head"]["day"], told["broken"]) == (True, DAY, None)


def test_the_first_broken_line_is_named_with_status_1(storage: Path, tmp_path: Path) -> None:
    run("journal", "key", BLACKJACK, "--storage", storage)
    to = tmp_path / "day"
    run("journal", "export", BLACKJACK, "--storage", storage, "--day", DAY, "--to", to)
    to.write_text(to.read_text().replace("card_drawn", "card_unread", 1))
    line = next(n for n, text in enumerate(to.read_text().splitlines(), start=1) if "card_unread" in text)
    broken = run("journal", "verify", to)
    assert broken.exit_code == 1
    assert f"{to}:{line}: record" in broken.stderr
    told = json.loads(run("journal", "verify", to, "--json").stdout)
    assert told["broken"]["line"] == line


def test_what_is_held_back_is_told(storage: Path, tmp_path: Path) -> None:
    run("journal", "key", BLACKJACK, "--storage", storage)
    to = tmp_path / "today.jsonl"
    run("journal", "export", BLACKJACK, "--storage", storage, "--day", "2026-01-06", "--to", to)
    told = run("journal", "verify", to).output
    assert "the day was not over" in told
    assert "held back: round" in told


def test_without_a_key_or_on_another_day_it_is_wrong_use(storage: Path, tmp_path: Path) -> None:
    without = run("journal", "export", BLACKJACK, "--storage", storage, "--day", DAY)
    assert without.exit_code == 2
    assert "table-bridge journal key" in without.stderr
    run("journal", "key", BLACKJACK, "--storage", storage)
    assert run("journal", "export", BLACKJACK, "--storage", storage, "--day", "1999-01-01").exit_code == 2
    assert run("journal", "verify", tmp_path / "none.jsonl").exit_code == 2
