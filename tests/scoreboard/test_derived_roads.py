from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from bridge.domain.settlements import Winner
from bridge.scoreboard.big_road import WinningHand, big_road
from bridge.scoreboard.derived_roads import (
    BIG_EYE_BOY,
    COCKROACH_ROAD,
    SMALL_ROAD,
    Colour,
    DerivedBead,
    DerivedRoads,
    NotBegun,
    Prediction,
    derived_roads,
    prediction,
)
from tests.scoreboard.pictures import COLOUR_LETTERS, LONG_SHOE, a_shoe, drawn_by_hand, picture, shoes


def roads_of(text: str) -> DerivedRoads:
    return derived_roads(big_road(a_shoe(text)))


def three(roads: DerivedRoads) -> dict[int, tuple[DerivedBead, ...]]:
    return {BIG_EYE_BOY: roads.big_eye_boy, SMALL_ROAD: roads.small_road, COCKROACH_ROAD: roads.cockroach_road}


def letters_of(beads: Sequence[DerivedBead]) -> str:
    return "".join(COLOUR_LETTERS[bead.colour] for bead in beads)


def drawn(beads: Sequence[DerivedBead]) -> str:
    return picture(beads, lambda bead: COLOUR_LETTERS[bead.colour])


def with_a_pencil(winners: str, to_the_left: int) -> str:
    """Say the colours as one does who looks at the squares of a big road without a bottom.

    A bead further down is red if the square so far to the left of it and the one above that are alike: both
    have a bead, or neither has. A bead that begins a column is red if the column before it and the one so far
    to the left of that are alike in every square.
    """
    squares: list[tuple[int, int]] = []
    for place, winner in enumerate(winners):
        if place == 0:
            squares.append((1, 1))
        elif winner == winners[place - 1]:
            squares.append((squares[-1][0], squares[-1][1] + 1))
        else:
            squares.append((squares[-1][0] + 1, 1))
    colours = ""
    for column, row in squares:
        if row >= 2 and column >= to_the_left + 1:
            left = column - to_the_left
            alike = ((left, row) in squares) is ((left, row - 1) in squares)
            colours += "r" if alike else "b"
        elif row == 1 and column >= to_the_left + 2:
            one = {square[1] for square in squares if square[0] == column - 1}
            other = {square[1] for square in squares if square[0] == column - 1 - to_the_left}
            colours += "r" if one == other else "b"
    return colours


@pytest.mark.parametrize(
    ("shoe", "big_eye_boy", "small_road", "cockroach_road"),
    [
        ("BBBB P B", "b", "", ""),  # third column, first row: one against four
        ("BBBB PP", "r", "", ""),  # second column, second row: four reach beside it
        ("B PP", "b", "", ""),  # one ends beside it
        ("B PPP", "br", "", ""),  # there is nothing beside it, nor above that
        ("B P B P B P", "rrrr", "rrr", "rr"),  # chops repeat in every road
        ("B T P T T B", "r", "", ""),  # tie hands change nothing
        ("B P BB", "rb", "b", ""),  # third column, second row: one, one column further left too
        ("BB PP BB PP BB", "rrrrrrr", "rrrrr", "rrr"),  # and so do pairs of wins
        # Second column beside two: r, b, r. Third: four is not two, b; then beside four, r, and beside two, r.
        ("BB PPPP BB", "rbrbr", "r", ""),
        # Big eye boy: one is not three, b; beside one: b, r; three is not one, b; beside three: r.
        # Small road: beside three: r, r; three is three, r; beside one: b. Cockroach road: beside three: r.
        ("BBB P BBB PP", "bbrbr", "rrrb", "r"),
    ],
)
def test_small_shoes_by_hand(shoe: str, big_eye_boy: str, small_road: str, cockroach_road: str) -> None:
    roads = roads_of(shoe)
    assert [letters_of(beads) for beads in three(roads).values()] == [big_eye_boy, small_road, cockroach_road]


def test_big_eye_boy_of_the_long_shoe() -> None:
    """By the runs of the big road, from the third on.

    bbr brr rrrbrrrrr brrrrrr b b r r rb br rrbr b bbrrr brrrrb br brb b bbrr br
    """
    assert drawn(roads_of(LONG_SHOE).big_eye_boy) == drawn_by_hand("""
        brbrbrbrbrbrbrbrbrbrbrbrbr
        b..r.r.rbrbr..br.rb...br..
        ...r.r.r.r.r..br.r....b...
        ...r.r.r.........r....b...
        ...r.r.r..................
        .......r..................
    """)


