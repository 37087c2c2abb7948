from dataclasses import replace

from bridge.domain.settlements import Result, StepAction
from bridge.domain.wagers import UnknownAmount
from bridge.rules.settlement import settle
from bridge.rules.submission import EnvyTrigger
from tests.rules.baccarat_rounds import outcomes, steps
from tests.rules.rounds import DIGEST, PROGRESSIVE, Deal, a_filing, positions, wager_of
from tests.rules.royal_match_21_rounds import KIND, a_royal_match_21_submission, with_royal_match_21

BOTH = a_royal_match_21_submission(progressive=a_filing())
DEAL = Deal(hands={1: "Ks Qs", 2: "7h 7h", 3: "Jh Qh"}, dealer="9h 9s")


def test_633b_18_a_r16_both_wagers_may_stand_and_each_is_settled_by_itself() -> None:
    settlement = settle(with_royal_match_21(DEAL.round(), {1: 200, 2: 200}), BOTH)
    assert outcomes(settlement) == {
        (1, "royal_match_progressive"): "royal_match",
        (1, "royal_match_21"): "royal_match",
        (2, "royal_match_progressive"): "no_match",
        (2, "royal_match_21"): "suited_match",
        (3, "royal_match_progressive"): "straight_flush",
    }
    assert settlement.all_decided


def test_633b_18_g_r28_t56_each_position_is_visited_once_from_the_dealers_right() -> None:
    settlement = settle(with_royal_match_21(DEAL.round(), {1: 200, 2: 200}), BOTH)
    assert steps(settlement) == [
        (StepAction.PAY, 3, "royal_match_progressive"),
        (StepAction.COLLECT, 2, "royal_match_progressive"),
        (StepAction.PAY, 2, "royal_match_21"),
        (StepAction.PAY, 1, "royal_match_progressive"),
        (StepAction.PAY, 1, "royal_match_21"),
    ]


def test_633b_18_g_r28_a_position_that_one_order_leaves_out_is_visited_by_the_other() -> None:
    (royal_match_21,) = BOTH.wagers
    fewer = replace(BOTH, wagers=(replace(royal_match_21, settle_order=positions(3, 2, 1)),))
    deal = Deal(hands={1: "7h 7h", 5: "7h 7h"}, dealer="9h 9s", wagers={5: 500})
    settlement = settle(with_royal_match_21(deal.round(), {1: 200}), fewer)
    assert [step.position for step in settlement.steps] == [5, 1]


def test_633b_18_g_4_a_deferred_progressive_does_not_defer_royal_match_21() -> None:
    deal = Deal(hands={1: "Ks Qs"}, dealer="Kh Qh")
    settlement = settle(with_royal_match_21(deal.round(), {1: 200}), BOTH)
    assert outcomes(settlement) == {(1, "royal_match_21"): "royal_match"}
    assert steps(settlement) == [
        (StepAction.DEFER, 1, "royal_match_progressive"),
        (StepAction.PAY, 1, "royal_match_21"),
    ]
    assert not settlement.all_decided


def test_nothing_is_said_before_the_initial_deal() -> None:
    round_ = replace(with_royal_match_21(DEAL.round(), {1: 200}), initial_deal_complete=False)
    settlement = settle(round_, BOTH)
    assert (settlement.outcomes, settlement.steps, settlement.all_decided) == ((), (), False)


def test_a_wager_that_may_not_stand_or_whose_cards_are_not_read_is_left_to_a_supervisor() -> None:
    deal = Deal(hands={1: "Ks ??", 2: "Ks Qs", 9: "Ks Qs"}, dealer="9h 9s", wagers={})
    round_ = with_royal_match_21(deal.round(), {1: 200, 6: 200, 9: 200})
    settlement = settle(round_, a_royal_match_21_submission())
    assert {one.position: one.reason for one in settlement.undecided} == {
        1: "initial_cards_not_read",
        6: "no_blackjack_wager",
        9: "not_in_settle_order",
    }
    assert {step.action for step in settlement.steps} == {StepAction.CALL_SUPERVISOR}
    assert not settlement.all_decided
    other = settle(replace(round_, submission_digest=DIGEST[::-1] + "f"), a_royal_match_21_submission())
    assert {one.reason for one in other.undecided} == {"other_submission"}
    assert {one.reason for one in settle(round_, replace(BOTH, wagers=())).undecided} == {"not_filed"}


