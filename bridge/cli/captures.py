"""Commands that record what passes on a line, and play it back."""

import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import JsonOption, LogOption, PortOption, StdinOption, TableFile, run, table_config
from bridge.clock import US_PER_S

if TYPE_CHECKING:
    from bridge.config import TableConfig
    from bridge.drivers.fleet import Fleet
    from bridge.drivers.line import Line
    from bridge.transports.capture_file import CapturedUnit, CaptureFile
    from bridge.wire.spec import DeviceSpec, Unit

_INTEGER = re.compile(r"-?\d{1,18}", re.ASCII)


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("capture")(_capture)
    app.command("replay")(_replay)


def capture_files(config: "TableConfig", captures: Sequence[str] | None) -> dict[str, Path]:
    """Return the files that ``--capture LINE=FILE`` gives, by line; a device stands for the line it is on."""
    files: dict[str, Path] = {}
    for text in captures or ():
        name, _, file = text.partition("=")
        if not file:
            raise typer.BadParameter(f"{text!r} names no file; write LINE=FILE", param_hint="--capture")
        files[config.line(name).name] = Path(file)
    return files


def _capture(
    table: TableFile,
    name: Annotated[str, typer.Argument(metavar="LINE", help="The line, or a device on it.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; one that exists is left alone.")],
    *,
    port: PortOption = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0, help="Stop after so long; else when interrupted.")
    ] = None,
    log: LogOption = "warning",
    until_stdin_closes: StdinOption = False,
) -> None:
    """Record every byte of a line while no daemon runs: its devices are asked as ever, and locked.

    The capture of a card reader holds the cards. Beside a running daemon, start that with --capture.
    """
    line = table_config(table, port).line(name)
    run(_record(line, file, seconds), log, until_stdin_closes=until_stdin_closes)


async def _record(line: "Line", file: Path, seconds: float | None) -> None:
    import asyncio

    from bridge.clock import SystemClock
    from bridge.drivers.fleet import Fleet
    from bridge.drivers.line_capture import recorded_line

    clock = SystemClock()
    with recorded_line(line, file, clock) as (ports, path):
        typer.echo(f"{line.name}: {line.url} is recorded into {path}; stop with Ctrl-C")
        fleet = Fleet([line], clock, open_port=ports.open)
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(fleet.run(), name="fleet")
            telling = tasks.create_task(_tell(fleet), name="devices")
            if seconds is not None:
                await asyncio.sleep(seconds)
                running.cancel()
                telling.cancel()


async def _tell(fleet: "Fleet") -> None:
    """Say how the devices are doing, so that nobody records a line that is dead."""
    from bridge.domain.devices import DeviceStatus

    while True:
        match await fleet.observations.get():
            case DeviceStatus(device=device, state=state, reason=reason):
                typer.echo(f"{device}: {state}{': ' if reason else ''}{reason}")
            case _:
                pass


def _replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A capture.")],
    profile: Annotated[
        str | None, typer.Option(help="Decode with another profile: an installed one, or a file.")
    ] = None,
    speed: Annotated[float, typer.Option(min=0, help="1 is the recorded pace; 0 prints everything at once.")] = 0,
    *,
    as_json: JsonOption = False,
) -> None:
    """Say what every byte of a capture meant, message by message.

    What a table ordered then, such as a lamp, is not ordered now, and is told on standard error as a difference.
    """
    from bridge.cli.wire_words import message_fields, message_words
    from bridge.drivers.offline import decoded
    from bridge.transports.capture_file import read_capture
    from bridge.transports.playback import Playback
    from bridge.wire.protocols import PROTOCOLS

    capture = read_capture(file)
    units = _units(capture, profile)
    playback = Playback(capture.name, capture.events)
    told_us = 0
    if capture.events:
        codec = PROTOCOLS[units[0].spec.protocol].codec(units)
        for found in decoded(playback, capture.events[0], codec):
            if speed:
                time.sleep((found.event.at_us - told_us) / US_PER_S / speed)
                told_us = found.event.at_us
            place = {"at_us": found.event.at_us, "line": found.event.place}
            if as_json:
                typer.echo(json.dumps({**place, **message_fields(found.message)}))
            else:
                typer.echo(f"{found.event.at_us / US_PER_S:12.6f} {message_words(found.message)}")
    for difference in playback.differences:
        typer.echo(str(difference), err=True)


def _units(capture: "CaptureFile", profile: str | None) -> "list[Unit]":
    """Return the devices of a captured line as they were set up, or all of another model."""
    from bridge.wire.spec import Unit

    return [Unit(address=unit.address, spec=_spec(capture, unit, profile)) for unit in capture.head.units]


def _spec(capture: "CaptureFile", unit: "CapturedUnit", profile: str | None) -> "DeviceSpec":
    from dataclasses import replace

    from bridge.profiles import installed_profiles, load_named
    from bridge.transports.capture_file import CaptureError

    if profile is None and unit.profile not in installed_profiles():
        raise CaptureError(
            f"{capture.name}: the model {unit.profile} is not installed; give its file with --profile"
        )
    spec = replace(load_named(profile or unit.profile), serial=capture.head.serial)
    if profile is not None:
        return spec
    texts = {name: unit.parameters.get(name, "") for name in spec.parameters if name in unit.parameters}
    typed = {name: _typed(text, spec.parameters[name]) for name, text in texts.items()}
    return replace(spec, parameters={**spec.parameters, **typed})


def _typed(text: str, like: int | bool | str) -> int | bool | str:  # noqa: FBT001 - the value is what is asked about
    """Return a printed parameter as a value of the kind that the profile has; what does not fit keeps that."""
    match like:
        case bool():
            return text == "true"
        case int():
            return int(text) if _INTEGER.fullmatch(text) else like
        case str():
            return text
