"""A gaming day of a journal handed over: signed, and to be checked by somebody who has nothing else of ours."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Literal

from bridge import __version__
from bridge.contracts.journal_lines import (
    SIGNED_CONTEXT,
    ExportHead,
    ExportRecord,
    ExportTail,
    HeldBack,
    line_of,
)
from bridge.domain.errors import BridgeError
from bridge.domain.identity import Sequence, TableId, Timestamp
from bridge.stores import chain
from bridge.stores.file_errors import DamagedFileError, remedy
from bridge.stores.journal import JournalError
from bridge.stores.journal_day import GamingDay, find_day
from bridge.stores.journal_file import open_journal_file, rows_across
from bridge.stores.journal_files import files_of
from bridge.stores.signing import SigningKey
from bridge.stores.whole_file import write_new_file


class ExportFileError(BridgeError):
    """An export cannot be written to a file; the message says what to do."""


def export_day(path: Path, *, table: TableId, day: str, key: SigningKey, now: Timestamp) -> Iterator[bytes]:
    """Yield the lines of a gaming day, rounds that are over only.

    Raise ``NoSuchDayError``, or ``JournalError`` for a journal that is damaged or cannot be read.
    """
    found = find_day(path, day)
    public = key.public
    head = ExportHead(
        table=table,
        day=day,
        day_is_over=found.is_over,
        days=found.days,
        first=found.first,
        last=found.last,
        hash_before=_hash_at(path, found.first - 1).hex(),
        held_back=_held_back(found),
        submissions=found.submissions,
        software=__version__,
        made_at=now,
        key_id=public.id,
        public_key=public.hex,
    )
    digest = sha256()
    for line in _signed_lines(path, head):
        digest.update(line)
        yield line
    yield line_of(
        ExportTail(
            records=found.last - found.first + 1,
            digest=digest.hexdigest(),
            signature=key.sign(SIGNED_CONTEXT + digest.digest()).hex(),
        )
    )


def write_export(path: Path, lines: Iterable[bytes]) -> None:
    """Write an export to a new file, whole or not at all; raise ``ExportFileError``, or what ``lines`` raise."""
    try:
        write_new_file(path, lines)
    except FileExistsError as error:
        raise ExportFileError(f"{path} is there already, and is not overwritten; name another file") from error
    except OSError as error:
        raise ExportFileError(f"cannot write {path}: {remedy(error)}") from error


def _signed_lines(path: Path, head: ExportHead) -> Iterator[bytes]:
    yield line_of(head)
    try:
        for row in rows_across(files_of(path), head.first - 1):
            yield line_of(_record(row))
            if row[0] == head.last:
                return
    except DamagedFileError as error:
        raise JournalError(f"the journal {path} is damaged: {error}") from error


def _record(row: chain.Row) -> ExportRecord:
    sequence, at, kind, body, hash_ = row
    return ExportRecord(
        sequence=Sequence(sequence), at=Timestamp(at), event=kind.decode(), body=body.decode(), hash=hash_.hex()
    )


def _held_back(found: GamingDay) -> HeldBack | Literal["nothing"]:
    if found.last == found.last_of_day:
        return "nothing"
    return HeldBack(
        from_sequence=Sequence(found.last + 1),
        round_number=found.on_the_table.number,
        reason="the round is not over, and what is not disclosed in it yet may stand in these records",
    )


def _hash_at(path: Path, sequence: int) -> bytes:
    for file in files_of(path):
        with open_journal_file(file) as opened:
            if (link := opened.link_at(sequence)) is not None:
                return link.hash
    raise JournalError(f"record {sequence} of the journal {path} is not here")
