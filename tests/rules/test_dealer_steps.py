from dataclasses import replace
from fractions import Fraction

from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import (
    DealerStep,
    EnvyBonus,
    MeterShare,
    Result,
    StepAction,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount
from bridge.rules.dealer_steps import call_supervisor, defer, finish, pay_envy_bonuses, standing, take_vigorish
from tests.rules.rounds import METER, PROGRESSIVE

FIVE = BettingPosition(5)
WHOLE_METER = MeterShare(progressive=METER, odds=Odds.of_meter(Fraction(1)), among=1)


def outcome(name: str, result: Result, odds: Odds | UnpaidOdds, paid: Cents | MeterShare) -> WagerOutcome:
    return WagerOutcome(
        position=FIVE,
        kind=PROGRESSIVE,
        amount=Cents(500),
        result=result,
        outcome=name,
        odds=odds,
        paid=paid,
        stake_returned=Cents(0),
    )


def step(action: StepAction, amount: Cents | MeterShare | UnknownAmount, name: str) -> DealerStep:
    return DealerStep(action=action, position=FIVE, kind=PROGRESSIVE, amount=amount, outcome=name)


def test_633b_18_g_1_a_lost_wager_is_collected() -> None:
    lost = outcome("no_match", Result.LOSE, UnpaidOdds.NONE, Cents(0))
    assert finish(lost) == step(StepAction.COLLECT, Cents(500), "no_match")


def test_633b_18_g_2_g_3_a_fixed_payout_is_paid_from_the_table_inventory() -> None:
    won = outcome("royal_match", Result.WIN, Odds.for_one(60), Cents(30_000))
    assert finish(won) == step(StepAction.PAY, Cents(30_000), "royal_match")


def test_633b_18_h_4_an_award_is_held_and_not_paid_from_the_table_inventory() -> None:
    won = outcome("crown_treasure", Result.WIN, Odds.of_meter(Fraction(1)), WHOLE_METER)
    assert finish(won) == step(StepAction.HOLD_FOR_AWARD, WHOLE_METER, "crown_treasure")


def test_633b_18_g_4_a_deferred_wager_is_left() -> None:
    assert defer(FIVE, PROGRESSIVE, Cents(500)) == step(StepAction.DEFER, Cents(500), "deferred")


def test_t51_a_supervisor_is_called_with_the_reason() -> None:
    called = call_supervisor(FIVE, PROGRESSIVE, UnknownAmount.UNKNOWN, "up_card_not_read")
    assert called == step(StepAction.CALL_SUPERVISOR, UnknownAmount.UNKNOWN, "up_card_not_read")


def test_633b_18_h_5_envy_bonuses_of_a_position_are_paid_in_one_visit() -> None:
    bonuses = [
        EnvyBonus(position=FIVE, for_hand_of=BettingPosition(other), amount=Cents(250_000)) for other in (4, 2)
    ]
    assert pay_envy_bonuses(PROGRESSIVE, bonuses) == (
        step(StepAction.PAY_ENVY_BONUS, Cents(500_000), "envy_bonus"),
    )
    assert pay_envy_bonuses(PROGRESSIVE, []) == ()


def test_t29_a_push_is_returned() -> None:
    pushed = replace(outcome("tie", Result.PUSH, UnpaidOdds.NONE, Cents(0)), stake_returned=Cents(500))
    assert finish(pushed) == step(StepAction.RETURN_PUSH, Cents(500), "tie")


def test_627a_11_b_r66_vigorish_is_a_step_of_its_own_where_it_is_owed() -> None:
    won = replace(outcome("banker_won", Result.WIN, Odds.to_one(1), Cents(500)), vigorish=Cents(25))
    assert take_vigorish(won, StepAction.MARK_VIGORISH) == (
        step(StepAction.MARK_VIGORISH, Cents(25), "banker_won"),
    )
    assert take_vigorish(replace(won, vigorish=Cents(0)), StepAction.MARK_VIGORISH) == ()


def test_633b_18_g_4_a_wager_that_was_left_is_a_step_until_it_is_settled() -> None:
    left = defer(FIVE, PROGRESSIVE, Cents(500))
    settled = step(StepAction.PAY, Cents(300_00), "royal_match")
    other = defer(BettingPosition(6), PROGRESSIVE, Cents(500))

    assert standing((left, other)) == (left, other)
    assert standing((left, other, settled)) == (other, settled)


def test_627a_11_b_r66_vigorish_and_payment_of_one_wager_are_two_steps_that_stand() -> None:
    steps = (
        step(StepAction.MARK_VIGORISH, Cents(25), "banker_won"),
        step(StepAction.PAY, Cents(500), "banker_won"),
    )
    assert standing(steps) == steps
