"""Commands that tell the contract of the messages."""

import typer


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    contract = typer.Typer(help="What travels over MQTT, for whoever reads or writes it.", no_args_is_help=True)
    contract.callback()(_alone)
    contract.command("asyncapi")(_asyncapi)
    app.add_typer(contract, name="contract")


def _alone() -> None:
    """Tell what travels over MQTT, for whoever reads or writes it."""
    # Without it, a program of one command would take no name of a command.


def _asyncapi() -> None:
    """Print all topics as an AsyncAPI document: who writes what, what is retained, what commands."""
    from bridge.contracts.asyncapi import asyncapi_text

    typer.echo(asyncapi_text(), nl=False)
