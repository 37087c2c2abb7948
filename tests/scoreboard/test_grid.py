from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bridge.scoreboard.big_road import BigRoadBead, big_road
from bridge.scoreboard.grid import Cell, window
from bridge.scoreboard.rounds import ScoreboardError
from tests.scoreboard.pictures import LETTERS, a_shoe, drawn_by_hand, picture, shoes


def beads(text: str) -> tuple[BigRoadBead, ...]:
    return big_road(a_shoe(text)).beads


def seen(text: str, columns: int) -> str:
    return picture(window(beads(text), columns), lambda bead: LETTERS[bead.winner])


def test_a_window_shows_the_newest_columns() -> None:
    assert seen("B PP BBB P BB", 3) == drawn_by_hand("""
        BPB
        B.B
        B..
        ...
        ...
        ...
    """)


def test_a_wide_display_shows_everything() -> None:
    assert window(beads("B PP BBB"), 3) == beads("B PP BBB") == window(beads("B PP BBB"), 100)


def test_a_dragon_tail_does_not_push_the_newest_bead_out_of_sight() -> None:
    assert seen("P BBBBBBBBBBBB P", 3) == drawn_by_hand("""
        P..
        ...
        ...
        ...
        ...
        BBB
    """)


def test_a_new_shoe_has_nothing_to_show() -> None:
    assert window((), 6) == ()


@pytest.mark.parametrize("columns", [0, -1])
def test_a_display_without_columns_is_refused(columns: int) -> None:
    with pytest.raises(ScoreboardError, match=f"at least one column, not {columns}"):
        window(beads("B"), columns)


@given(shoes.filter(lambda text: "B" in text), st.integers(1, 30))
def test_a_window_holds_the_newest_bead_and_only_moves_what_it_shows(text: str, columns: int) -> None:
    every = beads(text)
    shown = window(every, columns)
    (moved,) = {
        bead.drawn.column - windowed.drawn.column
        for windowed in shown
        for bead in every
        if bead.scored == windowed.scored
    }

    assert shown[-1].scored == every[-1].scored
    assert all(0 <= bead.drawn.column < columns for bead in shown)
    assert [replace(bead, drawn=Cell(bead.drawn.column + moved, bead.drawn.row)) for bead in shown] == [
        bead for bead in every if moved <= bead.drawn.column < moved + columns
    ]
