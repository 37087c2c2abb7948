"""Commands about device models."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import NO, JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bridge.wire.codec import Codec
    from bridge.wire.messages import WireMessage

_COPIES = 3
"""As often as a shoe sends each report."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    profile = typer.Typer(
        help="Device models: list them, check one, decode bytes with one, print their schema.",
        no_args_is_help=True,
    )
    profile.command("list")(_list)
    profile.command("check")(_check)
    profile.command("decode")(_decode)
    profile.command("schema")(_schema)
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
    profile: Annotated[str, typer.Argument(help="Name of an installed profile, or a file of one's own.")],
    frame: Annotated[str, typer.Argument(metavar="HEX", help='The bytes of one frame: "01 02 01 20 A0 50".')],
    *,
    as_json: JsonOption = False,
) -> None:
    """Say what the bytes of one frame mean to a device model, and the messages it gives if it comes unasked."""
    from bridge.cli.wire_words import message_fields, message_words
    from bridge.profiles import load_named
    from bridge.wire.errors import ChecksumError, FrameError
    from bridge.wire.protocols import PROTOCOLS
    from bridge.wire.spec import Unit

    spec = load_named(profile)
    family = PROTOCOLS[spec.protocol]
    try:
        data = bytes.fromhex(frame)
    except ValueError:
        raise typer.BadParameter(
            f"{frame!r} is not hexadecimal; write two digits a byte", param_hint="HEX"
        ) from None
    try:
        means = family.explain(data, spec)
    except FrameError as error:
        fault = {"fault": error.reason, "bytes": error.raw.hex(" ").upper()}
        if isinstance(error, ChecksumError):
            fault |= {"received": error.got, "computed": error.expected}
        typer.echo(json.dumps(fault) if as_json else str(error))
        raise typer.Exit(NO) from None
    given = _messages(data, family.codec([Unit(address=family.addresses[0], spec=spec)]))
    if as_json:
        typer.echo(json.dumps({"means": means, "messages": [message_fields(message) for message in given]}))
    else:
        typer.echo("\n".join([means, *(f"  {message_words(message)}" for message in given)]))


def _messages(data: bytes, codec: "Codec") -> "Sequence[WireMessage]":
    """Return what a frame gives that nobody asked for, sent again where a protocol believes no single copy."""
    from bridge.wire.messages import FrameFault, UnitAnswering

    for _ in range(_COPIES):
        said = codec.receive_data(data, 0)
        given = [message for message in said if not isinstance(message, FrameFault | UnitAnswering)]
        if given:
            return given
    return ()


def _schema() -> None:
    """Print the JSON Schema of a device profile, for editors."""
    from bridge.profiles.form import profile_schema

    typer.echo(json.dumps(profile_schema(), indent=2))
