import inspect
from pathlib import Path

import pytest
import typer

from bridge.cli.shared import playing_config, run as run_work, table_config
from bridge.config import UnknownLineError
from tests.cli.program import BLACKJACK, run


def test_the_command_line_replaces_ports_broker_and_storage(tmp_path_factory: pytest.TempPathFactory) -> None:
    storage = tmp_path_factory.mktemp("var")
    config = table_config(BLACKJACK, ["rs485=/dev/x", "reader=socket://h:1"], "broker.example:8883", storage)

    assert {line.name: line.url for line in config.lines} == {"rs485": "/dev/x", "reader": "socket://h:1"}
    assert (config.broker.host, config.broker.port) == ("broker.example", 8883)
    assert config.storage == storage


def test_without_options_the_file_holds() -> None:
    assert table_config(BLACKJACK).broker.port == 1883


@pytest.mark.parametrize("broker", ["localhost", ":1883", "host:", "host:mqtt"])
def test_a_broker_that_is_none_is_told_how_to_be_written(broker: str) -> None:
    with pytest.raises(typer.BadParameter, match="write host:port"):
        table_config(BLACKJACK, broker=broker)


def test_a_port_for_a_line_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(UnknownLineError, match="did you mean 'reader'"):
        table_config(BLACKJACK, ["readr=/dev/x"])


def test_a_capture_is_played_into_a_storage_and_at_a_broker_of_its_own(table_file: Path, tmp_path: Path) -> None:
    own = table_config(table_file)
    played, broker, trial = ["rs485=replay:rs485.capture"], "127.0.0.1:1884", tmp_path / "trial"

    assert playing_config(table_file, played, broker, trial).storage == trial
    assert playing_config(table_file, None, None, None) == own
    real = own.storage
    (tmp_path / "link").symlink_to(real)
    for storage in (None, real, real / ".." / real.name, tmp_path / "link"):
        with pytest.raises(typer.BadParameter, match="a folder of its own, as in --storage trial"):
            playing_config(table_file, played, broker, storage)
    for same in (None, "localhost:1883", "127.0.0.1:1883", "::1:1883"):
        with pytest.raises(typer.BadParameter, match="a broker of its own, as in --broker"):
            playing_config(table_file, played, same, trial)


def test_a_capture_that_the_tables_own_file_names_is_played_as_little_into_its_records(table_file: Path) -> None:
    text = table_file.read_text()
    table_file.write_text(text.replace(text.split('port = "')[1].partition('"')[0], "replay:rs485.capture"))

    with pytest.raises(typer.BadParameter, match="a folder of its own"):
        playing_config(table_file, None, "127.0.0.1:1884", None)


@pytest.mark.parametrize("command", ["daemon", "rules-worker"])
def test_no_process_plays_a_capture_into_the_real_table(table_file: Path, command: str) -> None:
    refused = run(command, table_file, "--port", "rs485=replay:rs485.capture")

    assert refused.exit_code == 2
    assert "a folder of its own" in " ".join(refused.stderr.replace("│", " ").split())
    assert not table_config(table_file).storage.exists()


def test_work_that_is_interrupted_before_it_begins_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing() -> None:
        pass

    def interrupt(_level: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bridge.service.log_to_stderr", interrupt)
    work = nothing()
    with pytest.raises(KeyboardInterrupt):
        run_work(work, "info")
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED
