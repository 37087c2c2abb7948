from hypothesis import given, strategies as st

from bridge.scoreboard.big_road import BigRoad, big_road
from tests.scoreboard.pictures import LETTERS, LONG_SHOE, a_shoe, drawn_by_hand, picture, runs_of, shoes


def road_of(text: str) -> BigRoad:
    return big_road(a_shoe(text))


def winners(road: BigRoad) -> str:
    return picture(road.beads, lambda bead: LETTERS[bead.winner])


def ties(road: BigRoad) -> str:
    """Draw how many tie hands each bead counts."""
    return picture(road.beads, lambda bead: str(bead.ties))


def test_a_run_is_a_column_and_tie_hands_are_counted_on_the_bead_before_them() -> None:
    road = road_of("B BT TB P TTT B")
    assert winners(road) == drawn_by_hand("""
        BPB
        B..
        B..
        ...
        ...
        ...
    """)
    assert ties(road) == drawn_by_hand("""
        030
        2..
        0..
        ...
        ...
        ...
    """)


def test_tie_hands_before_the_first_bead_wait_for_it() -> None:
    assert road_of("TT") == BigRoad(beads=(), waiting_ties=2, run_lengths=())
    road = road_of("TT P T")
    assert [(bead.ties, bead.scored.number) for bead in road.beads] == [(3, 3)]
    assert road.waiting_ties == 0


def test_a_long_shoe() -> None:
    """Run by run: B2 P1 B3 P3 B9 P7 B1 P1 B1 P1 B2 P2 B4 P1 B5 P6 B2 P3 B1 P4 B2."""
    road = road_of(LONG_SHOE)
    assert winners(road) == drawn_by_hand("""
        BPBPBPBPBPBPBPBPBPBPB
        B.BPBP....BPB.BPBP.PB
        ..BPBP......B.BP.P.P.
        ....BP......B.BP...P.
        ....BPPP......BP.....
        ....BBBB.......P.....
    """)
    assert ties(road) == drawn_by_hand("""
        200000010000000000000
        0.0000....000.0100.01
        ..0000......1.00.1.0.
        ....00......0.00...0.
        ....2000......00.....
        ....0000.......0.....
    """)


def test_the_logical_place_is_kept_beside_the_square() -> None:
    road = road_of(LONG_SHOE)
    ninth = next(bead for bead in road.beads if (bead.logical.column, bead.logical.row) == (4, 8))
    assert (ninth.drawn.column, ninth.drawn.row) == (7, 5)
    assert road.run_lengths == (2, 1, 3, 3, 9, 7, 1, 1, 1, 1, 2, 2, 4, 1, 5, 6, 2, 3, 1, 4, 2)


def test_a_new_shoe_begins_empty() -> None:
    assert big_road(()) == BigRoad(beads=(), waiting_ties=0, run_lengths=())


@given(shoes)
def test_every_round_that_is_no_tie_hand_is_one_bead(text: str) -> None:
    road = road_of(text)
    won = [scored for scored in a_shoe(text) if LETTERS[scored.winner] != "T"]
    assert [bead.scored for bead in road.beads] == won
    assert all(bead.winner is bead.scored.winner for bead in road.beads)
    assert list(road.run_lengths) == runs_of(text.replace("T", ""))


@given(shoes)
def test_no_tie_hand_is_lost(text: str) -> None:
    road = road_of(text)
    assert sum(bead.ties for bead in road.beads) + road.waiting_ties == text.count("T")


@given(shoes)
def test_no_two_beads_share_a_square(text: str) -> None:
    assert len(winners(road_of(text)).replace(".", "").replace("\n", "")) == len(text.replace("T", ""))


@given(shoes, st.sampled_from("BPT"))
def test_a_further_round_moves_no_bead(text: str, further: str) -> None:
    before, after = road_of(text), road_of(text + further)
    assert [(bead.scored, bead.logical, bead.drawn) for bead in before.beads] == [
        (bead.scored, bead.logical, bead.drawn) for bead in after.beads[: len(before.beads)]
    ]