def test_an_amount_that_is_not_known_is_settled_without_cents() -> None:
    deal = Deal(hands={1: "Ks Qs"}, dealer="9h 9s", wagers={})
    settlement = settle(
        with_royal_match_21(deal.round(), {1: UnknownAmount.UNKNOWN}), a_royal_match_21_submission()
    )
    assert [(end.outcome, end.paid) for end in settlement.outcomes] == [("royal_match", UnknownAmount.UNKNOWN)]


def test_a_voided_round_returns_what_was_not_decided_and_takes_contributions_back() -> None:
    deal = Deal(hands={1: "Ks Qs", 2: "2c ??", 3: "2c 7d"}, dealer="Kh Qh")
    round_ = replace(with_royal_match_21(deal.round(), {2: 200, 3: 300}), voided=True)
    settlement = settle(round_, BOTH)
    assert outcomes(settlement) == {
        (1, "royal_match_progressive"): "voided",
        (2, "royal_match_progressive"): "voided",
        (2, "royal_match_21"): "voided",
        (3, "royal_match_progressive"): "no_match",
        (3, "royal_match_21"): "no_match",
    }
    returned = [end for end in settlement.outcomes if end.outcome == "voided"]
    assert {(end.result, end.paid) for end in returned} == {(Result.PUSH, 0)}
    assert [end.stake_returned for end in returned] == [500, 500, 200]
    assert {step.action for step in settlement.steps} == {StepAction.RETURN_PUSH, StepAction.COLLECT}
    assert [(one.position, one.amount) for one in settlement.corrections] == [
        (one.position, one.amount) for one in settlement.contributions if one.position != 3
    ]
    assert settlement.all_decided
    assert (settlement.undecided, settlement.deferred) == ((), ())


def test_a_round_voided_before_the_deal_is_complete_decides_nothing_by_its_cards() -> None:
    round_ = replace(with_royal_match_21(DEAL.round(), {1: 200}), voided=True, initial_deal_complete=False)
    settlement = settle(round_, BOTH)
    returned = [(1, PROGRESSIVE), (2, PROGRESSIVE), (3, PROGRESSIVE), (1, KIND)]
    assert outcomes(settlement) == dict.fromkeys(returned, "voided")
    assert settlement.all_decided


def test_a_wager_of_another_table_is_returned_by_a_voided_round_too() -> None:
    round_ = replace(with_royal_match_21(DEAL.round(), {1: 200}), voided=True, submission_digest="f" * 64)
    settlement = settle(round_, BOTH)
    assert set(outcomes(settlement).values()) == {"voided"}
    assert {end.result for end in settlement.outcomes} == {Result.PUSH}
    assert {end.stake_returned for end in settlement.outcomes} == {200, 500}
    assert settlement.all_decided
    assert settlement.corrections == ()


def test_envy_bonuses_of_a_voided_round_are_owed_for_crowns_that_stand() -> None:
    crowned = Deal(hands={1: "Ks Qs", 2: "2c 3d", 3: "2c 7d"}, dealer="Kh Qh", exposed=True)
    settlement = settle(replace(crowned.round(), voided=True), BOTH)
    assert [(bonus.position, bonus.for_hand_of) for bonus in settlement.envy_bonuses] == [(3, 1), (2, 1)]


def test_before_lock_out_nothing_is_said_of_a_wager() -> None:
    round_ = replace(with_royal_match_21(DEAL.round(), {1: 200}), locked=False)
    assert settle(round_, BOTH).outcomes == ()
    assert wager_of(1, 200, KIND) in round_.accepted


def test_t25_a_hand_without_the_wager_that_is_not_known_owes_nothing_in_a_voided_round() -> None:
    holds = a_royal_match_21_submission(progressive=a_filing(trigger=EnvyTrigger.HOLDS))
    deal = Deal(hands={1: "Ks ??", 2: "2c 3d"}, dealer="Kh Qh", wagers={2: 500})
    going_on = settle(deal.round(), holds)
    assert not going_on.all_decided
    voided = settle(replace(deal.round(), voided=True), holds)
    assert (voided.all_decided, voided.envy_bonuses) == (True, ())
