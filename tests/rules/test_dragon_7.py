from bridge.rules.baccarat import FinalHands
from bridge.rules.dragon_7 import Dragon7Outcome, evaluate
from tests.rules.baccarat_rounds import EZ, Coup, ends

WAGER = {1: {"dragon_7": 500}}


def test_627a_12_dragon_7_pays_forty_to_one_and_a_two_card_7_just_does_not() -> None:
    (won,) = ends(Coup(player="Kc Kd Th", banker="Kh 3d 4c", wagers=WAGER).settled(EZ)).values()
    assert (won.outcome, str(won.odds), won.paid, won.stake_returned) == ("dragon_7", "40 to 1", 20_000, 500)
    (lost,) = ends(Coup(player="Kc 6d", banker="Kh 7d", wagers=WAGER).settled(EZ)).values()
    assert (lost.result, lost.outcome) == ("lose", "not_dragon_7")


def test_t36_seven_against_seven_is_a_tie() -> None:
    assert evaluate(FinalHands(7, 3, 7, 3)) is Dragon7Outcome.NOT_DRAGON_7
    assert evaluate(FinalHands(6, 3, 7, 3)) is Dragon7Outcome.DRAGON_7
