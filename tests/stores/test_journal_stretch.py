from pathlib import Path

import pytest

from bridge.domain.identity import Sequence
from bridge.stores import chain
from bridge.stores.chain import Fault
from bridge.stores.fold import table_fold
from bridge.stores.journal_file import open_journal_file
from bridge.stores.journal_files import files_of
from bridge.stores.journal_stretch import Looked, Stretch, StretchWalk
from tests.stores.days import days_of_play, folded, lay_out

EVENTS = days_of_play(3, rounds_a_day=1)
BEGINNING = chain.Link(0, b"")


@pytest.fixture
def days(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "bj.journal", 3, rounds_a_day=1)


def link(path: Path, sequence: int) -> chain.Link:
    for file in files_of(path):
        with open_journal_file(file) as opened:
            if (found := opened.link_at(sequence)) is not None:
                return found
    raise AssertionError(f"no record {sequence}")


def walk(path: Path, *, after: int = 0, up_to: int | None = None, state: bytes | None = None) -> Looked:
    stretch = Stretch(
        files=tuple(files_of(path)),
        after=link(path, after) if after else None,
        state=state,
        up_to=None if up_to is None else Sequence(up_to),
    )
    return StretchWalk(stretch, table_fold()).walk()


def test_a_whole_journal_is_one_stretch(days: Path) -> None:
    looked = walk(days)
    assert looked.begin == link(days, 0)
    assert looked.end == link(days, len(EVENTS))
    assert (looked.broken, looked.unfolded, looked.snapshots_passed_over) == (None, 0, 0)


@pytest.mark.parametrize("up_to", [3, 40, len(EVENTS)])
def test_a_stretch_ends_where_it_is_told_to(days: Path, up_to: int) -> None:
    assert walk(days, up_to=up_to).end == link(days, up_to)


def test_a_stretch_goes_on_from_a_state(days: Path) -> None:
    state = table_fold().encode(folded(EVENTS[:30]))
    looked = walk(days, after=30, state=state)
    assert (looked.begin, looked.broken, looked.unfolded) == (link(days, 30), None, 0)


def test_a_stretch_that_goes_on_from_a_wrong_state_is_broken_where_the_next_was_kept(days: Path) -> None:
    looked = walk(days, after=30, state=table_fold().encode(folded(EVENTS[:29])))
    assert looked.broken is not None
    assert looked.broken.fault is Fault.SNAPSHOT
    assert looked.broken.file == files_of(days)[0], "the first file kept its last state"


def test_without_a_state_a_stretch_is_folded_from_the_first_one_it_meets(days: Path) -> None:
    with open_journal_file(files_of(days)[1]) as second:
        begins = second.head.before.sequence
    looked = walk(days, after=30)
    assert (looked.broken, looked.unfolded) == (None, begins - 30)


def test_a_stretch_from_a_place_of_another_chain_is_broken_at_once(days: Path) -> None:
    stretch = Stretch(files=tuple(files_of(days)), after=chain.Link(30, bytes(32)), state=None, up_to=None)
    looked = StretchWalk(stretch, table_fold()).walk()
    assert looked.broken is not None
    assert (looked.broken.sequence, looked.broken.fault) == (31, Fault.HASH)
