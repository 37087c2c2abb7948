from bridge.rules.baccarat import FinalHands
from bridge.rules.player import PlayerOutcome, evaluate
from tests.rules.baccarat_rounds import EZ, STANDARD, Coup, ends


def test_627a_12_player_won_pays_one_to_one_and_a_tie_just_does_not() -> None:
    won = ends(Coup(player="9s Kd", banker="8c Kd", wagers={1: {"player": 700}}).settled())
    (end,) = won.values()
    assert (end.outcome, str(end.odds), end.paid, end.stake_returned, end.vigorish) == (
        "player_won", "1 to 1", 700, 700, 0,
    )  # fmt: skip
    (tied,) = ends(Coup(player="9s Kd", banker="9c Kd", wagers={1: {"player": 700}}).settled()).values()
    assert (tied.result, tied.outcome, tied.paid, tied.stake_returned) == ("push", "tie", 0, 700)


def test_627a_7_a_the_wager_is_lost_when_the_banker_wins() -> None:
    assert evaluate(FinalHands(6, 2, 7, 2)) is PlayerOutcome.BANKER_WON
    assert evaluate(FinalHands(7, 2, 6, 2)) is PlayerOutcome.PLAYER_WON
    assert evaluate(FinalHands(6, 2, 6, 2)) is PlayerOutcome.TIE


def test_t35_dragon_7_and_panda_8_change_nothing_for_the_player_wager() -> None:
    dragon = Coup(player="Kc Kd Th", banker="Kh 3d 4c", wagers={1: {"player": 700}})
    panda = Coup(player="2c 3d 3h", banker="Kh 2d 4c", wagers={1: {"player": 700}})
    for submission in (EZ, STANDARD):
        (lost,), (won,) = ends(dragon.settled(submission)).values(), ends(panda.settled(submission)).values()
        assert lost.outcome == "banker_won"
        assert (won.outcome, won.paid) == ("player_won", 700)
