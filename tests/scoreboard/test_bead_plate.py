from hypothesis import given

from bridge.domain.settlements import EzResult
from bridge.scoreboard.bead_plate import bead_plate
from bridge.scoreboard.rounds import Mark
from tests.scoreboard.pictures import LETTERS, a_round, a_shoe, drawn_by_hand, picture, shoes


def test_every_round_is_a_bead_and_columns_of_six_fill_one_by_one() -> None:
    assert picture(
        bead_plate(a_shoe("TBBPTB PPPPPP BT")), lambda bead: LETTERS[bead.scored.winner]
    ) == drawn_by_hand("""
        TPB
        BPT
        BP.
        PP.
        TP.
        BP.
    """)


def test_a_bead_shows_what_is_marked_beside_the_winner() -> None:
    scored = a_round("B", player_pair=Mark.YES, banker_natural=Mark.UNKNOWN, ez=EzResult.DRAGON_7)
    (bead,) = bead_plate([scored])
    assert bead.scored == scored


def test_a_new_shoe_begins_empty() -> None:
    assert bead_plate(()) == ()


@given(shoes)
def test_the_plate_read_down_its_columns_is_the_shoe(text: str) -> None:
    plate = bead_plate(a_shoe(text))
    in_columns = sorted(plate, key=lambda bead: (bead.drawn.column, bead.drawn.row))
    assert "".join(LETTERS[bead.scored.winner] for bead in in_columns) == text