def test_small_road_of_the_long_shoe() -> None:
    """By the runs of the big road, from the third on.

    rb bbr brrbrrrrr brrbrrr b b b r rb bb brbr b brrrb bbrrrr br brr b brrb bb
    """
    assert drawn(roads_of(LONG_SHOE).small_road) == drawn_by_hand("""
        rbrbrbrbrbrbrbrbrbrbrbrbrbrb
        .b..r.r.r.rbrb...brbr...rbrb
        .b....r...rb.b....rbr......b
        ......r......b......r.......
        ......r.....................
        ............................
    """)


def test_cockroach_road_of_the_long_shoe() -> None:
    """By the runs of the big road, from the fourth on; its seven reds have a tail.

    rb bbrrrrrrr brrbrrr b b b b rb bb bbrr b brbrr brrrbr bb brr b brbr br
    """
    assert drawn(roads_of(LONG_SHOE).cockroach_road) == drawn_by_hand("""
        rbrbrbrbrbrbrbrbrbrbrbrbrbr
        .br.r.rb.brb..r.r..brb.....
        .br...rb.b......r..b.......
        ..r....b.b.................
        ..r......b.................
        ..rr.......................
    """)


@given(shoes)
def test_both_formulations_of_the_rule_agree(text: str) -> None:
    found = {to_the_left: letters_of(beads) for to_the_left, beads in three(roads_of(text)).items()}
    winners = text.replace("T", "")
    assert found == {to_the_left: with_a_pencil(winners, to_the_left) for to_the_left in (1, 2, 3)}


@given(shoes, st.sampled_from("BPT"))
def test_a_further_round_moves_no_bead(text: str, further: str) -> None:
    before, after = three(roads_of(text)), three(roads_of(text + further))
    assert all(after[road][: len(beads)] == beads for road, beads in before.items())


@given(shoes)
def test_every_bead_has_its_round_and_its_own_square(text: str) -> None:
    won = [scored.number for scored in a_shoe(text) if scored.winner is not Winner.TIE_HAND]
    for beads in three(roads_of(text)).values():
        assert len(drawn(beads).replace(".", "").replace("\n", "")) == len(beads)
        assert [bead.number for bead in beads] == won[len(won) - len(beads) :]


def test_a_new_shoe_begins_empty_and_predicts_nothing() -> None:
    nothing = Prediction(
        big_eye_boy=NotBegun.NOT_BEGUN, small_road=NotBegun.NOT_BEGUN, cockroach_road=NotBegun.NOT_BEGUN
    )
    assert roads_of("") == DerivedRoads(big_eye_boy=(), small_road=(), cockroach_road=())
    assert prediction(big_road(()), Winner.BANKER) == nothing
    assert prediction(big_road(a_shoe("BBB")), Winner.BANKER) == nothing


def test_a_prediction_by_hand() -> None:
    """After B2 P2 B1: another B stands beside two, so it is red; with P, one is not two, so it is blue."""
    road = big_road(a_shoe("BB PP B"))
    assert prediction(road, Winner.BANKER) == Prediction(
        big_eye_boy=Colour.RED, small_road=Colour.RED, cockroach_road=NotBegun.NOT_BEGUN
    )
    assert prediction(road, Winner.PLAYER) == Prediction(
        big_eye_boy=Colour.BLUE, small_road=Colour.BLUE, cockroach_road=NotBegun.NOT_BEGUN
    )


@given(shoes, st.sampled_from([Winner.BANKER, Winner.PLAYER]))
def test_what_is_predicted_comes_true(text: str, winner: WinningHand) -> None:
    said = prediction(big_road(a_shoe(text)), winner)
    come = three(roads_of(text + ("B" if winner is Winner.BANKER else "P")))
    for road, colour in zip(come, (said.big_eye_boy, said.small_road, said.cockroach_road), strict=True):
        further = come[road][len(three(roads_of(text))[road]) :]
        assert [bead.colour for bead in further] == ([] if colour is NotBegun.NOT_BEGUN else [colour])


@given(shoes)
def test_banker_and_player_would_give_opposite_colours(text: str) -> None:
    road = big_road(a_shoe(text))
    banker, player = prediction(road, Winner.BANKER), prediction(road, Winner.PLAYER)
    for one, other in (
        (banker.big_eye_boy, player.big_eye_boy),
        (banker.small_road, player.small_road),
        (banker.cockroach_road, player.cockroach_road),
    ):
        assert {one, other} in ({Colour.RED, Colour.BLUE}, {NotBegun.NOT_BEGUN})
