"""The lines in which a gaming day of a journal is handed over: a head, its records, a tail with the signature.

Whoever reads them needs no file of ours. A record's hash is the SHA-256 of the 32 bytes of the hash before it,
followed by ``SEQUENCE AT KIND`` in decimal and text, a line feed, and the body as it stands. The tail signs, by
Ed25519, ``table-bridge journal export 1``, a line feed, and the 32 bytes of the SHA-256 of all lines before it.
"""

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter

from bridge.contracts.strict_json import STRICT, ContractError, StrictJson
from bridge.domain.identity import RoundNumber, Sequence, TableId, Timestamp

SIGNED_CONTEXT = b"table-bridge journal export 1\n"

_T = TypeVar("_T")

Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""SHA-256, or an Ed25519 public key, in hexadecimal."""


class HeldBack(BaseModel):
    """Records of the day that are not handed over yet: a card of theirs may not be disclosed (T48)."""

    model_config = STRICT

    from_sequence: Sequence
    round_number: RoundNumber
    reason: str


class ExportHead(BaseModel):
    """The first line: what is handed over."""

    model_config = STRICT

    kind: Literal["head"] = "head"
    format: Literal[1] = 1
    table: TableId
    day: str
    """The gaming day, an ISO date. A round belongs to the day on which it was opened."""
    day_is_over: bool
    """Whether the next day has begun; else more records of this one may follow."""
    days: tuple[str, ...]
    """Gaming days of the records: others too, if the clock was set back in between."""
    first: Sequence
    last: Sequence
    hash_before: Hash
    """What the first record stands on: the hash of the last one of the day before."""
    held_back: HeldBack | Literal["nothing"]
    submissions: tuple[Hash, ...]
    """Digests of the rules submissions that its rounds were played under, in order."""
    software: str
    """Version that hands it over."""
    made_at: Timestamp
    key_id: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    """The first sixteen digits of the SHA-256 of the public key."""
    public_key: Hash


class ExportRecord(BaseModel):
    """A record exactly as it is chained."""

    model_config = STRICT

    sequence: Sequence
    at: Timestamp
    """When it was written; when it was observed stands in the body."""
    event: str
    """The kind of event."""
    body: str
    """The event, as JSON; its bytes in UTF-8 are what was hashed."""
    hash: Hash


class ExportTail(BaseModel):
    """The last line."""

    model_config = STRICT

    kind: Literal["tail"] = "tail"
    records: int
    digest: Hash
    """SHA-256 of all lines before this one, their line feeds included."""
    signature: Annotated[str, Field(pattern="^[0-9a-f]{128}$")]


class JournalLineError(ContractError):
    """A line is none of an export; the message says what is wrong with it."""


_HEADS: StrictJson[ExportHead] = StrictJson(TypeAdapter(ExportHead).core_schema, "the head of an export")
_RECORDS: StrictJson[ExportRecord] = StrictJson(TypeAdapter(ExportRecord).core_schema, "a record")
_TAILS: StrictJson[ExportTail] = StrictJson(TypeAdapter(ExportTail).core_schema, "the tail of an export")


def line_of(part: ExportHead | ExportRecord | ExportTail) -> bytes:
    """Return a line with its line feed; raise ``JournalLineError`` if it cannot be one."""
    try:
        match part:
            case ExportHead():
                return _HEADS.encode(part) + b"\n"
            case ExportRecord():
                return _RECORDS.encode(part) + b"\n"
            case ExportTail():
                return _TAILS.encode(part) + b"\n"
    except ContractError as error:
        raise JournalLineError(str(error)) from error


def head_from_line(line: bytes) -> ExportHead:
    """Return the head of an export; raise ``JournalLineError``."""
    return _read(_HEADS, line)


def part_from_line(line: bytes) -> ExportRecord | ExportTail:
    """Return what a later line holds; raise ``JournalLineError``."""
    if line.startswith(b'{"kind":"tail"'):
        return _read(_TAILS, line)
    return _read(_RECORDS, line)


def _read(form: StrictJson[_T], line: bytes) -> _T:
    try:
        return form.decode(line)
    except ContractError as error:
        raise JournalLineError(str(error)) from error
