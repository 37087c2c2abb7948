import json
import os
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge.config import load_table
from bridge.demo.play import (
    DemoOptions,
    NobodyToConfirmError,
    NoSuchScenarioError,
    NoSuchTableError,
    _baccarat_scripts as baccarat_scripts,
    _floorperson as floorperson,
    _scripts as scripts,
    _summary as summary,
    run,
    scenario_file,
    table_for,
)
from bridge.demo.totals import Totals
from bridge.domain.cards import Card
from bridge.domain.identity import PersonId
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Game
from simulators.scenario import ScenarioError
from tests.demo.moments import two_crown_treasures
from tests.processes.table import DEMONSTRATION, scenario
from tests.processes.watch import processes_about


def options(**changed: object) -> DemoOptions:
    given: dict[str, object] = {
        "rounds": None,
        "seed": 1,
        "speed": 1000,
        "scenario": None,
        "json": True,
        "keep": None,
    }
    return DemoOptions(**(given | changed))  # type: ignore[arg-type]


def test_a_scenario_is_a_file_or_the_name_of_a_shipped_one(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.touch()

    assert scenario_file(str(own)) == own
    assert scenario_file("lost").name == "lost.toml"
    with pytest.raises(NoSuchScenarioError, match=r"no file lots, .* there are .*lost"):
        scenario_file("lots")


def test_a_scenario_ends_by_itself_and_random_rounds_when_enough_are_played() -> None:
    config = load_table(DEMONSTRATION)

    assert tuple(scripts(options(scenario=scenario_file("crown_treasure")), config)) == scenario("crown_treasure")
    assert len(list(scripts(options(scenario=scenario_file("crown_treasure"), rounds=1), config))) == 1
    assert list(scripts(options(rounds=5, seed=7), config)) == list(scripts(options(rounds=5, seed=7), config))
    assert list(scripts(options(rounds=5, seed=8), config)) != list(scripts(options(rounds=5, seed=7), config))


def test_a_scenario_for_another_layout_is_refused(tmp_path: Path) -> None:
    wide = tmp_path / "wide.toml"
    wide.write_text(scenario_file("lost").read_text().replace("[1", "[9").replace("1 =", "9 ="))

    with pytest.raises(ScenarioError):
        tuple(scripts(options(scenario=wide), load_table(DEMONSTRATION)))


def test_each_game_has_its_table_and_ez_is_played_at_minibaccarat() -> None:
    assert [table_for(game, ez=False) for game in Game] == ["blackjack", "baccarat", "minibaccarat"]
    assert table_for(Game.MINIBACCARAT, ez=True) == "minibaccarat_ez"
    assert table_for(Game.BLACKJACK, usb=True) == "blackjack_usb"
    assert scenario_file("lost", "blackjack_usb") == scenario_file("lost")
    with pytest.raises(NoSuchTableError, match="leave --usb out"):
        table_for(Game.BACCARAT, usb=True)
    with pytest.raises(NoSuchTableError, match="no EZ table of baccarat is shipped; leave --ez out"):
        table_for(Game.BACCARAT, ez=True)


def test_scenarios_are_those_of_the_table() -> None:
    config = load_table(DEMONSTRATION.parent / "minibaccarat_ez.toml")
    dragon = scenario_file("dragon_7", "minibaccarat_ez")

    assert [round_.player for round_ in baccarat_scripts(options(scenario=dragon), config)] == [
        tuple(Card.parse(card) for card in ("Ks", "Kd", "Tc"))
    ]
    seven = [list(baccarat_scripts(options(rounds=3, seed=7), config)) for _ in range(2)]
    assert seven[0] == seven[1] != list(baccarat_scripts(options(rounds=3, seed=8), config))
    with pytest.raises(NoSuchScenarioError, match="no shipped scenario of baccarat of that name; there are"):
        scenario_file("dragon_7", "baccarat")
    with pytest.raises(ScenarioError, match="the table offers"):
        tuple(baccarat_scripts(options(scenario=dragon), load_table(DEMONSTRATION.parent / "minibaccarat.toml")))


def test_somebody_has_to_confirm_payouts() -> None:
    config = load_table(DEMONSTRATION)
    assert floorperson(config) == PersonId("floor-1")

    alone = replace(config, setup=replace(config.setup, people=((PersonId("dealer-1"), PersonRole.DEALER),)))
    with pytest.raises(NobodyToConfirmError, match=r"add one under \[\[people\]\]"):
        floorperson(alone)


async def test_the_summary_adds_up_in_words() -> None:
    totals = Totals()
    totals.rounds = 3
    totals.outcomes["crown_treasure"] = 2
    totals.awards = Cents(50_003_00)
    console = Console(file=StringIO(), record=True, width=80)

    console.print(summary(totals, await two_crown_treasures(), "Royal Match progressive"))
    text = console.export_text()

    for words in ("Rounds of play", "Crown Treasure", "50,003.00", "Meter royal-match-demo", "Irregularities"):
        assert words in text
    totals.irregularities["late_wager"] = 1
    totals.outcomes["hand_lost"] = 1
    console.print(summary(totals, await two_crown_treasures(), "Royal Match progressive"))
    text = console.export_text()
    assert "Late wager" in text
    assert "Hand lost" in text


async def test_a_whole_demonstration_of_ez_baccarat_plays_and_prints_its_settlement(tmp_path: Path) -> None:
    out = StringIO()
    dragon = scenario_file("dragon_7", "minibaccarat_ez")

    await run(
        options(table="minibaccarat_ez", scenario=dragon, keep=tmp_path),
        Console(file=out, width=60),
        Console(file=StringIO()),
    )

    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    settled = [one for one in printed if one["kind"] == "settlement"][-1]
    assert settled["announcements"][-1]["ez"] == "dragon_7"
    lit = {one["position"] for one in printed if one["kind"] == "lamp" and one["state"] == "on"}
    assert lit == {2, 3}
    assert printed[-1]["outcomes"]["dragon_7"] == 3
    assert (printed[-1]["irregularities"], printed[-1]["vigorish_cents"]) == ({}, 0)


async def test_where_there_is_no_live_view_a_demonstration_tells_its_rounds_in_lines(tmp_path: Path) -> None:
    out, aside = StringIO(), StringIO()
    in_words = options(scenario=scenario_file("straight_flush"), keep=tmp_path, json=False, dashboard_port=0)
    dumb = Console(file=out, width=60, force_terminal=True, _environ={"TERM": "dumb"})

    await run(in_words, dumb, Console(file=aside, width=60))

    assert re.search(r"^Round \d+: .*Straight flush 1", out.getvalue(), re.MULTILINE)
    assert "Rounds of play" in out.getvalue()
    setting_up, address = aside.getvalue().splitlines()
    assert setting_up.startswith("setting up the table")
    assert re.fullmatch(r"dashboard at http://127\.0\.0\.1:\d+/tables/bj-demo", address)


async def test_a_whole_demonstration_for_programs_plays_prints_and_leaves_nothing_running(tmp_path: Path) -> None:
    out, aside = StringIO(), StringIO()
    with_dashboard = options(scenario=scenario_file("royal_match_at_once"), keep=tmp_path, dashboard_port=0)

    await run(with_dashboard, Console(file=out, width=60), Console(file=aside, width=60))

    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    assert {one["kind"] for one in printed} == {"lamp", "settlement", "totals"}
    assert printed[-1]["kind"] == "totals"
    assert printed[-1]["outcomes"]["royal_match"] == 1
    assert re.fullmatch(r"dashboard at http://127\.0\.0\.1:\d+/tables/bj-demo\n", aside.getvalue())
    assert {entry.name for entry in os.scandir(tmp_path)} == {
        *("daemon.log", "rules-worker.log", "dashboard.log", "ports", "var"),
        *("blackjack.toml", "blackjack.rules.toml", "people.toml", "secrets"),
    }
    assert processes_about(tmp_path) == []
