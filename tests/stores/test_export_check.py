import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.contracts.journal_lines import ExportRecord, line_of, part_from_line
from bridge.domain.identity import TableId, Timestamp
from bridge.stores.chain import link_hash
from bridge.stores.export_check import ExportVerdict, UnreadableExportError, check_export
from bridge.stores.journal_export import export_day
from bridge.stores.signing import PublicKey, SigningKey, load_key, make_key
from tests.stores.days import days_of_play, write

DAY = "2026-01-06"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[SigningKey, SigningKey]:
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ours", "theirs"):
        make_key(folder / name)
    return load_key(folder / "ours"), load_key(folder / "theirs")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, keys: tuple[SigningKey, SigningKey]) -> list[bytes]:
    path = tmp_path_factory.mktemp("table") / "bj.journal"
    asyncio.run(write(path, days_of_play(3, rounds_a_day=1)))
    return list(export_day(path, table=TableId("bj"), day=DAY, key=keys[0], now=Timestamp(1)))


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., ExportVerdict]:
    def check(lines: list[bytes], key: PublicKey | None = None) -> ExportVerdict:
        (tmp_path / "day.jsonl").write_bytes(b"".join(lines))
        return check_export(tmp_path / "day.jsonl", key)

    return check


Check = Callable[..., ExportVerdict]


def test_an_export_is_accepted_with_nothing_else_of_ours(
    exported: list[bytes], check: Check, keys: tuple[SigningKey, SigningKey]
) -> None:
    verdict = check(exported)
    assert verdict.broken is None
    assert verdict.head is not None
    assert (verdict.head.day, verdict.records) == (DAY, len(exported) - 2)
    assert verdict.last_hash == json.loads(exported[-2])["hash"]
    assert not verdict.key_was_given
    assert check(exported, keys[0].public).key_was_given
    assert check(exported, keys[0].public).broken is None


def test_another_key_than_the_one_that_is_trusted_is_told_at_once(
    exported: list[bytes], check: Check, keys: tuple[SigningKey, SigningKey]
) -> None:
    broken = check(exported, keys[1].public).broken
    assert broken is not None
    assert broken.line == 1
    assert f"was to be signed with the key {keys[1].public.id}" in broken.reason


def changed(line: bytes, **fields: object) -> bytes:
    return json.dumps(json.loads(line) | fields, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


@pytest.mark.parametrize("field", ["sequence", "at", "event", "body", "hash"])
def test_the_first_record_that_was_changed_is_named(exported: list[bytes], check: Check, field: str) -> None:
    was = json.loads(exported[9])[field]
    now = was + 1 if isinstance(was, int) else ("0" if was[0] != "0" else "1") + was[1:]
    broken = check([*exported[:9], changed(exported[9], **{field: now}), *exported[10:]]).broken
    assert broken is not None
    assert broken.line == 10
    assert broken.sequence in {json.loads(exported[9])["sequence"], now}
    assert "record" in broken.reason


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (lambda lines: [*lines[:5], *lines[6:]], 6, "is missing"),
        (lambda lines: [*lines[:5], lines[6], lines[5], *lines[7:]], 6, "is missing"),
        (lambda lines: [*lines[:5], lines[5], *lines[5:]], 7, "is missing"),
        (lambda lines: lines[:-1], None, "without its tail"),
        (lambda lines: [*lines[:-2], lines[-1]], None, "is missing before it"),
        (lambda lines: [*lines, lines[-1]], None, "stands behind the tail"),
        (lambda lines: [*lines, b"\n"], None, "stands behind the tail"),
        (lambda lines: lines[1:], 1, "not the head of an export"),
        (lambda lines: [changed(lines[0], table="bj-2"), *lines[1:]], None, "the head, or how a line is written"),
        (lambda lines: [changed(lines[0], key_id="0" * 16), *lines[1:]], 1, "the id of another"),
        (lambda lines: [changed(lines[0], hash_before="00" * 32), *lines[1:]], 2, "is not what was written"),
        (lambda lines: [*lines[:5], lines[5].replace(b":", b": ", 1), *lines[6:]], None, "how a line is written"),
        (lambda lines: [*lines[:5], b"{}\n", *lines[6:]], 6, "not a record"),
        (lambda lines: [*lines[:5], b"x" * 1_000_002, *lines[6:]], 6, "longer than any of ours"),
        (lambda lines: [*lines[:-1], changed(lines[-1], digest="00" * 32)], None, "another digest"),
        (lambda lines: [*lines[:-1], changed(lines[-1], signature="00" * 64)], None, "is not signed with the key"),
        (lambda lines: [*lines[:-1], changed(lines[-1], records=3)], None, "is missing before it"),
        (lambda _lines: [], 1, "not the head of an export"),
    ],
)
def test_the_first_broken_line_is_named(
    exported: list[bytes],
    check: Check,
    change: Callable[[list[bytes]], list[bytes]],
    line: int | None,
    reason: str,
) -> None:
    broken = check(change(exported)).broken
    assert broken is not None
    assert reason in broken.reason
    assert line is None or broken.line == line
    assert line is not None or broken.line >= len(exported) - 1


def test_no_byte_of_an_export_can_be_changed_unseen(exported: list[bytes], check: Check) -> None:
    whole = bytearray(b"".join(exported))
    for place in range(0, len(whole), 97):
        whole[place] ^= 1
        assert check([bytes(whole)]).broken is not None
        whole[place] ^= 1


def test_a_forger_who_signs_with_a_key_of_his_own_is_found_with_the_trusted_one(
    check: Check, keys: tuple[SigningKey, SigningKey], tmp_path: Path
) -> None:
    path = tmp_path / "bj.journal"
    asyncio.run(write(path, days_of_play(2, rounds_a_day=1, seed=9)))
    forged = list(export_day(path, table=TableId("bj"), day="2026-01-05", key=keys[1], now=Timestamp(1)))
    assert check(forged).broken is None
    assert check(forged, keys[0].public).broken is not None


def test_a_record_that_says_one_thing_and_holds_another_is_named(exported: list[bytes], check: Check) -> None:
    record = part_from_line(exported[1])
    assert isinstance(record, ExportRecord)
    before = bytes.fromhex(json.loads(exported[0])["hash_before"])
    for field, value in (("event", "card_drawn"), ("body", '{"at":1}')):
        forged = record.model_copy(update={field: value})
        hash_ = link_hash(before, forged.sequence, forged.at, forged.event.encode(), forged.body.encode())
        line = line_of(forged.model_copy(update={"hash": hash_.hex()}))
        broken = check([exported[0], line, *exported[2:]]).broken
        assert broken is not None
        assert broken.line == 2


def test_what_cannot_be_read_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnreadableExportError, match="cannot read"):
        check_export(tmp_path / "none.jsonl")
