"""Commands that run a table, or a part of one."""

import json
from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.captures import capture_files
from bridge.cli.reports import FormerOption, former_submissions
from bridge.cli.shared import (
    BrokerOption,
    JsonOption,
    LogOption,
    PortOption,
    StdinOption,
    StorageOption,
    TableFile,
    playing_config,
    run,
    table_config,
)
from bridge.domain.rounds import Game


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("demo")(_demo)
    app.command("daemon")(_daemon)
    app.command("rules-worker")(_rules_worker)
    app.command("dashboard")(_dashboard)
    app.command("broker")(_broker)
    config = typer.Typer(help="Check a table's configuration, or describe its form.", no_args_is_help=True)
    config.command("check")(_config_check)
    config.command("schema")(_config_schema)
    app.add_typer(config, name="config")


def _demo(
    *,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds to play; else until interrupted.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed plays the same rounds.")] = 1,
    speed: Annotated[float, typer.Option(min=0.1, help="Divides the pauses of the simulated people.")] = 1,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Play a scripted scenario: a file, or the name of a shipped one."),
    ] = None,
    game: Annotated[Game, typer.Option(help="Which game is played.")] = Game.BLACKJACK,
    ez: Annotated[bool, typer.Option("--ez", help="Play EZ Baccarat: with --game minibaccarat.")] = False,
    usb: Annotated[bool, typer.Option("--usb", help="Have every device on a simulated USB bus.")] = False,
    keep: Annotated[
        Path | None, typer.Option(help="Keep journal, meters, logs and secrets in this directory.")
    ] = None,
    dashboard: Annotated[bool, typer.Option(help="Whether browsers can see the table.")] = True,
    dashboard_port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where they find it, on this machine; 0 takes a free port.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a whole table on this machine: devices simulated, everything else real."""
    from rich.console import Console

    from bridge.demo import play

    table = play.table_for(game, ez=ez, usb=usb)
    options = play.DemoOptions(
        rounds=rounds,
        seed=seed,
        speed=speed,
        scenario=None if scenario is None else play.scenario_file(scenario, table),
        table=table,
        json=as_json,
        dashboard_port=dashboard_port if dashboard else None,
        keep=keep,
    )
    run(play.run(options, Console(), Console(stderr=True)), "error")


def _daemon(
    table: TableFile,
    *,
    port: PortOption = None,
    broker: BrokerOption = None,
    storage: StorageOption = None,
    log: LogOption = "info",
    capture: Annotated[
        list[str] | None,
        typer.Option("--capture", metavar="LINE=FILE", help="Record every byte of a line; may be repeated."),
    ] = None,
    until_stdin_closes: StdinOption = False,
) -> None:
    """Run the daemon of a table: its devices, its journal, and the round of play over MQTT."""
    from bridge import daemon

    config = playing_config(table, port, broker, storage)
    run(daemon.run(config, capture_files(config, capture)), log, until_stdin_closes=until_stdin_closes)


def _rules_worker(
    table: TableFile,
    port: PortOption = None,
    broker: BrokerOption = None,
    storage: StorageOption = None,
    log: LogOption = "info",
    *,
    until_stdin_closes: StdinOption = False,
) -> None:
    """Run the rules worker of a table: it settles rounds, keeps the meters and lights the win lamps."""
    from bridge import rules_worker

    run(rules_worker.run(playing_config(table, port, broker, storage)), log, until_stdin_closes=until_stdin_closes)


def _dashboard(
    tables: Annotated[list[Path], typer.Argument(metavar="TABLE.toml...", help="The tables to be watched.")],
    *,
    host: Annotated[str, typer.Option(help="Address of this machine to serve at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where; 0 takes a free one.")] = 8400,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="Serve over TLS with it.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")] = None,
    behind_proxy: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A proxy at this address ends TLS, and forwards.")
    ] = None,
    sign_off_after: Annotated[
        int, typer.Option(metavar="MINUTES", min=1, max=60, help="Sign off whoever does nothing for so long.")
    ] = 10,
    broker: BrokerOption = None,
    log: LogOption = "warning",
    public: Annotated[
        bool, typer.Option("--public", help="Everybody may watch; to confirm, people sign in all the same.")
    ] = False,
    home_assistant: Annotated[
        bool | None,
        typer.Option(help="Announce the tables to Home Assistant; or take them away from it again."),
    ] = None,
    home_assistant_prefix: Annotated[
        str, typer.Option(metavar="TOPIC", help="Where Home Assistant looks for devices.")
    ] = "homeassistant",
    history: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep past rounds there; else in memory, while the dashboard runs."),
    ] = None,
    history_days: Annotated[
        int, typer.Option(metavar="DAYS", min=1, max=3650, help="Remove rounds that are older.")
    ] = 30,
    storage: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where journal and meters lie, on this machine: hand out documents."),
    ] = None,
    submission: FormerOption = None,
    until_stdin_closes: StdinOption = False,
) -> None:
    """Serve tables to browsers: the felt, the sign for players, the floor; people sign in to confirm."""
    from bridge.dashboard import serve
    from bridge.dashboard.documents import Archive

    configs = [table_config(table, broker=broker) for table in tables]
    where = serve.Where(host=host, port=port, certificate=certificate, key=key, proxy=behind_proxy)
    rules = serve.Rules(public=public, idle_s=60 * sign_off_after)
    announcing = (
        None
        if home_assistant is None
        else serve.HomeAssistant(announced=home_assistant, prefix=home_assistant_prefix)
    )

    archive = None if storage is None else Archive(storage=storage, former=former_submissions(submission))

    def ready(url: str) -> None:
        typer.echo(f"serving at {url}")

    kept = serve.PastRounds(file=history, days=history_days)
    served = serve.run(configs, where, rules, ready, announcing=announcing, history=kept, archive=archive)
    run(served, log, until_stdin_closes=until_stdin_closes)


def _broker(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on the loopback; 0 takes a free one.")] = 1883,
    log: LogOption = "info",
) -> None:
    """Run a small MQTT broker on the loopback, for one table or for trying things out."""
    import asyncio

    from bridge.bus.embedded import EmbeddedBroker

    async def serve() -> None:
        async with EmbeddedBroker(port) as running:
            typer.echo(f"listening on {running.host}:{running.port}")
            await asyncio.Event().wait()

    run(serve(), log)


def _config_check(table: TableFile) -> None:
    """Tell every fault of a table's configuration in one go, with file, line and key."""
    from bridge.config import port_advice

    config = table_config(table)
    for advice in port_advice(config.lines):
        typer.echo(f"{table}: {advice}", err=True)
    typer.echo(f"{table}: table {config.setup.table} is in order")


def _config_schema() -> None:
    """Print the JSON Schema of a table's configuration, for editors."""
    from bridge.config import config_schema

    typer.echo(json.dumps(config_schema(), indent=2))
