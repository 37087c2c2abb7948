"""Commands about the people of a table and their credentials."""

import getpass
import json
import sys
from typing import Annotated

import typer

from bridge.cli.shared import JsonOption, TableFile, table_config
from bridge.domain.identity import PersonId


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    people = typer.Typer(help="The people of a table, and the secrets they confirm with.", no_args_is_help=True)
    people.command("list")(_list)
    people.command("set-credential")(_set_credential)
    app.add_typer(people, name="people")


def _list(*, table: TableFile, as_json: JsonOption = False) -> None:
    """List who may do what at a table, the keys at it included."""
    from bridge.domain.setup import KeySwitchInput
    from bridge.table.state import inputs_of

    config = table_config(table)
    known = {person for person, _ in config.credentials}
    rows = [(str(person), role.value, "set" if person in known else "none") for person, role in config.people]
    rows += [
        (str(role.key), role.privilege.role.value, f"key at {wiring.device}")
        for wiring, role in inputs_of(config.setup)
        if isinstance(role, KeySwitchInput)
    ]
    for name, role_name, credential in rows:
        if as_json:
            typer.echo(json.dumps({"id": name, "role": role_name, "credential": credential}))
        else:
            typer.echo(f"{name:<24} {role_name:<17} {credential}")


def _set_credential(
    table: TableFile, person: Annotated[str, typer.Argument(metavar="ID", help="Whose secret it is.")]
) -> None:
    """Ask twice for a person's secret, and keep its hash in the table's people file."""
    from bridge.people.credentials import CredentialError, set_credentials

    if sys.stdin.isatty():
        secret = getpass.getpass(f"New secret of {person}: ")
        again = getpass.getpass("The same again: ")
    else:
        secret, again = (sys.stdin.readline().rstrip("\n") for _ in range(2))
    if secret != again:
        raise CredentialError("the two secrets differ; nothing was changed, try again")
    path = set_credentials(table, {PersonId(person): secret})
    typer.echo(f"credential of {person} set in {path}")
