"""Commands about device models."""

import json
from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.shared import NO, JsonOption


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    profile = typer.Typer(help="Device models: list them, check one, decode bytes with one.", no_args_is_help=True)
    profile.command("list")(_list)
    profile.command("check")(_check)
    profile.command("decode")(_decode)
    app.add_typer(profile, name="profile")


def _list(*, as_json: JsonOption = False) -> None:
    """List the device models that are installed."""
    from bridge.profiles.load import installed_profiles, load_installed

    for name in sorted(installed_profiles()):
        spec = load_installed(name)
        if as_json:
            typer.echo(json.dumps({"profile": name, "title": spec.title, "protocol": spec.protocol}))
        else:
            typer.echo(f"{name:<20} {spec.protocol:<16} {spec.title}")


def _check(file: Annotated[Path, typer.Argument(help="A device profile, YAML.")]) -> None:
    """Tell every fault of a device profile, and prove its example frames."""
    from bridge.profiles.load import load_profile

    spec = load_profile(file)
    typer.echo(f"{file}: {spec.profile} is in order, {len(spec.examples)} example frames decode as it says")


def _decode(
    profile: Annotated[str, typer.Argument(help="Name of an installed profile.")],
    frame: Annotated[str, typer.Argument(metavar="HEX", help='The bytes of one frame: "01 02 01 20 A0 50".')],
    *,
    as_json: JsonOption = False,
) -> None:
    """Say what the bytes of one frame mean to a device model."""
    from bridge.profiles.load import load_installed
    from bridge.wire.errors import ChecksumError, FrameError
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
        fault = {"fault": error.reason, "bytes": error.raw.hex(" ").upper()}
        if isinstance(error, ChecksumError):
            fault |= {"checksum": error.got, "expected": error.expected}
        typer.echo(json.dumps(fault) if as_json else str(error))
        raise typer.Exit(NO) from None
    typer.echo(json.dumps({"means": means}) if as_json else means)
