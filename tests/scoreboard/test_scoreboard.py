from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from bridge.domain.settlements import Winner
from bridge.scoreboard.bead_plate import bead_plate
from bridge.scoreboard.big_road import big_road
from bridge.scoreboard.derived_roads import DerivedBead, derived_roads, prediction
from bridge.scoreboard.rounds import ScoreboardError
from bridge.scoreboard.scoreboard import Scoreboard, scoreboard
from bridge.scoreboard.totals import shoe_totals
from tests.scoreboard.pictures import (
    COLOUR_LETTERS,
    LETTERS,
    LONG_SHOE,
    a_round,
    a_shoe,
    drawn_by_hand,
    picture,
    shoes,
)


def derived_picture(beads: Sequence[DerivedBead]) -> str:
    return picture(beads, lambda bead: COLOUR_LETTERS[bead.colour])


def test_it_is_everything_that_a_table_shows() -> None:
    rounds = a_shoe(LONG_SHOE)
    road = big_road(rounds)
    assert scoreboard(rounds) == Scoreboard(
        bead_plate=bead_plate(rounds),
        big_road=road,
        derived=derived_roads(road),
        if_banker=prediction(road, Winner.BANKER),
        if_player=prediction(road, Winner.PLAYER),
        totals=shoe_totals(rounds, road),
    )


def test_a_new_shoe_begins_empty() -> None:
    board = scoreboard(())
    assert not board.bead_plate
    assert not board.big_road.beads
    assert not board.derived.big_eye_boy
    assert board.totals.rounds == 0
    assert board.window(6) == board


@pytest.mark.parametrize("second", [4, 3])
def test_a_round_given_twice_or_out_of_order_is_refused(second: int) -> None:
    with pytest.raises(ScoreboardError, match=f"round {second} comes after round 4"):
        scoreboard([a_round("B", 4), a_round("B", second)])


def test_a_window_of_every_road() -> None:
    """The last four columns of the long shoe; its bead plate ends with BPPTPP PPBBPP PTBPPP PBBT."""
    shown = scoreboard(a_shoe(LONG_SHOE)).window(4)
    assert picture(shown.bead_plate, lambda bead: LETTERS[bead.scored.winner]) == drawn_by_hand("""
        BPPP
        PPTB
        PBBB
        TBPT
        PPP.
        PPP.
    """)
    assert picture(shown.big_road.beads, lambda bead: LETTERS[bead.winner]) == drawn_by_hand("""
        PBPB
        P.PB
        P.P.
        ..P.
        ....
        ....
    """)
    assert derived_picture(shown.derived.big_eye_boy) == drawn_by_hand("""
        brbr
        br..
        b...
        b...
        ....
        ....
    """)
    assert derived_picture(shown.derived.small_road) == drawn_by_hand("""
        rbrb
        rbrb
        ...b
        ....
        ....
        ....
    """)
    assert derived_picture(shown.derived.cockroach_road) == drawn_by_hand("""
        brbr
        ....
        ....
        ....
        ....
        ....
    """)


@given(shoes, st.integers(1, 30))
def test_totals_and_predictions_are_of_the_whole_shoe_whatever_fits(text: str, columns: int) -> None:
    board = scoreboard(a_shoe(text))
    shown = board.window(columns)
    assert (shown.totals, shown.if_banker, shown.if_player) == (board.totals, board.if_banker, board.if_player)
    assert shown.big_road.run_lengths == board.big_road.run_lengths
