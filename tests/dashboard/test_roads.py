from bridge.dashboard.roads import PHONE_COLUMNS, PLATE_COLUMNS, DrawnScoreboard, Road, Shape, drawn
from bridge.domain.settlements import EzResult
from bridge.scoreboard.grid import ROWS
from bridge.scoreboard.rounds import Mark
from bridge.scoreboard.scoreboard import scoreboard
from tests.scoreboard.pictures import LONG_SHOE, a_round, a_shoe, drawn_by_hand, squares


def of(text: str, *, ez: bool = False) -> DrawnScoreboard:
    return drawn(scoreboard(a_shoe(text)), ez=ez)


def letters(road: Road) -> str:
    return squares((square.at, square.letter) for square in road.squares)


def test_the_big_road_is_drawn_with_the_letters_of_the_hands() -> None:
    assert letters(of("BB PPP TB T P").big_road) == drawn_by_hand("""
        BPBP
        BP..
        .P..
        ....
        ....
        ....
    """)


def test_derived_roads_are_drawn_with_the_letters_of_their_colours() -> None:
    eye, small, cockroach = of("BBB P BBB PP").derived
    assert letters(eye).splitlines()[:2] == ["brbr", "b..."]
    assert letters(small).splitlines()[:3] == ["rb", "r.", "r."]
    assert letters(cockroach).splitlines()[0] == "r"


def test_tie_hands_are_counted_in_the_square_before_them_and_in_the_first_one_while_nobody_has_won() -> None:
    assert [square.ties for square in of("B TT P").big_road.squares] == [2, 0]
    (waiting,) = of("TTT").big_road.squares
    assert (waiting.letter, waiting.colour, waiting.ties) == ("", "tie", 3)


def test_naturals_pairs_and_the_results_of_ez_baccarat_are_marked() -> None:
    rounds = (
        a_round("B", 1, banker_natural=Mark.YES),
        a_round("P", 2, player_pair=Mark.YES, banker_pair=Mark.UNKNOWN),
        a_round("B", 3, ez=EzResult.DRAGON_7, banker_pair=Mark.YES),
        a_round("P", 4, ez=EzResult.PANDA_8),
    )
    natural, pair, dragon, panda = drawn(scoreboard(rounds), ez=True).bead_plate.squares

    assert natural.natural
    assert (pair.player_pair, pair.banker_pair, pair.natural) == (True, False, False)
    assert (dragon.ez, dragon.banker_pair) == ("D7", True)
    assert panda.ez == "P8"


def test_whoever_cannot_see_a_road_is_told_all_of_it() -> None:
    board = of("BB PPP T B")
    assert board.bead_plate.said == "Bead plate: Banker, Banker, Player, Player, Player, Tie, Banker"
    assert board.big_road.said == "Big road: Banker 2, Player 3, Banker 1"
    assert board.derived[0].said == "Big eye boy: red 1, blue 2"
    assert of("").big_road.said == "Big road: nothing yet"


def test_a_shoe_that_does_not_fit_shows_its_newest_columns_and_a_phone_its_right_end() -> None:
    board = of(LONG_SHOE)
    plate = board.bead_plate
    assert {square.at.column for square in plate.squares} == set(range(PLATE_COLUMNS))
    assert max(square.at.row for square in plate.squares) < plate.rows == ROWS
    assert board.big_road.newest_at_right
    assert not of("B" + "PB" * (PHONE_COLUMNS // 2 - 1)).big_road.newest_at_right


def test_totals_are_those_of_the_whole_shoe_and_dragon_7_only_where_it_is_announced() -> None:
    totals = dict(of(LONG_SHOE).totals)
    assert totals["Rounds"] == 70
    assert totals["Banker"] + totals["Player"] + totals["Tie"] == 70
    assert totals["Longest run"] == 9
    assert "Dragon 7" not in totals
    assert "Not known" not in totals
    assert dict(of(LONG_SHOE, ez=True).totals)["Dragon 7"] == 0


def test_T51_what_an_unread_card_leaves_open_is_counted_as_not_known() -> None:
    board = scoreboard([a_round("B", 1, player_pair=Mark.UNKNOWN, banker_natural=Mark.UNKNOWN)])
    assert dict(drawn(board, ez=False).totals)["Not known"] == 2


def test_what_the_next_round_would_mark_is_drawn_as_the_roads_draw_it() -> None:
    """After two wins of each hand: a third column begins red beside equal ones, a third win is blue below two."""
    banker, player = of("BB PP").foretold
    assert banker.if_won_by == "Banker"
    assert banker.marks[0] == (Shape.EYE, "red", "red")
    assert player.marks[0] == (Shape.EYE, "blue", "blue")
    assert banker.marks[2] == (Shape.STROKE, "", "not begun")
