"""Commands that look at the installation itself."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.shared import NO, JsonOption, table_config


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("self-check")(_self_check)


def _self_check(
    *,
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TABLE.toml]", help="Compare with the software that this table files as approved."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare every file of this software with what was installed; status 1 if it may not run as approved."""
    from bridge.self_check import self_check

    check = self_check()
    approved = None if table is None else table_config(table).submission.controller.approved_software
    fault = check.fault(approved)
    if as_json:
        typer.echo(json.dumps({**asdict(check), "approved": approved, "fault": fault}))
    else:
        typer.echo(f"table-bridge {check.version}, {check.files} files")
        typer.echo(f"digest    {check.digest}")
        typer.echo(f"installed {'as recorded by the installer' if check.installed else 'no: a development tree'}")
        if approved is not None:
            typer.echo(f"approved  {approved}")
        typer.echo(fault or ("approved" if approved else "in order; nothing is filed as approved"))
    if fault:
        raise typer.Exit(NO)
