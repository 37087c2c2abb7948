import json
from pathlib import Path

import pytest

from tests.cli.program import BLACKJACK, TABLES, run


def test_a_table_in_order_is_told_so() -> None:
    result = run("config", "check", BLACKJACK)

    assert (result.exit_code, result.output.strip()) == (0, f"{BLACKJACK}: table bj-demo is in order")


def test_every_fault_of_a_table_is_told_with_status_2(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = (
        BLACKJACK.read_text()
        .replace('profile = "modbus_io8"', 'profile = "modbus_io9"')
        .replace("port = 1883", "prt = 1")
    )
    file.write_text(text)
    (tmp_path / "blackjack.rules.toml").write_text((TABLES / "blackjack.rules.toml").read_text())
    result = run("config", "check", file)

    assert result.exit_code == 2
    assert result.stderr.count("did you mean 'modbus_io8'") == 4
    assert "broker.prt" in result.stderr


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = run("config", "check", tmp_path / "none.toml")

    assert result.exit_code == 2
    assert "none.toml" in result.stderr


def test_the_schema_of_a_table_is_json() -> None:
    assert json.loads(run("config", "schema").output)["type"] == "object"


@pytest.mark.parametrize("command", ["daemon", "rules-worker"])
def test_a_process_does_not_start_with_a_wrong_broker(command: str) -> None:
    result = run(command, BLACKJACK, "--broker", "nowhere")

    assert result.exit_code == 2
    assert "host:port" in result.output


def test_a_scenario_that_is_not_there_is_told_with_those_that_are() -> None:
    result = run("demo", "--scenario", "royal_flush")

    assert result.exit_code == 2
    assert "crown_treasure" in result.stderr
