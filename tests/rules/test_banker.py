import pytest

from bridge.rules.baccarat import FinalHands
from bridge.rules.banker import BankerOutcome, evaluate
from tests.rules.baccarat_rounds import EZ, STANDARD, Coup, ends

WAGER = {1: {"banker": 1000}}
PLAIN = frozenset({"banker_won", "tie", "dragon_7"})


def test_627a_12_banker_won_pays_one_to_one_less_vigorish_and_a_tie_just_does_not() -> None:
    (won,) = ends(Coup(player="8s Kd", banker="9c Kd", wagers=WAGER).settled()).values()
    assert (won.outcome, str(won.odds), won.paid, won.stake_returned, won.vigorish) == (
        "banker_won", "1 to 1", 1000, 1000, 50,
    )  # fmt: skip
    (tied,) = ends(Coup(player="9s Kd", banker="9c Kd", wagers=WAGER).settled()).values()
    assert (tied.result, tied.outcome, tied.paid, tied.stake_returned, tied.vigorish) == (
        "push",
        "tie",
        0,
        1000,
        0,
    )


def test_t35_a_dragon_7_returns_the_wager_at_an_ez_table_and_a_two_card_7_pays_it() -> None:
    dragon = Coup(player="Kc Kd Th", banker="Kh 3d 4c", wagers=WAGER)
    (returned,) = ends(dragon.settled(EZ)).values()
    assert (returned.result, returned.outcome, returned.stake_returned) == ("push", "dragon_7", 1000)
    (won,) = ends(Coup(player="Kc 6d", banker="Kh 7d", wagers=WAGER).settled(EZ)).values()
    assert (won.outcome, won.paid, won.vigorish) == ("banker_won", 1000, 0)
    (paid,) = ends(dragon.settled(STANDARD)).values()
    assert (paid.outcome, paid.vigorish) == ("banker_won", 50)


@pytest.mark.parametrize(
    ("hands", "rows", "found"),
    [
        (FinalHands(5, 2, 6, 2), PLAIN | {"banker_won_with_6"}, BankerOutcome.BANKER_WON_WITH_6),
        (FinalHands(5, 2, 7, 2), PLAIN | {"banker_won_with_6"}, BankerOutcome.BANKER_WON),
        (FinalHands(5, 2, 6, 2), PLAIN, BankerOutcome.BANKER_WON),
        (FinalHands(6, 2, 6, 2), PLAIN | {"banker_won_with_6"}, BankerOutcome.TIE),
        (FinalHands(7, 2, 6, 2), PLAIN | {"banker_won_with_6"}, BankerOutcome.PLAYER_WON),
    ],
)
def test_a_win_with_6_is_told_apart_only_by_a_paytable_that_prints_it(
    hands: FinalHands, rows: frozenset[str], found: BankerOutcome
) -> None:
    assert evaluate(hands, ez=False, rows=rows) is found
