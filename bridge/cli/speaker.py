"""Whoever says something to a table by a command, and how that is proved."""

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import NO
from bridge.domain.identity import PersonId

if TYPE_CHECKING:
    from bridge.config import TableConfig
    from bridge.people.credentials import Admitted

SecretOption = Annotated[
    Path | None,
    typer.Option("--credential-file", metavar="FILE", help="Read the secret of --by from here; else it is asked."),
]


def admitted(config: "TableConfig", by: str, table_file: Path, secret_file: Path | None) -> "Admitted":
    """Return whose secret was given; leave with status 1 if it is wrong, or was too often.

    Raise ``CredentialError`` for a stranger, and for somebody without a credential.
    """
    from bridge.clock import SystemClock
    from bridge.people.attempts import Attempts, TooManyAttemptsError
    from bridge.people.credentials import WrongSecretError, admit

    person = PersonId(by)
    attempts = Attempts(config.files.attempts, SystemClock())
    try:
        return admit(config, person, table_file, attempts, lambda: _secret(person, secret_file))
    except (WrongSecretError, TooManyAttemptsError) as refused:
        typer.echo(str(refused), err=True)
        raise typer.Exit(NO) from None


def _secret(person: PersonId, file: Path | None) -> str:
    """Return the secret: from a file, from standard input, or from the keyboard without showing it."""
    from bridge.documents.document import read_first_line

    if file is not None:
        return read_first_line(file)
    if sys.stdin.isatty():
        return getpass.getpass(f"Secret of {person}: ")
    return sys.stdin.readline().rstrip("\n")
