import json
from pathlib import Path

import pytest

from bridge.dashboard.documents import Archive
from bridge.rulebook import load_submission
from tests.cli.program import BLACKJACK, PROFILES, TABLES, run


def test_a_table_in_order_is_told_so() -> None:
    result = run("config", "check", BLACKJACK)

    assert (result.exit_code, result.output.strip()) == (0, f"{BLACKJACK}: table bj-demo is in order")


def test_a_port_in_the_order_of_plugging_is_advised_against(table_file: Path) -> None:
    text = table_file.read_text()
    table_file.write_text(text.replace(text.split('port = "')[1].partition('"')[0], "/dev/ttyUSB0"))
    result = run("config", "check", table_file)

    assert result.exit_code == 0
    assert result.stderr.startswith(f"{table_file}: line rs485: /dev/ttyUSB0 is named in the order of plugging")
    assert result.stdout == f"{table_file}: table bj-demo is in order\n"


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
    (fault,) = (line for line in result.stderr.splitlines() if "broker.prt" in line)
    line = next(number for number, line in enumerate(text.splitlines(), start=1) if "prt = 1" in line)
    assert fault.startswith(f"{file}:{line}: ")


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = run("config", "check", tmp_path / "none.toml")

    assert result.exit_code == 2
    assert "none.toml" in result.stderr


def test_the_schema_of_a_table_is_json() -> None:
    assert json.loads(run("config", "schema").output)["type"] == "object"


@pytest.mark.parametrize("command", ["daemon", "rules-worker"])
def test_a_wrong_configuration_is_refused_with_all_its_faults(table_file: Path, command: str) -> None:
    text = table_file.read_text().replace('role = "lock_out_button"', 'role = "lock_out_buton"')
    table_file.write_text(text.replace("address = 2", "address = 1"))
    result = run(command, table_file)

    assert result.exit_code == 2
    for words in (str(table_file), "lock_out_buton", "lock_out_button", "address"):
        assert words in result.stderr
    assert not (table_file.parent / "var").exists()


def test_a_wrong_profile_is_refused_with_file_and_key(table_file: Path) -> None:
    profile = table_file.parent / "own_reader.yaml"
    profile.write_text((PROFILES / "hid_pos_reader.yaml").read_text().replace("baud:", "bauds:"))
    table_file.write_text(table_file.read_text().replace('"hid_pos_reader"', '"own_reader.yaml"'))
    result = run("daemon", table_file)

    assert result.exit_code == 2
    assert "own_reader.yaml" in result.stderr
    assert "bauds" in result.stderr


def test_a_profile_that_nobody_has_is_refused_with_the_nearest_name(table_file: Path) -> None:
    table_file.write_text(table_file.read_text().replace('"hid_pos_reader"', '"hid_pos_raeder"'))
    result = run("daemon", table_file)

    assert result.exit_code == 2
    assert "did you mean 'hid_pos_reader'" in result.stderr


@pytest.mark.parametrize("command", ["daemon", "rules-worker"])
@pytest.mark.parametrize(
    "broker", ["nowhere", ":1883", "host:0", "host:65536", "host:" + "9" * 5_000, "host:\u0661"]
)
def test_a_process_does_not_start_with_a_wrong_broker(command: str, broker: str) -> None:
    result = run(command, BLACKJACK, "--broker", broker)

    assert result.exit_code == 2
    assert "host:port" in result.output


def test_a_log_of_no_known_kind_is_told_with_those_there_are(tmp_path: Path) -> None:
    result = run("daemon", BLACKJACK, "--log", "loud", "--storage", tmp_path)

    assert result.exit_code == 2
    assert "debug, info, warning, error" in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["..", "a" * 64])
def test_a_host_that_no_machine_can_be_called_is_told(host: str) -> None:
    result = run("dashboard", BLACKJACK, "--public", "--port", 0, "--host", host)

    assert result.exit_code == 2
    assert f"no pages at {host}:0: that cannot be the name of a machine" in result.stderr


def test_a_scenario_that_is_not_there_is_told_with_those_that_are() -> None:
    result = run("demo", "--scenario", "royal_flush")

    assert result.exit_code == 2
    assert "crown_treasure" in result.stderr


def test_a_dashboard_is_told_where_the_files_of_its_tables_lie(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Archive | None] = []

    async def serve(*_: object, archive: Archive | None, **__: object) -> None:
        served.append(archive)

    monkeypatch.setattr("bridge.dashboard.serve.run", serve)
    rules = TABLES / "blackjack.rules.toml"
    assert run("dashboard", own, "--storage", tmp_path, "--submission", rules).exit_code == 0
    assert run("dashboard", own).exit_code == 0

    told, nothing = served
    assert nothing is None
    assert told == Archive(storage=tmp_path, former=(load_submission(rules, deal_order=None),))
    missing = run("dashboard", own, "--storage", tmp_path, "--submission", tmp_path / "none.toml")
    assert (missing.exit_code, "none.toml" in missing.stderr) == (2, True)


def test_a_dashboard_that_nobody_could_sign_in_to_says_what_to_do() -> None:
    result = run("dashboard", BLACKJACK, "--port", 0)

    assert result.exit_code == 2
    assert "set one with table-bridge people set-credential TABLE.toml PERSON, or give --public" in result.stderr


def test_a_dashboard_asks_for_no_secret_where_others_can_listen(own: Path) -> None:
    result = run("dashboard", own, "--host", "0.0.0.0", "--port", 0)  # noqa: S104 - what is refused

    assert result.exit_code == 2
    assert (
        "nobody may sign in at 0.0.0.0, because others can listen; give --certificate and --key" in result.stderr
    )


def test_a_history_that_is_damaged_is_set_aside_before_anything_is_served(tmp_path: Path) -> None:
    history = tmp_path / "history.sqlite"
    history.write_text("SQLite format 3\0, and nothing of it" * 300)
    result = run("dashboard", BLACKJACK, "--public", "--port", 0, "--history", history)

    assert result.exit_code == 2
    assert f"the history {history} is damaged" in result.stderr
    assert "Start again, and a new one begins" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] != ["history.sqlite"]


@pytest.mark.parametrize("days", [0, 3651])
def test_a_history_is_kept_for_a_day_at_least_and_not_for_ever(days: int) -> None:
    result = run("dashboard", BLACKJACK, "--public", "--port", 0, "--history-days", days)

    assert result.exit_code == 2
    assert "--history-days" in result.stderr
