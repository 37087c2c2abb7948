from dataclasses import replace

from bridge.domain.awards import PayoutAct
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.rounds import Round
from bridge.domain.settlements import Override, Result, Settlement, StepAction
from bridge.domain.wagers import WagerKind
from bridge.rules.floorperson import OVERRIDDEN, ends_now, envy_bonuses_owed
from bridge.rules.indicators import win_lamps
from bridge.rules.settlement import settle
from bridge.rules.submission import VigorishTaken
from tests.rules.baccarat_rounds import FIVE_PERCENT, STANDARD, Coup, a_baccarat_submission
from tests.rules.rounds import SUBMISSION, Deal, override, positions, signed

ROYAL = Deal(hands={1: "Ks Qs", 2: "2c 9d"}, dealer="9h 9d").round()
CROWNS = Deal(hands={1: "Ks Qs", 2: "Kd Qd", 3: "2c 9d"}, dealer="Kh Qh", exposed=True).round()


def overridden(round_: Round, *overrides: Override) -> Round:
    return replace(round_, overrides=overrides)


def steps(settlement: Settlement) -> list[tuple[int, StepAction, object, str]]:
    return [(step.position, step.action, step.amount, step.outcome) for step in settlement.steps]


def lit(settlement: Settlement, round_: Round) -> set[tuple[int, Lamp]]:
    lamps = win_lamps(settlement, round_, positions(1, 2, 3))
    return {(lamp.position, lamp.lamp) for lamp, state in lamps if state is LampState.ON}


def test_T50_the_outcome_stays_as_it_was_decided_and_the_override_stands_beside_it() -> None:
    round_ = overridden(ROYAL, override(1, Result.LOSE))
    before, after = settle(ROYAL, SUBMISSION), settle(round_, SUBMISSION)

    assert after.outcomes == before.outcomes
    assert after.overrides == round_.overrides
    assert (before.all_decided, after.all_decided) == (True, True)


def test_T50_the_dealer_is_told_what_to_do_instead() -> None:
    lost = settle(overridden(ROYAL, override(1, Result.LOSE), override(2, Result.WIN, 50_00)), SUBMISSION)
    assert steps(lost) == [
        (2, StepAction.PAY, 50_00, OVERRIDDEN),
        (1, StepAction.COLLECT, 5_00, OVERRIDDEN),
    ]

    pushed = settle(overridden(ROYAL, override(1, Result.PUSH, returned=5_00)), SUBMISSION)
    assert steps(pushed)[1] == (1, StepAction.RETURN_PUSH, 5_00, OVERRIDDEN)


def test_T50_the_last_word_on_a_wager_holds() -> None:
    said = settle(overridden(ROYAL, override(1, Result.LOSE), override(1, Result.WIN, 100_00)), SUBMISSION)

    assert steps(said)[1] == (1, StepAction.PAY, 100_00, OVERRIDDEN)
    assert len(said.overrides) == 2


def test_R37_a_payout_that_a_floorperson_overrode_awaits_no_validation_and_its_lamp_goes_out() -> None:
    round_ = overridden(ROYAL, override(1, Result.WIN, 100_00))
    after = settle(round_, SUBMISSION)

    assert (len(settle(ROYAL, SUBMISSION).awaiting), after.awaiting) == (1, ())
    assert lit(after, round_) == set()


def test_T50_what_is_paid_in_the_end_follows_the_override() -> None:
    after = settle(overridden(ROYAL, override(1, Result.WIN, 100_00, 5_00)), SUBMISSION)
    ends = {end.position: (end.result, end.outcome, end.paid, end.stake_returned) for end in ends_now(after)}

    assert ends == {1: (Result.WIN, OVERRIDDEN, 100_00, 5_00), 2: (Result.LOSE, "no_match", 0, 0)}


def test_T28_vigorish_is_owed_on_what_the_wager_is_said_to_have_won_and_on_nothing_else() -> None:
    coup = Coup(player="Kc Kd Th", banker="Kh 3s 4d", wagers={2: {"banker": 10_00}, 3: {"player": 10_00}})
    banker = WagerKind.BANKER
    won = overridden(coup.round(), override(2, Result.WIN, 8_00, 10_00, banker))
    lost = overridden(coup.round(), override(2, Result.LOSE, wager=banker))
    after_won, after_lost = settle(won, STANDARD), settle(lost, STANDARD)

    assert [(step.position, step.action) for step in after_won.steps] == [
        (3, StepAction.COLLECT),
        (2, StepAction.MARK_VIGORISH),
        (2, StepAction.PAY),
    ]
    assert StepAction.MARK_VIGORISH not in [step.action for step in after_lost.steps]
    assert [end.vigorish for end in ends_now(after_won) if end.position == 2] == [40]
    assert [end.vigorish for end in ends_now(after_lost) if end.position == 2] == [0]
    assert (lit(after_won, won), lit(after_lost, lost)) == ({(2, Lamp.WINNER)}, set())


