"""The command ``table-bridge``. Exit status: 0 done, 1 the answer is no, 2 wrong use or configuration.

Each command imports what it needs when it runs, so that a daemon does not carry a demonstration.
"""

import asyncio
import json
import sys
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge import __version__
from bridge.domain.errors import BridgeError

if TYPE_CHECKING:
    from bridge.config import TableConfig

_NO, _WRONG_USE = 1, 2

app = typer.Typer(
    help="Reads the devices of a casino table, publishes the round of play over MQTT, and settles it exactly.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
config_app = typer.Typer(help="Check a table's configuration, or describe its form.", no_args_is_help=True)
profile_app = typer.Typer(help="Device models: list them, check one, decode bytes with one.", no_args_is_help=True)
journal_app = typer.Typer(help="The sealed journal of a table.", no_args_is_help=True)
confirm_app = typer.Typer(help="Confirm something about the round on a table, as a person.", no_args_is_help=True)
app.add_typer(config_app, name="config")
app.add_typer(profile_app, name="profile")
app.add_typer(journal_app, name="journal")
app.add_typer(confirm_app, name="confirm")

TableFile = Annotated[Path, typer.Argument(metavar="TABLE.toml", help="The table's configuration.")]
PortOption = Annotated[
    list[str] | None,
    typer.Option("--port", metavar="LINE=URL", help="Use another port for a line; may be repeated."),
]
BrokerOption = Annotated[str | None, typer.Option("--broker", metavar="HOST:PORT", help="Use another broker.")]
StorageOption = Annotated[Path | None, typer.Option("--storage", help="Keep journal and meters elsewhere.")]
LogOption = Annotated[str, typer.Option("--log", help="debug, info, warning or error.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print for programs: one object a line.")]


def main() -> None:
    """Run the command; an error made on purpose becomes its message and an exit status."""
    try:
        app()
    except BridgeError as error:
        typer.echo(str(error), err=True)
        sys.exit(_WRONG_USE)


def _version(wanted: bool) -> None:  # noqa: FBT001 - the signature of an option's callback
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def demo(
    *,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds to play; else until interrupted.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed plays the same rounds.")] = 1,
    speed: Annotated[float, typer.Option(min=0.1, help="Divides the pauses of the simulated people.")] = 1,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Play a scripted scenario: a file, or the name of a shipped one."),
    ] = None,
    keep: Annotated[Path | None, typer.Option(help="Keep journal, meters and logs in this directory.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a whole blackjack table on this machine: devices simulated, everything else real."""
    from rich.console import Console

    from bridge.demo.play import DemoOptions, run, scenario_file

    options = DemoOptions(
        rounds=rounds,
        seed=seed,
        speed=speed,
        scenario=None if scenario is None else scenario_file(scenario),
        json=as_json,
        keep=keep,
    )
    log_level = "error"
    _run(run(options, Console()), log_level)


@app.command()
def daemon(
    table: TableFile,
    port: PortOption = None,
    broker: BrokerOption = None,
    storage: StorageOption = None,
    log: LogOption = "info",
) -> None:
    """Run the daemon of a table: its devices, its journal, and the round of play over MQTT."""
    from bridge import daemon as module

    _run(module.run(_table(table, port, broker, storage)), log)


@app.command()
def rules_worker(
    table: TableFile,
    port: PortOption = None,
    broker: BrokerOption = None,
    storage: StorageOption = None,
    log: LogOption = "info",
) -> None:
    """Run the rules worker of a table: it settles rounds, keeps the meters and lights the win lamps."""
    from bridge import rules_worker as module

    _run(module.run(_table(table, port, broker, storage)), log)


@app.command()
def broker(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on the loopback; 0 takes a free one.")] = 1883,
    log: LogOption = "info",
) -> None:
    """Run a small MQTT broker on the loopback, for one table or for trying things out."""
    from bridge.bus.embedded import EmbeddedBroker

    async def serve() -> None:
        async with EmbeddedBroker(port) as running:
            typer.echo(f"listening on {running.host}:{running.port}")
            await asyncio.Event().wait()

    _run(serve(), log)


@config_app.command("check")
def config_check(table: TableFile) -> None:
    """Tell every fault of a table's configuration in one go, with file, line and key."""
    config = _table(table, None, None, None)
    typer.echo(f"{table}: table {config.setup.table} is in order")


@config_app.command("schema")
def config_schema() -> None:
    """Print the JSON Schema of a table's configuration, for editors."""
    from bridge import config

    typer.echo(json.dumps(config.config_schema(), indent=2))


@profile_app.command("list")
def profile_list(*, as_json: JsonOption = False) -> None:
    """List the device models that are installed."""
    from bridge.profiles.load import installed_profiles, load_installed

    for name in sorted(installed_profiles()):
        spec = load_installed(name)
        if as_json:
            typer.echo(json.dumps({"profile": name, "title": spec.title, "protocol": spec.protocol}))
        else:
            typer.echo(f"{name:<20} {spec.protocol:<12} {spec.title}")


@profile_app.command("check")
def profile_check(file: Annotated[Path, typer.Argument(help="A device profile, YAML.")]) -> None:
    """Tell every fault of a device profile, and prove its example frames."""
    from bridge.profiles.load import load_profile

    spec = load_profile(file)
    typer.echo(f"{file}: {spec.profile} is in order, {len(spec.examples)} example frames decode as it says")


@profile_app.command("decode")
def profile_decode(
    profile: Annotated[str, typer.Argument(help="Name of an installed profile.")],
    frame: Annotated[str, typer.Argument(metavar="HEX", help='The bytes of one frame: "01 02 01 20 A0 50".')],
    *,
    as_json: JsonOption = False,
) -> None:
    """Say what the bytes of one frame mean to a device model."""
    from bridge.profiles.load import load_installed
    from bridge.wire.errors import FrameError
    from bridge.wire.protocols import PROTOCOLS

    spec = load_installed(profile)
    try:
        data = bytes.fromhex(frame)
    except ValueError:
        raise typer.BadParameter(
            f"{frame!r} is not hexadecimal; write two digits a byte", param_hint="HEX"
        ) from None
    try:
        means = PROTOCOLS[spec.protocol].explain(data, spec)
    except FrameError as error:
        typer.echo(json.dumps({"fault": error.reason, "bytes": data.hex(" ").upper()}) if as_json else str(error))
        raise typer.Exit(_NO) from None
    typer.echo(json.dumps({"means": means}) if as_json else means)


@journal_app.command("verify")
def journal_verify(file: Annotated[Path, typer.Argument(help="A journal, TABLE.journal.")]) -> None:
    """Check the chain of a journal, record by record; it stays as it is."""
    from bridge.stores.journal_check import BrokenJournal, verify

    match verify(file):
        case BrokenJournal() as broken:
            typer.echo(str(broken), err=True)
            raise typer.Exit(_NO)
        case sound:
            typer.echo(f"{file}: {sound.records} records, the chain holds")


def _table(file: Path, ports: list[str] | None, broker: str | None, storage: Path | None) -> "TableConfig":
    """Return a table's configuration with what the command line says instead."""
    from bridge.config import load_table

    config = load_table(file)
    if ports:
        pairs = [port.partition("=") for port in ports]
        config = config.with_ports({line: url for line, _, url in pairs})
    if broker is not None:
        host, _, port = broker.rpartition(":")
        if not host or not port.isdecimal():
            raise typer.BadParameter(f"{broker!r} is not a broker; write host:port", param_hint="--broker")
        config = replace(config, broker=replace(config.broker, host=host, port=int(port)))
    return config if storage is None else replace(config, storage=storage)


def _run(work: Coroutine[object, object, None], log: str) -> None:
    from bridge.service import log_to_stderr, until_told_to_stop

    log_to_stderr(log)
    asyncio.run(until_told_to_stop(work))
