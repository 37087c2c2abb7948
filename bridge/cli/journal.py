"""Commands for the sealed journal of a table: whether it is what was written, and a day of it handed over."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge.cli.shared import NO, JsonOption, StorageOption, TableFile, table_config

if TYPE_CHECKING:
    from bridge.stores.export_check import ExportVerdict
    from bridge.stores.journal_check import Verdict
    from bridge.stores.signing import PublicKey

_TABLE, _EXPORT = ".toml", ".jsonl"


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    journal = typer.Typer(help="The sealed journal of a table.", no_args_is_help=True)
    journal.command("verify")(_verify)
    journal.command("export")(_export)
    journal.command("key")(_key)
    app.add_typer(journal, name="journal")


def _verify(
    what: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE.toml|FILE|EXPORT.jsonl",
            help="A table, a file of its journal, or a day that was handed over.",
        ),
    ],
    storage: StorageOption = None,
    public_key: Annotated[
        str | None,
        typer.Option("--public-key", metavar="FILE|HEX", help="The key that a day has to be signed with."),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many work at it; else as many as there are processors.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Check every record against the one before, and every kept state against the records. Nothing is changed."""
    if _is_export(what):
        sound = _check_export(what, public_key, as_json=as_json)
    elif public_key is not None:
        raise typer.BadParameter(
            f"{what} is no day that was handed over, and nothing else is signed", param_hint="--public-key"
        )
    else:
        sound = _check_journal(_journal_of(what, storage), processes, as_json=as_json)
    if not sound:
        raise typer.Exit(NO)


def _export(
    table: TableFile,
    day: Annotated[str, typer.Option(metavar="2026-11-29", help="The gaming day.")],
    to: Annotated[Path | None, typer.Option(help="A new file; else it is printed.")] = None,
    storage: StorageOption = None,
) -> None:
    """Hand over a gaming day, signed: rounds that are over, and nothing that is not disclosed yet."""
    from bridge.clock import SystemClock
    from bridge.stores.journal_export import export_day, write_export
    from bridge.stores.signing import load_key

    config = table_config(table, storage=storage)
    lines = export_day(
        config.files.journal,
        table=config.setup.table,
        day=day,
        key=load_key(config.files.journal_key),
        now=SystemClock().wall(),
    )
    if to is None:
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
    else:
        write_export(to, lines)
        typer.echo(str(to))


def _key(table: TableFile, storage: StorageOption = None, *, as_json: JsonOption = False) -> None:
    """Make the key that days are signed with, unless there is one, and print its public half for the auditor."""
    from bridge.stores.signing import load_key, make_key

    file = table_config(table, storage=storage).files.journal_key
    made = make_key(file)
    public = load_key(file).public
    if as_json:
        typer.echo(json.dumps({"file": str(file), "made": made, "key_id": public.id, "public_key": public.hex}))
        return
    typer.echo(f"{file} was {'made' if made else 'there already'}; its id is {public.id}", err=True)
    typer.echo(public.hex)


def _is_export(what: Path) -> bool:
    """Return whether a file is a day that was handed over; a damaged one may be told by its name only."""
    if what.suffix in (_EXPORT, _TABLE) or not what.is_file():
        return what.suffix == _EXPORT
    try:
        with what.open("rb") as file:
            return file.read(1) == b"{"
    except OSError:
        return False


def _journal_of(what: Path, storage: Path | None) -> Path:
    """Return the journal of a table, or the file itself."""
    if what.suffix != _TABLE:
        return what
    return table_config(what, storage=storage).files.journal


# --- the journal itself -------------------------------------------------------------------------------


def _check_journal(path: Path, processes: int | None, *, as_json: bool) -> bool:
    from bridge.stores.journal_check import verify

    verdict = verify(path, processes=processes)
    if as_json:
        typer.echo(json.dumps(_as_data(verdict)))
    else:
        _tell(verdict)
    return verdict.broken is None


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


# --- a day that was handed over -----------------------------------------------------------------------


def _check_export(path: Path, public_key: str | None, *, as_json: bool) -> bool:
    from bridge.stores.export_check import check_export

    verdict = check_export(path, None if public_key is None else _public_key(public_key))
    if as_json:
        typer.echo(json.dumps(_export_as_data(verdict)))
    else:
        _tell_export(path, verdict)
    return verdict.broken is None


def _public_key(text: str) -> "PublicKey":
    """Return the key that stands in a file, or that the text is itself."""
    from bridge.documents.document import read_text
    from bridge.stores.signing import PublicKey

    file = Path(text)
    return PublicKey.from_text(read_text(file)[1] if file.is_file() else text)


def _tell_export(path: Path, verdict: "ExportVerdict") -> None:
    head = verdict.head
    if verdict.broken is not None:
        typer.echo(f"{path}:{verdict.broken.line}: {verdict.broken.reason}", err=True)
        return
    if head is None:
        return
    typer.echo(f"{path}: gaming day {head.day} of table {head.table}, records {head.first} to {head.last}")
    typer.echo(f"{path}: the chain holds; the last hash is {verdict.last_hash}")
    if not head.day_is_over:
        typer.echo(f"{path}: the day was not over when it was handed over")
    if head.held_back != "nothing":
        held = head.held_back
        typer.echo(
            f"{path}: from record {held.from_sequence} on held back: round {held.round_number}, {held.reason}"
        )
    if verdict.key_was_given:
        typer.echo(f"{path}: signed with the key {head.key_id} that was given")
    else:
        typer.echo(
            f"{path}: signed with the key {head.key_id} that it names itself: whose it is, only --public-key tells"
        )


def _export_as_data(verdict: "ExportVerdict") -> dict[str, object]:
    head, broken = verdict.head, verdict.broken
    return {
        "sound": broken is None,
        "head": None if head is None else head.model_dump(mode="json"),
        "records": verdict.records,
        "last_hash": verdict.last_hash,
        "key_was_given": verdict.key_was_given,
        "broken": None
        if broken is None
        else {"line": broken.line, "sequence": broken.sequence, "reason": broken.reason},
    }
