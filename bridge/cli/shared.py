"""What several commands take, and how they run."""

import re
from collections.abc import Coroutine
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from bridge.config import BrokerConfig, TableConfig

NO, WRONG_USE = 1, 2
_PORT: Final = re.compile(r"[1-9]\d{0,4}", re.ASCII)
_PORT_MAX: Final = 65_535
_THIS_MACHINE: Final = ("localhost", "127.0.0.1", "::1")
_LOG_LEVELS: Final = ("debug", "info", "warning", "error")

TableFile = Annotated[Path, typer.Argument(metavar="TABLE.toml", help="The table's configuration.")]
PortOption = Annotated[
    list[str] | None,
    typer.Option("--port", metavar="LINE=URL", help="Use another port for a line; may be repeated."),
]
BrokerOption = Annotated[str | None, typer.Option("--broker", metavar="HOST:PORT", help="Use another broker.")]
StorageOption = Annotated[Path | None, typer.Option("--storage", help="Keep journal and meters elsewhere.")]
LogOption = Annotated[str, typer.Option("--log", help="debug, info, warning or error.")]
StdinOption = Annotated[
    bool,
    typer.Option(
        "--until-stdin-closes", help="Stop when standard input is closed, as it is when whoever started this dies."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print for programs: one object a line.")]


def table_config(
    file: Path, ports: list[str] | None = None, broker: str | None = None, storage: Path | None = None
) -> "TableConfig":
    """Return a table's configuration with what the command line says instead."""
    from bridge.config import load_table

    config = load_table(file)
    if ports:
        pairs = [port.partition("=") for port in ports]
        config = config.with_ports({line: url for line, _, url in pairs})
    if broker is not None:
        host, _, port = broker.rpartition(":")
        if not host or not _PORT.fullmatch(port) or int(port) > _PORT_MAX:
            raise typer.BadParameter(f"{broker!r} is not a broker; write host:port", param_hint="--broker")
        config = replace(config, broker=replace(config.broker, host=host, port=int(port)))
    return config if storage is None else replace(config, storage=storage)


def playing_config(file: Path, ports: list[str] | None, broker: str | None, storage: Path | None) -> "TableConfig":
    """Return the configuration of a process that keeps records, or publishes what others keep.

    Refuse one in which a capture is played into the real table's: its rounds were played once.
    """
    from bridge.config import load_table
    from bridge.transports.addresses import ReplayFile

    config = table_config(file, ports, broker, storage)
    if any(isinstance(line.address, ReplayFile) for line in config.lines):
        own = load_table(file)
        if config.storage.resolve() == own.storage.resolve():
            raise typer.BadParameter(
                f"a capture would be played into the records of the table, in {own.storage}; "
                "give it a folder of its own, as in --storage trial",
                param_hint="--storage",
            )
        if _where(config.broker) == _where(own.broker):
            raise typer.BadParameter(
                f"a capture would be published at the table's broker {own.broker.host}:{own.broker.port}, to "
                "whoever keeps its meters; give it a broker of its own, as in --broker 127.0.0.1:1884",
                param_hint="--broker",
            )
    return config


def _where(broker: "BrokerConfig") -> tuple[str, int]:
    return ("localhost" if broker.host in _THIS_MACHINE else broker.host, broker.port)


def run(work: Coroutine[object, object, None], log: str, *, until_stdin_closes: bool = False) -> None:
    """Run work until it ends or is told to stop, with its log on standard error."""
    import asyncio

    with closing(work):  # which has not begun where it is interrupted before
        from bridge.service import log_to_stderr, until_told_to_stop

        if log.lower() not in _LOG_LEVELS:
            raise typer.BadParameter(f"{log!r} is none of {', '.join(_LOG_LEVELS)}", param_hint="--log")
        log_to_stderr(log)
        asyncio.run(until_told_to_stop(work, until_stdin_closes=until_stdin_closes))
