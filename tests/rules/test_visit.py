import pytest

from bridge.domain.settlements import Result, StepAction
from bridge.domain.wagers import WagerKind
from bridge.rules.submission import NoVigorish
from bridge.rules.visit import Visit, visit
from tests.rules.baccarat_rounds import STANDARD, a_baccarat_submission
from tests.rules.rounds import wager_of
from tests.rules.royal_match_21_rounds import a_royal_match_21_submission


def banker(position: int, outcome: str) -> Visit:
    return visit(wager_of(position, 1000, WagerKind.BANKER), outcome, STANDARD)


def test_r66_vigorish_is_taken_directly_before_the_payment() -> None:
    won = banker(3, "banker_won")
    assert [(step.action, step.amount) for step in won.steps] == [
        (StepAction.MARK_VIGORISH, 50),
        (StepAction.PAY, 1000),
    ]
    assert (won.end.result, won.end.paid, won.end.vigorish) == (Result.WIN, 1000, 50)


def test_t28_no_other_wager_and_no_other_game_owes_vigorish() -> None:
    player = visit(wager_of(3, 1000, WagerKind.PLAYER), "player_won", STANDARD)
    royal = visit(wager_of(3, 1000, WagerKind.ROYAL_MATCH_21), "royal_match", a_royal_match_21_submission())
    assert [step.action for one in (player, royal) for step in one.steps] == [StepAction.PAY, StepAction.PAY]
    assert (player.end.vigorish, royal.end.vigorish) == (0, 0)


def test_t29_t56_losing_wagers_come_first_and_pushes_last_each_in_the_order_of_positions() -> None:
    ways = ("player_won", "banker_won", "tie")
    turns = {(way, position): banker(position, way).turn for way in ways for position in (3, 5)}
    assert sorted(turns, key=turns.__getitem__) == [(way, position) for way in ways for position in (5, 3)]


def test_equal_wagers_that_end_alike_come_to_the_same_under_one_submission_alone() -> None:
    free = a_baccarat_submission(vigorish=NoVigorish.PAYTABLE)
    wager = wager_of(3, 1000, WagerKind.BANKER)
    assert visit(wager, "banker_won", STANDARD) is visit(wager, "banker_won", STANDARD)
    assert visit(wager, "banker_won", free).end.vigorish == 0


def test_r3_a_wager_that_is_not_filed_is_visited_by_nobody() -> None:
    with pytest.raises(KeyError, match="royal_match_21"):
        visit(wager_of(3, 1000, WagerKind.ROYAL_MATCH_21), "royal_match", STANDARD)
