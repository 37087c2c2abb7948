from bridge.domain.settlements import Settlement, StepAction
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rules.dealer_steps import call_supervisor
from bridge.rules.gathered import Gathered
from tests.rules.rounds import Deal, positions

ROUND = Deal(hands={1: "2c 3c"}, dealer="9h 9s").round()
ONE, TWO = positions(1, 2)


def test_nothing_gathered_is_a_settlement_that_says_nothing() -> None:
    empty = Settlement(table=ROUND.table, round_number=ROUND.number, all_decided=True)
    assert Gathered().settlement(ROUND, all_decided=True) == empty


def test_t51_the_last_steps_come_after_all_the_others() -> None:
    gathered = Gathered()
    for steps, position in ((gathered.last_steps, ONE), (gathered.steps, TWO)):
        steps.append(call_supervisor(position, WagerKind.TIE, UnknownAmount.UNKNOWN, "cards_not_read"))
    settlement = gathered.settlement(ROUND, all_decided=False)
    assert [(step.action, step.position) for step in settlement.steps] == [
        (StepAction.CALL_SUPERVISOR, TWO),
        (StepAction.CALL_SUPERVISOR, ONE),
    ]
    assert not settlement.all_decided
