from bridge.rules.baccarat import FinalHands
from bridge.rules.panda_8 import Panda8Outcome, evaluate
from tests.rules.baccarat_rounds import EZ, Coup, ends

WAGER = {1: {"panda_8": 500}}


def test_627a_12_panda_8_pays_twenty_five_to_one_and_a_natural_8_just_does_not() -> None:
    (won,) = ends(Coup(player="2c 3d 3h", banker="Kh 2d 4c", wagers=WAGER).settled(EZ)).values()
    assert (won.outcome, str(won.odds), won.paid, won.stake_returned) == ("panda_8", "25 to 1", 12_500, 500)
    (lost,) = ends(Coup(player="Kc 8d", banker="Kh 6d", wagers=WAGER).settled(EZ)).values()
    assert (lost.result, lost.outcome) == ("lose", "not_panda_8")


def test_t36_eight_against_eight_is_a_tie() -> None:
    assert evaluate(FinalHands(8, 3, 8, 3)) is Panda8Outcome.NOT_PANDA_8
    assert evaluate(FinalHands(8, 3, 7, 3)) is Panda8Outcome.PANDA_8
