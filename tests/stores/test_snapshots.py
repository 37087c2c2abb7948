from dataclasses import replace

import pytest

from bridge.domain.identity import Sequence
from bridge.stores.snapshots import Snapshot, make_snapshot


def snapshot() -> Snapshot:
    return make_snapshot(
        sequence=Sequence(12), hash_=b"\x07" * 32, software="1.2", code=b"\x09" * 32, body=b'{"state":1}'
    )


def test_what_was_made_is_whole() -> None:
    assert snapshot().is_whole


@pytest.mark.parametrize(
    "changed",
    [
        replace(snapshot(), sequence=Sequence(13)),
        replace(snapshot(), hash=b"\x08" * 32),
        replace(snapshot(), software="1.3"),
        replace(snapshot(), code=b"\x01" * 32),
        replace(snapshot(), body=b'{"state":2}'),
        replace(snapshot(), digest=bytes(32)),
    ],
)
def test_whatever_is_changed_is_seen(changed: Snapshot) -> None:
    assert not changed.is_whole


def test_nothing_shifts_from_one_part_to_the_next() -> None:
    one = make_snapshot(sequence=Sequence(1), hash_=b"h", software="1", code=b"c", body=b"2")
    other = make_snapshot(sequence=Sequence(1), hash_=b"h", software="1 c", code=b"", body=b"2")
    assert one.digest != other.digest
