"""Commands for the sealed journal of a table: whether it is what was written."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import NO, JsonOption, StorageOption, table_config

if TYPE_CHECKING:
    from bridge.stores.journal_check import Verdict

_SETTINGS = ".toml"


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    journal = typer.Typer(help="The sealed journal of a table.", no_args_is_help=True)
    journal.command("verify")(_verify)
    app.add_typer(journal, name="journal")


def _verify(
    what: Annotated[Path, typer.Argument(metavar="TABLE.toml|FILE", help="A table, or a file of its journal.")],
    storage: StorageOption = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many work at it; else as many as there are processors.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Check every record against the one before, and every kept state against the records. Nothing is changed."""
    from bridge.stores.journal_check import verify

    verdict = verify(_journal_of(what, storage), processes=processes)
    if as_json:
        typer.echo(json.dumps(_as_data(verdict)))
    else:
        _tell(verdict)
    if verdict.broken is not None:
        raise typer.Exit(NO)


def _journal_of(what: Path, storage: Path | None) -> Path:
    """Return the journal of a table, or the file itself."""
    if what.suffix != _SETTINGS:
        return what
    config = table_config(what, storage=storage)
    return config.storage / f"{config.setup.table}.journal"


def _tell(verdict: "Verdict") -> None:
    file = verdict.files[-1]
    if verdict.records:
        sound = f"records {verdict.begin.sequence + 1} to {verdict.end.sequence}, the chain holds"
        typer.echo(f"{file}: {verdict.records} records, {sound}; the last hash is {verdict.end.hash.hex()}")
    elif verdict.broken is None:
        typer.echo(f"{file}: no records yet")
    for note in verdict.notes:
        typer.echo(f"{file}: {note}")
    if verdict.broken is not None:
        typer.echo(f"{verdict.broken.file}: {verdict.broken.reason}", err=True)


def _as_data(verdict: "Verdict") -> dict[str, object]:
    broken = verdict.broken
    return {
        "sound": broken is None,
        "files": [str(file) for file in verdict.files],
        "records": verdict.records,
        "first": verdict.begin.sequence + 1,
        "last": verdict.end.sequence,
        "last_hash": verdict.end.hash.hex(),
        "broken": None
        if broken is None
        else {
            "file": str(broken.file),
            "sequence": broken.sequence,
            "fault": broken.fault,
            "reason": broken.reason,
        },
        "notes": list(verdict.notes),
    }
