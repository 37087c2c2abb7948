from itertools import pairwise

from hypothesis import given, strategies as st

from bridge.scoreboard.dragon_tail import places
from bridge.scoreboard.grid import ROWS, Cell
from tests.scoreboard.pictures import dragons, drawn_by_hand, letters, squares

symbols = st.one_of(letters, dragons)


def drawn(text: str) -> str:
    """Draw a road of letters; spaces are for the eye."""
    road = "".join(text.split())
    return squares((place.drawn, letter) for place, letter in zip(places(road), road, strict=True))


def test_equal_symbols_go_down_and_another_begins_a_column() -> None:
    assert drawn("bb r bbb") == drawn_by_hand("""
        brb
        b.b
        ..b
        ...
        ...
        ...
    """)


def test_at_the_bottom_the_tail_turns_right() -> None:
    assert drawn("bbbbbbbb rr") == drawn_by_hand("""
        br.
        br.
        b..
        b..
        b..
        bbb
    """)


def test_above_a_tail_the_next_one_turns_and_stays_in_its_row() -> None:
    assert drawn("bbbbbbb rrrrrrrrr") == drawn_by_hand("""
        br....
        br....
        br....
        br....
        brrrrr
        bb....
    """)


def test_six_tails_fill_every_row_and_the_seventh_run_begins_to_the_right_of_the_topmost() -> None:
    assert drawn("bbbbbbb rrrrrrr bbbbbbb rrrrrrr bbbbbbb rrrrrrr bbbbbbb") == drawn_by_hand("""
        brbrbrrrrrrrb.
        brbrbbbbbb..b.
        brbrrrrr....b.
        brbbbb......b.
        brrr........b.
        bb..........bb
    """)


def test_the_logical_place_knows_no_bottom() -> None:
    *_, last = places("bbbbbbbbb")
    assert (last.logical, last.drawn) == (Cell(0, 8), Cell(3, 5))


@given(symbols)
def test_no_two_beads_meet_and_all_are_in_six_rows(text: str) -> None:
    cells = [place.drawn for place in places(text)]
    assert len(set(cells)) == len(cells) == len(text)
    assert all(0 <= cell.row < ROWS for cell in cells)


@given(symbols, st.sampled_from("BPT"))
def test_a_further_symbol_moves_nothing(text: str, further: str) -> None:
    assert list(places(text + further))[:-1] == list(places(text))


@given(symbols)
def test_beads_of_a_run_touch_and_each_run_begins_in_the_top_row_to_the_right(text: str) -> None:
    placed = list(places(text))
    for before, after in pairwise(placed):
        step = (after.drawn.column - before.drawn.column, after.drawn.row - before.drawn.row)
        if after.logical.row:
            assert step in {(0, 1), (1, 0)}
        else:
            assert after.drawn.row == 0
    starts = [place.drawn.column for place in placed if place.logical.row == 0]
    assert starts == sorted(set(starts))
