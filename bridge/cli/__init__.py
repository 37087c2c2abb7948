"""The command ``table-bridge``. Exit status: 0 done, 1 the answer is no, 2 wrong use or configuration.

Each command imports what it needs when it runs, so that a daemon does not carry a demonstration.
"""

import errno
import sys
from typing import Annotated, Final

import typer

from bridge import __version__
from bridge.cli import (
    books,
    captures,
    checks,
    contract,
    credentials,
    devices,
    journal,
    meters,
    models,
    people,
    reports,
    tables,
)
from bridge.cli.shared import WRONG_USE
from bridge.domain.errors import BridgeError
from bridge.starting import open_missing_streams

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why standard output takes no more; whatever writes files says itself what became of them."""

app = typer.Typer(
    help="Reads the devices of a casino table, publishes the round of play over MQTT, and settles it exactly.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
tables.add_to(app)
models.add_to(app)
devices.add_to(app)
captures.add_to(app)
people.add_to(app)
credentials.add_to(app)
books.add_to(app)
journal.add_to(app)
meters.add_to(app)
checks.add_to(app)
contract.add_to(app)
reports.add_to(app)


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
