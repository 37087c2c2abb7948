from hypothesis import given

from bridge.domain.settlements import EzResult
from bridge.scoreboard.big_road import big_road
from bridge.scoreboard.rounds import Mark, ScoredRound
from bridge.scoreboard.totals import ShoeTotals, shoe_totals
from tests.scoreboard.pictures import LONG_SHOE, a_round, a_shoe, runs_of, shoes


def totals(rounds: tuple[ScoredRound, ...]) -> ShoeTotals:
    return shoe_totals(rounds, big_road(rounds))


def test_the_long_shoe_adds_up() -> None:
    """Banker 2+3+9+1+1+2+4+5+2+1+2, Player 1+3+7+1+1+2+1+6+3+4, and nine tie hands."""
    found = totals(a_shoe(LONG_SHOE))
    assert (found.rounds, found.banker, found.player, found.tie_hands) == (70, 32, 29, 9)
    assert (found.longest_banker_run, found.longest_player_run, found.longest_run) == (9, 7, 9)


def test_every_mark_is_counted_for_its_own_hand() -> None:
    found = totals(
        (
            a_round("B", 1, player_pair=Mark.YES, banker_natural=Mark.YES),
            a_round("B", 2, player_pair=Mark.YES, banker_pair=Mark.YES, ez=EzResult.DRAGON_7),
            a_round("P", 3, player_pair=Mark.YES, ez=EzResult.PANDA_8),
            a_round("P", 4, banker_pair=Mark.UNKNOWN, player_natural=Mark.UNKNOWN, ez=EzResult.PANDA_8),
            a_round("T", 5, player_pair=Mark.UNKNOWN, banker_natural=Mark.YES, player_natural=Mark.YES),
        )
    )
    assert found == ShoeTotals(
        rounds=5,
        banker=2,
        player=2,
        tie_hands=1,
        banker_pairs=1,
        player_pairs=3,
        unknown_pairs=2,
        banker_naturals=2,
        player_naturals=1,
        unknown_naturals=1,
        dragon_7=1,
        panda_8=2,
        longest_banker_run=2,
        longest_player_run=2,
    )


def test_a_tie_hand_does_not_end_a_run() -> None:
    assert totals(a_shoe("PP BB T BB")).longest_banker_run == 4


def test_a_new_shoe_begins_at_nothing() -> None:
    assert totals(()).rounds == totals(()).longest_run == 0


@given(shoes)
def test_winners_add_up_to_rounds_and_the_longest_run_is_one_of_them(text: str) -> None:
    found = totals(a_shoe(text))
    assert found.banker + found.player + found.tie_hands == found.rounds == len(text)
    assert found.longest_run == max(runs_of(text.replace("T", "")), default=0)
