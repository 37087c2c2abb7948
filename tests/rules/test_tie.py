import pytest

from bridge.rules.baccarat import FinalHands
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.tie import TieOutcome, evaluate
from tests.rules.baccarat_rounds import Coup, a_baccarat_submission, ends


@pytest.mark.parametrize(("letter", "odds", "paid"), [("A", "8 to 1", 4000), ("B", "9 to 1", 4500)])
def test_627a_12_a_tie_pays_as_filed_and_one_point_apart_just_does_not(letter: str, odds: str, paid: int) -> None:
    submission = a_baccarat_submission(letters={FixedOddsWager.TIE: letter})
    wagers = {1: {"tie": 500}}
    (won,) = ends(Coup(player="6s Kd", banker="6c Kh", wagers=wagers).settled(submission)).values()
    assert (won.outcome, str(won.odds), won.paid, won.stake_returned) == ("tie", odds, paid, 500)
    (lost,) = ends(Coup(player="6s Kd", banker="7c Kh", wagers=wagers).settled(submission)).values()
    assert (lost.result, lost.outcome, lost.paid, lost.stake_returned) == ("lose", "banker_won", 0, 0)


def test_627a_7_a_the_wager_is_lost_whichever_hand_wins() -> None:
    assert evaluate(FinalHands(7, 2, 6, 2)) is TieOutcome.PLAYER_WON
    assert evaluate(FinalHands(6, 2, 7, 2)) is TieOutcome.BANKER_WON
    assert evaluate(FinalHands(0, 3, 0, 3)) is TieOutcome.TIE
