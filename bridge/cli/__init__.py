"""The command ``table-bridge``. Exit status: 0 done, 1 the answer is no, 2 wrong use or configuration.

The module of a command is imported when that is given, or all are listed, and imports what the command needs when
it runs: so that a daemon does not carry a demonstration, and nobody waits for what others need.
"""

import errno
import sys
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from bridge import __version__
from bridge.cli.shared import WRONG_USE
from bridge.domain.errors import BridgeError
from bridge.starting import open_missing_streams

HOMES: Final = MappingProxyType(
    {
        "demo": "tables",
        "daemon": "tables",
        "rules-worker": "tables",
        "dashboard": "tables",
        "broker": "tables",
        "devices": "devices",
        "capture": "captures",
        "replay": "captures",
        "settle": "books",
        "house-advantage": "books",
        "round": "books",
        "self-check": "checks",
        "hand-pay": "reports",
        "meter-sheet": "reports",
        "day-report": "reports",
        "config": "tables",
        "profile": "models",
        "confirm": "people",
        "people": "credentials",
        "journal": "journal",
        "meter": "meters",
        "contract": "contract",
    }
)
"""The module of this package that has a command, in the order in which they are listed."""

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why standard output takes no more; whatever writes files says itself what became of them."""


class _Commands(TyperGroup):
    """The commands, each from its module once that is imported."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer has its own click, or not
        return [*HOMES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        # A name that nobody has is compared with those of all commands.
        for home in {HOMES[cmd_name]} if cmd_name in HOMES else {*HOMES.values()}:
            self._take_in(home)
        return super().get_command(ctx, cmd_name)

    def _take_in(self, home: str) -> None:
        if any(name in self.commands for name, its in HOMES.items() if its == home):
            return
        part = typer.Typer()
        import_module(f"bridge.cli.{home}").add_to(part)
        self.commands.update(typer.main.get_group(part).commands)


app = typer.Typer(
    cls=_Commands,
    help="Reads the devices of a casino table, publishes the round of play over MQTT, and settles it exactly.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command; an error made on purpose becomes its message and an exit status."""
    open_missing_streams()
    try:
        app()
    except BridgeError as error:
        typer.echo(str(error), err=True)
        sys.exit(WRONG_USE)
    except OSError as error:
        if error.filename is not None:
            typer.echo(f"{error.filename}: {error.strerror}; check the path, and who may use it", err=True)
            sys.exit(WRONG_USE)
        if error.errno not in _NO_ROOM:
            raise
        from bridge.service import let_nobody_read

        let_nobody_read((sys.stdout.fileno(),))
        typer.echo(f"the output cannot be written: {error.strerror}; give it to a file with room", err=True)
        sys.exit(WRONG_USE)


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
