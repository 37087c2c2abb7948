import pytest
import typer

from bridge.cli.shared import table_config
from bridge.config import UnknownLineError
from tests.cli.program import BLACKJACK


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
