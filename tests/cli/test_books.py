import asyncio
import json
from pathlib import Path

from bridge.domain.dealer_keys import DealerKey
from bridge.stores.sqlite_journal import SqliteJournal
from tests.cli.program import BLACKJACK, TABLES, run
from tests.table.tables import Play

RULES = TABLES / "blackjack.rules.toml"
LINE = {
    "cards": {"dealer": ["9d", "5c"], "1": ["Ks", "Qs"]},
    "wagers": {"1": {"blackjack": "unknown", "royal_match_progressive": 500}},
}


def test_finished_rounds_are_settled_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(json.dumps(LINE) + "\n" + json.dumps(LINE) + "\n")
    result = run("settle", file, "--submission", RULES)

    assert result.exit_code == 0
    assert [json.loads(line)["net"] for line in result.stdout.splitlines()] == [{"1": 29_500}] * 2


def test_a_bad_line_is_told_with_its_number_and_the_rest_is_settled(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text("{}\n" + json.dumps(LINE) + "\n")
    result = run("settle", file, "--submission", RULES)

    assert result.exit_code == 1
    assert f"{file}:1: cards" in result.stderr
    assert len(result.stdout.splitlines()) == 1


def test_figures_are_told_for_people_and_for_programs() -> None:
    people = run("house-advantage", "golden-talons", "--paytable", "A", "--hand", "player")
    assert "house advantage          0.026516745320" in people.output

    lines = run("house-advantage", "golden_talons", "--json").output.splitlines()
    assert len(lines) == 10
    assert set(json.loads(lines[0])) == {
        "wager",
        "paytable",
        "hand",
        "decks",
        "outcomes",
        "house_advantage",
        "decimal",
    }


def test_the_break_even_meter_is_told_with_the_progressive() -> None:
    told = run("house-advantage", "royal_match_progressive", "--players", "7").output.splitlines()[-1]
    assert told.startswith("  break even meter")
    assert told.endswith(", in wagers")


def test_a_choice_that_there_is_not_is_wrong_use() -> None:
    for option, value in (("--hand", "dealer's"), ("--ace", "middle")):
        result = run("house-advantage", "tie", option, value)
        assert result.exit_code == 2
        assert "is none of" in result.output


def test_a_round_is_told_from_the_journal(tmp_path: Path) -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    journal = tmp_path / "copy.journal"

    async def write() -> None:
        async with SqliteJournal.open(journal) as opened:
            await opened.append(play.events)

    asyncio.run(write())
    assert "Hand of 1" in run("round", 1, BLACKJACK, "--journal", journal).output
    assert "Round 2" in run("round", "last", BLACKJACK, "--journal", journal).output
    assert run("round", 7, BLACKJACK, "--journal", journal).exit_code == 2
    for none in ("first", "", "9" * 5_000, "9" * 20, "²", "\u0661"):
        assert run("round", none, BLACKJACK, "--journal", journal).exit_code == 2
