"""An export is read here as an auditor would: with JSON, SHA-256 and Ed25519, and with nothing of ours."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bridge.domain.identity import TableId, Timestamp
from bridge.stores.journal import JournalError
from bridge.stores.journal_day import NoSuchDayError
from bridge.stores.journal_export import ExportFileError, export_day, write_export
from bridge.stores.journal_files import finished_files
from bridge.stores.signing import SigningKey, load_key, make_key
from tests.stores.days import lay_out, unguarded

TABLE = TableId("bj-demo")
NOW = Timestamp(1_800_000_000_000_000)
DAYS = ("2026-01-05", "2026-01-06", "2026-01-07")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "bj-demo.journal", 3)


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    make_key(tmp_path / "key")
    return load_key(tmp_path / "key")


def lines(path: Path, key: SigningKey, day: str) -> list[bytes]:
    return list(export_day(path, table=TABLE, day=day, key=key, now=NOW))


def parsed(lines: list[bytes]) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    head, *records, tail = (json.loads(line) for line in lines)
    return head, records, tail


def chained(before: bytes, records: list[dict[str, Any]]) -> Iterator[bytes]:
    for record in records:
        said = f"{record['sequence']} {record['at']} {record['event']}\n{record['body']}"
        before = hashlib.sha256(before + said.encode()).digest()
        yield before


def test_a_day_is_signed_and_chained_and_says_what_it_is(path: Path, key: SigningKey) -> None:
    exported = lines(path, key, DAYS[1])
    head, records, tail = parsed(exported)
    assert (head["table"], head["day"], head["days"], head["day_is_over"]) == (TABLE, DAYS[1], [DAYS[1]], True)
    assert (head["held_back"], head["made_at"], head["public_key"]) == ("nothing", NOW, key.public.hex)
    assert [record["sequence"] for record in records] == list(range(head["first"], head["last"] + 1))
    assert [link.hex() for link in chained(bytes.fromhex(head["hash_before"]), records)] == [
        record["hash"] for record in records
    ]
    assert all(json.loads(record["body"])["kind"] == record["event"] for record in records)
    digest = hashlib.sha256(b"".join(exported[:-1]))
    assert (tail["records"], tail["digest"]) == (len(records), digest.hexdigest())
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(head["public_key"])).verify(
        bytes.fromhex(tail["signature"]), b"table-bridge journal export 1\n" + digest.digest()
    )


def test_days_follow_from_each_other(path: Path, key: SigningKey) -> None:
    first, second = parsed(lines(path, key, DAYS[0])), parsed(lines(path, key, DAYS[1]))
    assert second[0]["hash_before"] == first[1][-1]["hash"]
    assert second[0]["first"] == first[0]["last"] + 1


def test_T48_what_is_held_back_is_said_in_the_head(path: Path, key: SigningKey) -> None:
    head, records, _ = parsed(lines(path, key, DAYS[2]))
    assert not head["day_is_over"]
    assert head["held_back"]["from_sequence"] == head["last"] + 1 == records[-1]["sequence"] + 1
    assert "not over" in head["held_back"]["reason"]


def test_the_journal_is_read_and_left_as_it_is(path: Path, key: SigningKey) -> None:
    before = {file: file.read_bytes() for file in sorted(path.parent.rglob("*")) if file.is_file()}
    lines(path, key, DAYS[1])
    assert {file: file.read_bytes() for file in sorted(path.parent.rglob("*")) if file.is_file()} == before


def test_of_a_damaged_journal_nothing_is_handed_over(path: Path, key: SigningKey) -> None:
    unguarded(finished_files(path)[1], "UPDATE records SET at = at + 1 WHERE kind = 'lock_out_pressed'")
    to = path.with_name("day.jsonl")
    with pytest.raises(JournalError, match="is damaged: record"):
        write_export(to, export_day(path, table=TABLE, day=DAYS[1], key=key, now=NOW))
    assert not to.exists()


def test_a_file_that_is_there_is_not_overwritten(path: Path, key: SigningKey) -> None:
    to = path.with_name("day.jsonl")
    write_export(to, export_day(path, table=TABLE, day=DAYS[1], key=key, now=NOW))
    content = to.read_bytes()
    assert to.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ExportFileError, match="is there already, and is not overwritten"):
        write_export(to, (b"other",))
    assert to.read_bytes() == content
    with pytest.raises(ExportFileError, match="cannot write"):
        write_export(path.parent / "none" / "day.jsonl", (b"other",))


def test_a_day_that_is_not_there_is_told(path: Path, key: SigningKey) -> None:
    with pytest.raises(NoSuchDayError, match="nothing of 2026-05-01"):
        lines(path, key, "2026-05-01")
