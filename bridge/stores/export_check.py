"""A gaming day that was handed over, looked at elsewhere: with neither the journal nor a key of ours."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from bridge.contracts.journal_lines import (
    SIGNED_CONTEXT,
    ExportHead,
    ExportRecord,
    ExportTail,
    JournalLineError,
    head_from_line,
    part_from_line,
)
from bridge.contracts.journal_records import JournalRecordError, event_from_json
from bridge.domain.errors import BridgeError
from bridge.domain.identity import Sequence
from bridge.stores import chain
from bridge.stores.file_errors import remedy
from bridge.stores.signing import PublicKey, SigningKeyError

LINE_BYTES_MAX = 1_000_000
"""Fifty times the longest record: the start of a bridge with the largest table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenLine:
    """The first line of an export that is not what was handed over."""

    line: int
    """Counted from 1."""
    sequence: Sequence | None
    """Of its record; None for the head, the tail, and a line that is none of ours."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportVerdict:
    """What was found of an export."""

    head: ExportHead | None
    """None if the first line is not one."""
    records: int
    """How many follow from each other, from the first on."""
    last_hash: str
    broken: BrokenLine | None
    key_was_given: bool
    """Whether it was checked with a key from elsewhere; the one in the export proves only that it is whole."""


class UnreadableExportError(BridgeError):
    """An export cannot be read; the message says what to do."""


class _BrokenLineError(Exception):
    """Carries what is broken to where the verdict is made."""

    def __init__(self, broken: BrokenLine) -> None:
        super().__init__(broken.reason)
        self.broken = broken


def check_export(path: Path, key: PublicKey | None = None) -> ExportVerdict:
    """Check an export, with the key that its receiver has from elsewhere; raise ``UnreadableExportError``."""
    check = _Check(key)
    try:
        with path.open("rb") as file:
            check.read(file)
    except _BrokenLineError as error:
        return check.verdict(error.broken)
    except OSError as error:
        raise UnreadableExportError(f"cannot read {path}: {remedy(error)}") from error
    return check.verdict(None)


class _Check:
    def __init__(self, key: PublicKey | None) -> None:
        self._given = key
        self._head: ExportHead | None = None
        self._end = chain.Link(0, b"")
        self._records = 0
        self._line = 0
        self._digest = sha256()

    def verdict(self, broken: BrokenLine | None) -> ExportVerdict:
        return ExportVerdict(
            head=self._head,
            records=self._records,
            last_hash=self._end.hash.hex(),
            broken=broken,
            key_was_given=self._given is not None,
        )

    def read(self, file: BinaryIO) -> None:
        lines = self._lines(file)
        key = self._begin(next(lines, b""))
        tail: ExportTail | None = None
        for line in lines:
            if tail is not None:
                raise self._broken("stands behind the tail; nothing may")
            try:
                part = part_from_line(line)
            except JournalLineError as error:
                raise self._broken(f"is {error}") from error
            if isinstance(part, ExportTail):
                tail = part
                self._end_with(tail, key)
            else:
                self._follow(part)
                self._digest.update(line)
        if tail is None:
            self._line += 1
            raise self._broken("is missing: the export ends without its tail, and so without a signature")

    def _lines(self, file: BinaryIO) -> Iterator[bytes]:
        while line := file.readline(LINE_BYTES_MAX + 1):
            self._line += 1
            if len(line) > LINE_BYTES_MAX:
                raise self._broken("is longer than any of ours")
            yield line

    def _begin(self, line: bytes) -> PublicKey:
        self._line = 1
        try:
            head = head_from_line(line)
            key = PublicKey.from_text(head.public_key)
        except (JournalLineError, SigningKeyError) as error:
            raise self._broken(f"is {error}") from error
        if self._given is not None and key != self._given:
            raise self._broken(f"names the key {key.id}, and it was to be signed with the key {self._given.id}")
        if key.id != head.key_id:
            raise self._broken("names a key and the id of another")
        self._head = head
        self._end = chain.Link(head.first - 1, bytes.fromhex(head.hash_before))
        self._digest.update(line)
        return key

    def _follow(self, record: ExportRecord) -> None:
        body = record.body.encode()
        row = (record.sequence, record.at, record.event.encode(), body, bytes.fromhex(record.hash))
        try:
            self._end = chain.walk([row], self._end)
        except chain.BrokenChainError as error:
            raise self._broken(str(error), record.sequence) from error
        self._records += 1
        try:
            event = event_from_json(body)
        except JournalRecordError as error:
            raise self._broken(f"record {record.sequence} holds no event: {error}", record.sequence) from error
        if event.kind != record.event:
            raise self._broken(
                f"record {record.sequence} says {record.event!r} and holds {event.kind!r}", record.sequence
            )

    def _end_with(self, tail: ExportTail, key: PublicKey) -> None:
        head = self._head
        if head is None or self._end.sequence != head.last or self._records != tail.records:
            raise self._broken(
                f"is the tail, and record {self._end.sequence + 1} is missing before it",
            )
        if tail.digest != self._digest.hexdigest():
            raise self._broken("names another digest: the head, or how a line is written, was changed")
        if not key.has_signed(SIGNED_CONTEXT + self._digest.digest(), bytes.fromhex(tail.signature)):
            raise self._broken("is not signed with the key that the head names")

    def _broken(self, reason: str, sequence: Sequence | None = None) -> _BrokenLineError:
        said = reason if sequence is not None else f"line {self._line} {reason}"
        return _BrokenLineError(BrokenLine(line=self._line, sequence=sequence, reason=said))
