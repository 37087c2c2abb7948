import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from bridge.stores import fold
from bridge.stores.fold import core_digest, table_fold
from bridge.stores.journal import JournalError
from bridge.table.evolve import evolve
from bridge.table.state import initial_state
from tests.stores.suites import card_drawn
from tests.table.tables import Play, setup


def test_a_journal_tells_its_setup_with_its_first_event() -> None:
    play = Play()
    first, *others = play.events
    state = evolve(table_fold().begin(first), first)
    for event in others:
        state = evolve(state, event)
    assert state == play.state


def test_one_that_does_not_is_folded_under_the_given_setup_or_not_at_all() -> None:
    assert table_fold(setup()).begin(card_drawn(1)) == initial_state(setup())
    with pytest.raises(JournalError, match="does not begin with the start of a bridge"):
        table_fold().begin(card_drawn(1))


def test_bytes_stand_for_the_state() -> None:
    state = Play().state
    assert table_fold().decode(table_fold().encode(state)) == state
    assert table_fold().sequence(state) == state.sequence


def test_any_change_of_the_code_that_folds_is_another_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "bridge"
    shutil.copytree(str(files("bridge")), copy)
    monkeypatch.setattr(fold, "files", lambda package: tmp_path.joinpath(*package.split(".")))
    digests = set()
    for module in ("table/evolve.py", "rules/baccarat.py", "domain/rounds.py", "daemon/loop.py"):
        with (copy / module).open("a") as file:
            file.write("\n# another release\n")
        core_digest.cache_clear()
        digests.add(core_digest())
    core_digest.cache_clear()
    assert len(digests) == 3, "the daemon folds nothing itself"
    monkeypatch.undo()
    assert core_digest() not in digests
