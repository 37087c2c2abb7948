import hashlib

import pytest

from bridge.stores.chain import BrokenChainError, Link, Row, follow, link_hash

GENESIS = Link(0, bytes(32))


def linked(count: int) -> list[Row]:
    rows: list[Row] = []
    previous = GENESIS.hash
    for sequence in range(1, count + 1):
        body = b'{"n":%d}' % sequence
        previous = link_hash(previous, sequence, sequence * 10, b"card_drawn", body)
        rows.append((sequence, sequence * 10, b"card_drawn", body, previous))
    return rows


def test_the_hash_is_over_the_one_before_and_everything_in_the_record() -> None:
    expected = hashlib.sha256(b"\x07" * 32 + b'3 40 card_drawn\n{"a":1}').digest()
    assert link_hash(b"\x07" * 32, 3, 40, b"card_drawn", b'{"a":1}') == expected


def test_an_unbroken_chain_is_followed_whole_and_from_within() -> None:
    rows = linked(5)
    assert list(follow(rows, GENESIS)) == rows
    assert list(follow(rows[2:], Link(2, rows[1][4]))) == rows[2:]


@pytest.mark.parametrize("column", range(1, 5))
def test_whatever_is_altered_in_a_record_breaks_the_chain_there(column: int) -> None:
    rows = linked(5)
    sequence, at, *texts = rows[2]
    if column == 1:
        at += 1
    else:
        texts[column - 2] = bytes([texts[column - 2][0] ^ 1]) + texts[column - 2][1:]
    kind, body, hash_ = texts
    rows[2] = (sequence, at, kind, body, hash_)
    followed = follow(rows, GENESIS)
    assert [next(followed)[0], next(followed)[0]] == [1, 2]
    with pytest.raises(BrokenChainError, match="record 3 is not what was written") as caught:
        next(followed)
    assert caught.value.sequence == 3


def test_a_missing_record_is_named() -> None:
    rows = linked(5)
    del rows[3]
    with pytest.raises(BrokenChainError, match="record 4 is missing: 5 stands in its place"):
        list(follow(rows, GENESIS))


def test_exchanged_records_break_the_chain() -> None:
    rows = linked(3)
    first, second = rows[0], rows[1]
    rows[0], rows[1] = (1, *second[1:]), (2, *first[1:])
    with pytest.raises(BrokenChainError, match="record 1 "):
        list(follow(rows, GENESIS))


def test_a_value_of_another_type_is_damage() -> None:
    rows = linked(2)
    rows[1] = (2, None, *rows[1][2:])  # type: ignore[assignment]
    with pytest.raises(BrokenChainError, match="record 2 is not what was written"):
        list(follow(rows, GENESIS))
