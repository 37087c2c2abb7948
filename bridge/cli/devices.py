"""The command that looks at what is plugged in."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import NO, JsonOption, table_config

if TYPE_CHECKING:
    from bridge.plugged_in import PluggedIn


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("devices")(_devices)


def _devices(
    *,
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TABLE.toml]", help="Say which line of this table has which, and what is missing."
        ),
    ] = None,
    bus: Annotated[
        str | None,
        typer.Option("--bus", metavar="SOCKET", help="Look at a simulated USB bus instead."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what is plugged in, by a name that lasts, and what keeps it from being used; status 1 if anything does.

    Serial ports, and devices on USB that a device model fits.
    """
    from bridge.plugged_in import look, out_of_reach

    lines = () if table is None else table_config(table).lines
    found = look(lines=lines, bus=bus)
    absent = out_of_reach(lines, bus=bus)
    for one in found:
        typer.echo(json.dumps(asdict(one)) if as_json else _told(one))
    for line, why in absent:
        gone = {"line": line.name, "port": line.url, "problems": [why]}
        typer.echo(json.dumps(gone) if as_json else f"line {line.name}\n    ! {why}")
    if not found and not absent and not as_json:
        typer.echo("nothing is plugged in that a table could use")
    if absent or any(one.problems for one in found):
        raise typer.Exit(NO)


def _told(one: "PluggedIn") -> str:
    facts = [
        one.title,
        f"fits {', '.join(one.profiles)}" if one.profiles else "",
        f"ids {one.ids}" if one.ids else "",
        f"serial number {one.serial}" if one.serial else "",
        f"at {one.place}" if one.place else "",
        f"line {', '.join(one.lines)}" if one.lines else "",
        f"open in {', '.join(one.used_by)}" if one.used_by else "",
    ]
    head = one.port or one.kind
    return "\n".join((head, f"    {'; '.join(filter(None, facts))}", *(f"    ! {why}" for why in one.problems)))
