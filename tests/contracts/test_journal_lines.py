import pytest

from bridge.contracts.journal_lines import (
    ExportHead,
    ExportRecord,
    ExportTail,
    HeldBack,
    JournalLineError,
    head_from_line,
    line_of,
    part_from_line,
)
from bridge.domain.identity import RoundNumber, Sequence
from tests.contracts.samples import AT, TABLE

HEAD = ExportHead(
    table=TABLE,
    day="2026-11-29",
    day_is_over=True,
    days=("2026-11-29",),
    first=Sequence(12),
    last=Sequence(40),
    hash_before="ab" * 32,
    held_back=HeldBack(from_sequence=Sequence(41), round_number=RoundNumber(7), reason="it is not over"),
    submissions=("cd" * 32,),
    software="0.1.0",
    made_at=AT,
    key_id="0123456789abcdef",
    public_key="ef" * 32,
)
RECORD = ExportRecord(sequence=Sequence(12), at=AT, event="card_drawn", body='{"card":"\\u00e9"}', hash="01" * 32)
TAIL = ExportTail(records=29, digest="23" * 32, signature="45" * 64)


def test_every_line_comes_back_as_what_it_was() -> None:
    assert head_from_line(line_of(HEAD)) == HEAD
    assert head_from_line(line_of(HEAD.model_copy(update={"held_back": "nothing"}))).held_back == "nothing"
    assert part_from_line(line_of(RECORD)) == RECORD
    assert part_from_line(line_of(TAIL)) == TAIL
    assert all(line_of(part).count(b"\n") == 1 for part in (HEAD, RECORD, TAIL))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"format":1', b'"format":2'),
        (b'"format":1', b'"format":true'),
        (b'"first":12', b'"first":"12"'),
        (b'"kind":"head",', b""),
        (b'"software"', b'"hardware"'),
        (b"abab", b"ABAB"),
        (b'"key_id":"0', b'"key_id":"'),
    ],
)
def test_a_head_is_read_strictly(old: bytes, new: bytes) -> None:
    line = line_of(HEAD)
    assert old in line
    with pytest.raises(JournalLineError, match="not the head of an export"):
        head_from_line(line.replace(old, new, 1))


@pytest.mark.parametrize(
    "line", [b"", b"\n", b"{}", b"[]", b'{"kind":"tail"}', line_of(HEAD), line_of(RECORD)[:-2]]
)
def test_what_is_neither_record_nor_tail_is_refused(line: bytes) -> None:
    with pytest.raises(JournalLineError):
        part_from_line(line)


def test_what_is_no_line_is_not_written() -> None:
    with pytest.raises(JournalLineError, match="cannot be written as a record"):
        line_of(RECORD.model_copy(update={"at": 1.5}))