def test_627a_11_b_a_banker_wager_that_is_said_to_have_won_owes_its_vigorish_before_it_is_paid() -> None:
    wagers = {2: {"banker": 10_00, "tie": 5_00}}
    lost = Coup(player="9c Kd", banker="Kh Qs", wagers=wagers)
    said = (
        override(2, Result.WIN, 10_00, 10_00, WagerKind.BANKER),
        override(2, Result.WIN, 40_00, 5_00, WagerKind.TIE),
    )
    after = settle(overridden(lost.round(), *said), STANDARD)

    assert steps(after) == [
        (2, StepAction.MARK_VIGORISH, 50, OVERRIDDEN),
        (2, StepAction.PAY, 10_00, OVERRIDDEN),
        (2, StepAction.PAY, 40_00, OVERRIDDEN),
    ]
    assert {end.kind.value: end.vigorish for end in ends_now(after)} == {"banker": 50, "tie": 0}
    at_an_ez_table = settle(overridden(lost.round(), *said), a_baccarat_submission(ez=True))
    assert [step.action for step in at_an_ez_table.steps] == [StepAction.PAY, StepAction.PAY]


def test_T28_vigorish_that_is_collected_is_so_no_longer_when_its_wager_is_lost() -> None:
    coup = Coup(player="Kc Kd Th", banker="Kh 3s 4d", wagers={2: {"banker": 10_00}})
    collecting = a_baccarat_submission(vigorish=replace(FIVE_PERCENT, taken=VigorishTaken.COLLECTED))
    lost = overridden(coup.round(), override(2, Result.LOSE, wager=WagerKind.BANKER))

    assert [step.action for step in settle(coup.round(), collecting).steps] == [
        StepAction.COLLECT_VIGORISH,
        StepAction.PAY,
    ]
    assert [step.action for step in settle(lost, collecting).steps] == [StepAction.COLLECT]


def test_T29_a_push_may_be_overridden_too() -> None:
    tie = Coup(player="9c Kd", banker="9h Ks", wagers={2: {"player": 10_00}})
    won = overridden(tie.round(), override(2, Result.WIN, 10_00, 10_00, WagerKind.PLAYER))

    assert steps(settle(tie.round(), STANDARD)) == [(2, StepAction.RETURN_PUSH, 10_00, "tie")]
    assert steps(settle(won, STANDARD)) == [(2, StepAction.PAY, 10_00, OVERRIDDEN)]


def test_633b_18_g_4_of_a_deferred_wager_the_end_alone_is_overridden() -> None:
    missed = Deal(hands={1: "Ks Qs"}, dealer="Kh 9h", exposed=True).round()
    lost = overridden(missed, override(1, Result.LOSE))

    assert [step.action for step in settle(missed, SUBMISSION).steps] == [StepAction.DEFER, StepAction.PAY]
    assert [step.action for step in settle(lost, SUBMISSION).steps] == [StepAction.DEFER, StepAction.COLLECT]


def test_T52_no_other_act_than_the_rejection_takes_a_claim_away() -> None:
    validated = replace(CROWNS, sign_offs=signed(1, 2, act=PayoutAct.HAND_VERIFIED))
    before, after = settle(CROWNS, SUBMISSION), settle(validated, SUBMISSION)

    assert (after.rejected, after.steps) == ((), before.steps)


def test_T52_of_a_rejected_claim_nothing_is_held_and_no_envy_bonus_is_paid() -> None:
    round_ = replace(CROWNS, sign_offs=signed(1, act=PayoutAct.REJECTED))
    before, after = settle(CROWNS, SUBMISSION), settle(round_, SUBMISSION)

    assert (after.outcomes, after.envy_bonuses) == (before.outcomes, before.envy_bonuses)
    assert after.rejected == (1,)
    holds = [step.position for step in after.steps if step.action is StepAction.HOLD_FOR_AWARD]
    envies = {step.position: step.amount for step in after.steps if step.action is StepAction.PAY_ENVY_BONUS}
    assert holds == [2]
    assert [step.position for step in after.steps if step.action is StepAction.DEFER] == [2, 1]
    assert envies == {1: 2_500_00, 3: 2_500_00}, "for the hand of 2, not for that of 1"
    assert {bonus.for_hand_of for bonus in envy_bonuses_owed(after)} == {2}
    assert lit(after, round_) == {
        (2, Lamp.CROWN_TREASURE),
        (1, Lamp.ENVY_BONUS),
        (3, Lamp.ENVY_BONUS),
    }
