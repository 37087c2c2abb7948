from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from bridge.domain.awards import PayoutAct
from bridge.domain.identity import Sequence as RecordNumber
from bridge.domain.indicators import Lamp
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import (
    DeferredWager,
    EnvyBonus,
    MeterShare,
    Result,
    Settlement,
    StepAction,
    UndecidedWager,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.rules.odds import MeterOddsError
from bridge.rules.paytable import Paytable
from bridge.rules.progressive import meter_entries, split_award
from bridge.rules.settlement import settle
from bridge.rules.submission import AceAdjacency, EnvyCounts, EnvyTrigger
from tests.rules.cases import Case, cases, cents, in_the_terms_of_a_case, settled
from tests.rules.histories import History, histories
from tests.rules.rounds import (
    METER,
    PAYTABLE_A,
    PROGRESSIVE,
    SUBMISSION,
    Deal,
    a_filing,
    a_submission,
    disclosed,
    exposed,
    signed,
    wager_of,
)

WHOLE = Odds.of_meter(Fraction(1))


def results(settlement: Settlement) -> dict[int, str]:
    return {outcome.position: outcome.outcome for outcome in settlement.outcomes}


def steps(settlement: Settlement) -> list[tuple[int, StepAction]]:
    return [(step.position, step.action) for step in settlement.steps]


def undecided(settlement: Settlement) -> dict[int, str]:
    return {wager.position: wager.reason for wager in settlement.undecided}


def envies(settlement: Settlement) -> dict[tuple[int, int], int]:
    return {(one.position, one.for_hand_of): one.amount for one in settlement.envy_bonuses}


def deferred(*positions: int) -> tuple[DeferredWager, ...]:
    return tuple(DeferredWager(position=BettingPosition(position), kind=PROGRESSIVE) for position in positions)


def share(among: int) -> MeterShare:
    return MeterShare(progressive=METER, odds=WHOLE, among=among)


def awaiting(settlement: Settlement) -> dict[int, PayoutAct]:
    return {one.position: one.act for one in settlement.awaiting}


def only(settlement: Settlement) -> WagerOutcome:
    [outcome] = settlement.outcomes
    return outcome


# --- the known cases ---------------------------------------------------------------------------------


ACTIONS = {
    StepAction.COLLECT: "collect",
    StepAction.PAY: "pay",
    StepAction.DEFER: "defer",
    StepAction.HOLD_FOR_AWARD: "pay",
}


def actions(settlement: Settlement) -> list[dict[str, object]]:
    """Return the steps of the wagers themselves as a case writes them."""
    return [
        {"position": step.position, "action": ACTIONS[step.action]}
        for step in settlement.steps
        if step.action is not StepAction.PAY_ENVY_BONUS
    ]


@pytest.mark.parametrize("case", cases("royal_progressive_rounds"), ids=str)
def test_633b_18_g_to_k_case(case: Case) -> None:
    before, after = settled(case)
    expected = case.expected

    first = actions(before)
    assert first == expected["after_initial_deal"]
    assert actions(after)[: len(first)] == first
    assert actions(after)[len(first) :] == expected["after_hole_card"]
    assert bool(before.deferred) == expected["deferred"]
    assert after.all_decided

    meter = MeterAmount.of_cents(expected["meter"]["at_settlement"])
    winners = [outcome for outcome in after.outcomes if isinstance(outcome.paid, MeterShare)]
    assert len(winners) == expected["meter"]["crown_treasures"]
    assert {outcome.paid for outcome in winners} == ({share(len(winners))} if winners else set())
    exact = Fraction(0)
    left = meter
    if winners:
        exact = cents(expected["meter"]["share"])
        award = split_award(meter, WHOLE, len(winners))
        assert 0 <= exact - award.share < 1
        left = award.remainder + MeterAmount.of_cents(case.filing.progressive.reset_amount)
        assert left - award.remainder == MeterAmount.of_cents(expected["meter"]["after"])
    else:
        assert left == MeterAmount.of_cents(expected["meter"]["after"])

    found = {
        str(outcome.position): in_the_terms_of_a_case(
            outcome,
            tuple(one for one in after.envy_bonuses if one.position == outcome.position),
            exact,
        )
        for outcome in after.outcomes
    }
    assert found == as_fractions(expected["positions"])


def as_fractions(value: object) -> object:
    """Return an expected value with every ``p/q`` as the number it is."""
    if isinstance(value, dict):
        return {key: as_fractions(inner) for key, inner in value.items()}
    if isinstance(value, str) and "/" in value:
        return Fraction(value)
    return value


# --- V1 to V10 of the rules --------------------------------------------------------------------------


def test_v1_a_royal_match_against_a_nine_is_paid_60_for_1_in_the_first_phase() -> None:
    settlement = settle(Deal(hands={4: "Ks Qs"}, dealer="9d 9s").round(), SUBMISSION)
    assert only(settlement) == WagerOutcome(
        position=BettingPosition(4),
        kind=PROGRESSIVE,
        amount=Cents(500),
        result=Result.WIN,
        outcome="royal_match",
        odds=Odds.for_one(60),
        paid=Cents(30_000),
        stake_returned=Cents(0),
    )
    assert steps(settlement) == [(4, StepAction.PAY)]
    assert settlement.lamps == ((4, Lamp.ROYAL_MATCH),)
    assert settlement.all_decided


def test_v2_t8_a_crown_treasure_is_the_meter_and_not_also_60_for_1() -> None:
    round_ = Deal(hands={4: "Qs Ks"}, dealer="Qd Kd").round()
    before = settle(round_, SUBMISSION)
    assert before.outcomes == ()
    assert before.deferred == deferred(4)
    assert before.lamps == ()
    assert not before.all_decided
    after = settle(exposed(round_), SUBMISSION)
    outcome = only(after)
    assert (outcome.outcome, outcome.paid, outcome.odds) == ("crown_treasure", share(1), WHOLE)
    assert outcome.stake_returned == 0
    assert after.deferred == ()
    assert steps(after) == [(4, StepAction.DEFER), (4, StepAction.HOLD_FOR_AWARD)]
    assert awaiting(after) == {4: PayoutAct.HAND_VERIFIED}


@pytest.mark.parametrize("dealer", ["Qd Kc", "Kh Ah"])
def test_v3_v4_t9_a_deferred_royal_match_without_a_crown_is_paid_60_for_1(dealer: str) -> None:
    round_ = Deal(hands={4: "Ks Qs"}, dealer=dealer).round()
    assert settle(round_, SUBMISSION).deferred == deferred(4)
    after = settle(exposed(round_), SUBMISSION)
    assert (only(after).outcome, only(after).paid) == ("royal_match", 30_000)
    assert steps(after) == [(4, StepAction.DEFER), (4, StepAction.PAY)]
    assert awaiting(after) == {4: PayoutAct.VALIDATED}


def test_v5_a_straight_flush_is_paid_10_for_1_at_once() -> None:
    settlement = settle(Deal(hands={4: "Jh Qh"}, dealer="Kh Qd").round(), SUBMISSION)
    assert (only(settlement).outcome, only(settlement).paid) == ("straight_flush", 5_000)
    assert settlement.deferred == ()


@pytest.mark.parametrize("cards", ["7h 7h", "Ks Ks", "Jd Kd", "Ks Qh"])
def test_v6_other_hands_lose(cards: str) -> None:
    settlement = settle(Deal(hands={4: cards}, dealer="Kh Qd").round(), SUBMISSION)
    assert only(settlement) == WagerOutcome(
        position=BettingPosition(4),
        kind=PROGRESSIVE,
        amount=Cents(500),
        result=Result.LOSE,
        outcome="no_match",
        odds=UnpaidOdds.NONE,
        paid=Cents(0),
        stake_returned=Cents(0),
    )
    assert settlement.lamps == ()
    assert settlement.awaiting == ()


@pytest.mark.parametrize(
    ("ace", "won"),
    [(AceAdjacency.BOTH, {2, 1}), (AceAdjacency.LOW, {2}), (AceAdjacency.HIGH, {1})],
)
def test_v7_t1_the_ace_is_read_as_filed(ace: AceAdjacency, won: set[int]) -> None:
    settlement = settle(
        Deal(hands={2: "Ac 2c", 1: "Ac Kc"}, dealer="9h 9d").round(), a_submission(a_filing(ace=ace))
    )
    assert {position for position, name in results(settlement).items() if name == "straight_flush"} == won


FIVE_WAGERS = {1: "Ks Qs", 2: "Kd Qd", 3: "2c 9d", 4: "Kc Qc", 5: "7h 2s"}


def test_v8_v9_contributions_of_the_round_belong_to_its_own_award() -> None:
    round_ = Deal(hands=FIVE_WAGERS, dealer="Kh Qh", exposed=True).round()
    entries = meter_entries(settle(round_, SUBMISSION), round_, RecordNumber(1))
    meter = MeterAmount.of_cents(5_000_000)
    meter += MeterAmount.total(entry.amount for entry in entries.contributions)
    assert meter == MeterAmount.of_cents(5_000_375)
    [claim] = entries.claims
    split = split_award(meter, claim.odds, len(claim.positions))
    assert (split.share, split.remainder) == (1_666_791, MeterAmount.of_cents(2))


def test_1_39a_a_a_hidden_rate_feeds_the_reserve_pool_besides() -> None:
    filing = a_filing()
    hidden = replace(filing, progressive=replace(filing.progressive, hidden_rate=Fraction(1, 100)))
    settlement = settle(Deal(hands=FIVE_WAGERS, dealer="Kh Qh").round(), a_submission(hidden))
    assert {(one.amount, one.hidden) for one in settlement.contributions} == {
        (MeterAmount.of_cents(75), MeterAmount.of_cents(5))
    }


def test_v10_t23_envy_bonuses_of_three_crown_treasures() -> None:
    settlement = settle(Deal(hands=FIVE_WAGERS, dealer="Kh Qh", exposed=True).round(), SUBMISSION)
    count = Counter(one.position for one in settlement.envy_bonuses)
    assert count == {1: 2, 2: 2, 4: 2, 3: 3, 5: 3}
    assert [
        (step.position, step.amount) for step in settlement.steps if step.action is StepAction.PAY_ENVY_BONUS
    ] == [(5, 750_000), (4, 500_000), (3, 750_000), (2, 500_000), (1, 500_000)]


def test_v11_t14_half_a_cent_is_contributed_exactly() -> None:
    round_ = Deal(hands={1: "2c 9d"}, dealer="9h 9d", wagers={1: 250}).round()
    [contributed] = settle(round_, a_submission(a_filing(wager=250))).contributions
    assert str(MeterAmount.of_cents(2_500_000) + contributed.amount) == "25,000.3750"


# --- moments of the round ----------------------------------------------------------------------------


def test_t19_nothing_is_contributed_before_lock_out() -> None:
    round_ = Deal(hands={1: "2c 9d"}, dealer="9h 9d").round()
    opened = replace(round_, locked=False, initial_deal_complete=False)
    assert settle(opened, SUBMISSION) == Settlement(table=round_.table, round_number=round_.number)


def test_t19_r27_from_lock_out_to_the_last_second_card_only_contributions_are_due() -> None:
    dealing = replace(Deal(hands={1: "Ks Qs"}, dealer="9h").round(), initial_deal_complete=False)
    settlement = settle(dealing, SUBMISSION)
    assert [one.amount for one in settlement.contributions] == [MeterAmount.of_cents(75)]
    assert settlement == replace(
        Settlement(table=dealing.table, round_number=dealing.number), contributions=settlement.contributions
    )


def test_r24_without_a_side_wager_all_is_decided_at_lock_out() -> None:
    blackjack_only = replace(
        Deal(hands={1: ""}, dealer="", wagers={}).round(), locked=False, initial_deal_complete=False
    )
    assert not settle(blackjack_only, SUBMISSION).all_decided
    locked = settle(replace(blackjack_only, locked=True), SUBMISSION)
    assert locked.all_decided
    assert locked.outcomes == ()
    assert locked.contributions == ()


def test_t21_a_chip_of_unknown_value_is_the_one_amount_filed() -> None:
    round_ = Deal(hands={1: "Ks Qs"}, dealer="9h 9d").round()
    chip = wager_of(1, UnknownAmount.UNKNOWN)
    round_ = replace(round_, accepted=(*round_.accepted[:1], chip))
    settlement = settle(round_, SUBMISSION)
    assert (only(settlement).amount, only(settlement).paid) == (500, 30_000)
    assert settlement.contributions[0].amount == MeterAmount.of_cents(75)


def test_r28_settled_from_the_dealers_right_and_deferred_ones_after_the_hole_card() -> None:
    hands = {1: "2c 9d", 2: "Ks Qs", 3: "4h 5h", 4: "Kd Qd", 5: "Th Td"}
    round_ = Deal(hands=hands, dealer="Qh Kd").round()
    first = [
        (5, StepAction.COLLECT),
        (4, StepAction.DEFER),
        (3, StepAction.PAY),
        (2, StepAction.DEFER),
        (1, StepAction.COLLECT),
    ]
    before, after = settle(round_, SUBMISSION), settle(exposed(round_), SUBMISSION)
    assert steps(before) == first
    assert before.deferred == deferred(4, 2)
    assert list(results(before)) == [5, 3, 1]
    assert steps(after) == [*first, (4, StepAction.PAY), (2, StepAction.PAY)]
    assert list(results(after)) == [5, 3, 1, 4, 2]


def test_t41_t42_the_settle_order_is_the_one_filed() -> None:
    round_ = Deal(hands={1: "2c 9d", 8: "2c 9d", 3: "2c 9d"}, dealer="9h 9d").round()
    settlement = settle(round_, a_submission(a_filing(settle_order=(1, 8, 3))))
    assert list(results(settlement)) == [1, 8, 3]


def test_t48_a_hole_card_that_is_not_exposed_is_never_used() -> None:
    round_ = Deal(hands={4: "Ks Qs"}, dealer="Qd Kd").round()
    others = Deal(hands={4: "Ks Qs"}, dealer="Qd 2c").round()
    assert settle(round_, SUBMISSION) == settle(disclosed(round_), SUBMISSION) == settle(others, SUBMISSION)


def test_t10_the_hole_card_is_still_due_when_the_key_came_before_the_card() -> None:
    round_ = Deal(hands={4: "Ks Qs"}, dealer="Qd", exposed=True).round()
    assert settle(round_, SUBMISSION).deferred == deferred(4)


def test_t11_later_cards_change_nothing() -> None:
    round_ = Deal(hands={4: "Ks Qs", 2: "2c 9d"}, dealer="9h 9d").round()
    hit = Deal(hands={4: "Ks Qs 2d", 2: "2c 9d 9c"}, dealer="9h 9d").round()
    assert settle(hit, SUBMISSION) == settle(round_, SUBMISSION)


# --- what cannot be decided --------------------------------------------------------------------------


def test_t51_an_unread_card_leaves_its_own_position_undecided_and_no_other() -> None:
    round_ = Deal(hands={1: "2c 9d", 2: "?? 3c", 3: "4h 5h"}, dealer="9h 9d").round()
    settlement = settle(round_, SUBMISSION)
    assert results(settlement) == {3: "straight_flush", 1: "no_match"}
    assert settlement.undecided == (
        UndecidedWager(position=BettingPosition(2), kind=PROGRESSIVE, reason="initial_cards_not_read"),
    )
    assert steps(settlement) == [
        (3, StepAction.PAY),
        (2, StepAction.CALL_SUPERVISOR),
        (1, StepAction.COLLECT),
    ]
    assert not settlement.all_decided


def test_t51_an_unread_up_card_leaves_only_royal_matches_undecided() -> None:
    round_ = Deal(hands={1: "2c 9d", 2: "Ks Qs", 3: "4h 5h"}, dealer="?? 9d").round()
    settlement = settle(round_, SUBMISSION)
    assert results(settlement) == {3: "straight_flush", 1: "no_match"}
    assert undecided(settlement) == {2: "up_card_not_read"}


def test_t51_an_unread_hole_card_leaves_a_deferred_royal_match_undecided() -> None:
    round_ = Deal(hands={2: "Ks Qs"}, dealer="Kd ??").round()
    assert settle(round_, SUBMISSION).deferred == deferred(2)
    after = settle(exposed(round_), SUBMISSION)
    assert after.deferred == ()
    assert undecided(after) == {2: "hole_card_not_read"}
    assert steps(after) == [(2, StepAction.DEFER), (2, StepAction.CALL_SUPERVISOR)]


@pytest.mark.parametrize(("cards", "known"), [("?? ??", False), ("Kc ??", False), ("?? 9c", True)])
def test_t51_t16_a_crown_treasure_waits_until_it_is_known_who_shares_it(cards: str, *, known: bool) -> None:
    round_ = Deal(hands={1: "Ks Qs", 2: cards, 3: "2c 9d"}, dealer="Kd Qd", exposed=True).round()
    settlement = settle(round_, SUBMISSION)
    if known:
        assert results(settlement) == {3: "no_match", 1: "crown_treasure"}
        assert undecided(settlement) == {2: "initial_cards_not_read"}
        assert envies(settlement) == {(3, 1): 250_000, (2, 1): 250_000}
    else:
        assert results(settlement) == {3: "no_match"}
        assert undecided(settlement) == {2: "initial_cards_not_read", 1: "shares_not_known"}
        assert envies(settlement) == {}


def test_r22_a_wager_without_a_blackjack_wager_is_left_with_the_reason() -> None:
    round_ = Deal(hands={1: "Ks Qs", 2: "2c 9d"}, dealer="9h 9d").round()
    without = replace(
        round_,
        accepted=tuple(
            wager for wager in round_.accepted if not (wager.kind is WagerKind.BLACKJACK and wager.position == 1)
        ),
    )
    settlement = settle(without, SUBMISSION)
    assert results(settlement) == {2: "no_match"}
    assert undecided(settlement) == {1: "no_blackjack_wager"}
    assert len(settlement.contributions) == 2


@pytest.mark.parametrize(("cards", "reason"), [("Kc Qc", "shares_not_known"), ("Kc 2c", None)])
def test_r22_an_award_waits_for_a_crown_treasure_that_may_not_have_been_admitted(
    cards: str, reason: str | None
) -> None:
    round_ = Deal(hands={1: "Ks Qs", 9: cards}, dealer="Kd Qd", exposed=True).round()
    settlement = settle(round_, SUBMISSION)
    assert undecided(settlement).get(1) == reason
    assert undecided(settlement)[9] == "not_in_settle_order"
    assert steps(settlement)[1] == (9, StepAction.CALL_SUPERVISOR)


def test_a_round_under_another_submission_is_left_with_the_reason() -> None:
    round_ = Deal(hands={1: "Ks Qs", 2: "2c 9d"}, dealer="9h 9d").round()
    settlement = settle(round_, replace(SUBMISSION, digest="f" * 64))
    assert undecided(settlement) == {1: "other_submission", 2: "other_submission"}
    assert steps(settlement) == [(1, StepAction.CALL_SUPERVISOR), (2, StepAction.CALL_SUPERVISOR)]
    assert settlement.outcomes == ()
    assert settlement.contributions == ()
    assert not settlement.all_decided


def test_633b_18_e_a_wager_that_is_not_filed_is_left_with_the_reason() -> None:
    round_ = Deal(hands={1: "Ks Qs"}, dealer="9h 9d").round()
    assert undecided(settle(round_, a_submission(None))) == {1: "not_filed"}


# --- payout, validation, documents -------------------------------------------------------------------


def test_t13_a_paytable_to_one_returns_the_wager_on_top() -> None:
    paytable = Paytable("X", "§ 1", {**PAYTABLE_A.odds, "royal_match": Odds.to_one(60)})
    round_ = Deal(hands={1: "Ks Qs"}, dealer="9h 9d").round()
    outcome = only(settle(round_, a_submission(a_filing(paytable=paytable))))
    assert (outcome.paid, outcome.stake_returned) == (30_000, 500)


def test_633b_18_j_nothing_but_a_crown_treasure_shares_the_meter() -> None:
    paytable = Paytable("X", "§ 1", {**PAYTABLE_A.odds, "royal_match": WHOLE})
    round_ = Deal(hands={1: "Ks Qs"}, dealer="9h 9d").round()
    with pytest.raises(MeterOddsError):
        settle(round_, a_submission(a_filing(paytable=paytable)))


def test_a_crown_treasure_at_fixed_odds_is_paid_from_the_table_inventory() -> None:
    paytable = Paytable("X", "§ 1", {**PAYTABLE_A.odds, "crown_treasure": Odds.for_one(1000)})
    round_ = Deal(hands={1: "Ks Qs"}, dealer="Kh Qh", exposed=True).round()
    settlement = settle(round_, a_submission(a_filing(paytable=paytable)))
    assert only(settlement).paid == 500_000
    assert awaiting(settlement) == {1: PayoutAct.VALIDATED}


def test_t16_two_royal_matches_are_paid_in_full_each() -> None:
    round_ = Deal(hands={1: "Ks Qs", 2: "Kd Qd"}, dealer="9h 9d").round()
    assert [outcome.paid for outcome in settle(round_, SUBMISSION).outcomes] == [30_000, 30_000]


CROWN_AND_STRAIGHT = Deal(hands={1: "Ks Qs", 2: "4h 5h", 3: "2c 9d"}, dealer="Kh Qh", exposed=True)


def test_633b_18_h_3_every_filed_winning_outcome_awaits_a_floorperson() -> None:
    round_ = CROWN_AND_STRAIGHT.round()
    assert awaiting(settle(round_, SUBMISSION)) == {2: PayoutAct.VALIDATED, 1: PayoutAct.HAND_VERIFIED}
    validated = replace(round_, sign_offs=signed(2, 3))
    assert awaiting(settle(validated, SUBMISSION)) == {1: PayoutAct.HAND_VERIFIED}


def test_633b_18_h_3_an_award_is_validated_whatever_else_is_filed() -> None:
    submission = a_submission(a_filing(validated=()))
    assert awaiting(settle(CROWN_AND_STRAIGHT.round(), submission)) == {1: PayoutAct.HAND_VERIFIED}


def test_633b_18_h_an_award_awaits_one_act_after_the_other_until_its_meter_is_reset() -> None:
    round_ = CROWN_AND_STRAIGHT.round()
    asked = []
    while 1 in (waiting := awaiting(settle(round_, SUBMISSION))):
        asked.append(waiting[1])
        round_ = replace(round_, sign_offs=(*round_.sign_offs, *signed(1, act=waiting[1])))
    assert asked == [
        PayoutAct.HAND_VERIFIED,
        PayoutAct.LAMP_VERIFIED,
        PayoutAct.VALIDATED,
        PayoutAct.DOCUMENTED,
        PayoutAct.PAID,
        PayoutAct.RESET,
    ]


def test_t52_a_rejected_claim_awaits_nothing() -> None:
    round_ = CROWN_AND_STRAIGHT.round()
    rejected = replace(round_, sign_offs=signed(1, act=PayoutAct.REJECTED))
    assert awaiting(settle(rejected, SUBMISSION)) == {2: PayoutAct.VALIDATED}


# --- envy bonuses ------------------------------------------------------------------------------------


def test_t57_an_envy_bonus_outlives_the_receivers_own_wager() -> None:
    round_ = Deal(hands={1: "Ks Qs", 3: "2c 9d"}, dealer="Kh Qh").round()
    assert results(settle(round_, SUBMISSION)) == {3: "no_match"}
    after = settle(exposed(round_), SUBMISSION)
    assert after.envy_bonuses == (
        EnvyBonus(position=BettingPosition(3), for_hand_of=BettingPosition(1), amount=Cents(250_000)),
    )
    assert after.lamps == ((1, Lamp.CROWN_TREASURE), (3, Lamp.ENVY_BONUS))
    assert steps(after)[-1] == (3, StepAction.PAY_ENVY_BONUS)


def test_t23_a_position_without_the_wager_is_owed_nothing_and_owes_nothing() -> None:
    round_ = Deal(
        hands={1: "Ks Qs", 2: "Kd Qd", 3: "2c 9d"}, dealer="Kh Qh", wagers={1: 500, 3: 500}, exposed=True
    ).round()
    assert envies(settle(round_, SUBMISSION)) == {(3, 1): 250_000}


def test_t57_an_envy_bonus_outlives_a_wager_that_a_voided_round_returns() -> None:
    hands = {1: "Ks Qs", 2: "2c ??", 3: "2c ??"}
    round_ = Deal(hands=hands, dealer="Kh Qh", exposed=True).round()
    blackjack = wager_of(3, 500, WagerKind.BLACKJACK)
    round_ = replace(round_, accepted=tuple(wager for wager in round_.accepted if wager != blackjack))
    voided = settle(replace(round_, voided=True), SUBMISSION)
    assert results(voided) == {1: "crown_treasure", 2: "voided", 3: "voided"}
    assert envies(voided) == envies(settle(round_, SUBMISSION)) == {(2, 1): 250_000}


HOLDS = a_submission(a_filing(trigger=EnvyTrigger.HOLDS))


def test_t25_where_holding_is_enough_a_hand_without_the_wager_owes_envy_bonuses() -> None:
    round_ = Deal(hands={1: "Ks Qs", 3: "2c 9d"}, dealer="Kh Qh", wagers={3: 500}).round()
    before = settle(round_, HOLDS)
    assert before.deferred == deferred(1)
    assert not before.all_decided
    after = settle(exposed(round_), HOLDS)
    assert envies(after) == {(3, 1): 250_000}
    assert after.all_decided
    assert after.deferred == ()


def test_t25_an_unread_hand_without_the_wager_is_a_supervisors() -> None:
    round_ = Deal(hands={1: "Ks ??", 3: "2c 9d"}, dealer="Kh Qh", wagers={3: 500}).round()
    settlement = settle(round_, HOLDS)
    assert steps(settlement) == [(3, StepAction.COLLECT), (1, StepAction.CALL_SUPERVISOR)]
    assert settlement.steps[1].outcome == "initial_cards_not_read"
    assert not settlement.all_decided
    assert settle(round_, SUBMISSION).all_decided


def test_t25_of_two_hands_without_the_wager_the_unread_one_alone_is_a_supervisors() -> None:
    hands = {1: "Ks ??", 2: "Kd Qd", 3: "2c 9d"}
    settlement = settle(Deal(hands=hands, dealer="Kh Qh", wagers={3: 500}, exposed=True).round(), HOLDS)
    assert steps(settlement) == [(3, StepAction.COLLECT), (1, StepAction.CALL_SUPERVISOR)]


def test_t25_a_held_crown_treasure_owes_its_envy_bonuses_in_a_voided_round_too() -> None:
    round_ = Deal(hands={1: "Ks Qs", 3: "2c 9d"}, dealer="Kh Qh", wagers={3: 500}, exposed=True).round()
    assert envies(settle(replace(round_, voided=True), HOLDS)) == {(3, 1): 250_000}


def test_t25_a_hand_that_can_be_no_crown_treasure_holds_nothing_up() -> None:
    round_ = Deal(hands={1: "2s ??", 3: "2c 9d"}, dealer="Kh Qh", wagers={3: 500}).round()
    assert settle(round_, HOLDS).all_decided


def test_t24_an_owner_nobody_declared_is_asked_for_before_a_bonus_is_paid() -> None:
    persons = a_submission(a_filing(counts=EnvyCounts.PERSONS))
    deal = Deal(hands={1: "Ks Qs", 3: "2c 9d"}, dealer="Kh Qh", owners={1: "a"}, exposed=True)
    settlement = settle(deal.round(), persons)
    assert settlement.envy_bonuses == ()
    assert settlement.steps[-1].outcome == "owner_unknown"
    assert steps(settlement)[-1] == (3, StepAction.CALL_SUPERVISOR)
    assert not settlement.all_decided
    other = settle(replace(deal, owners={1: "a", 3: "b"}).round(), persons)
    assert envies(other) == {(3, 1): 250_000}
    assert other.all_decided
    same = settle(replace(deal, owners={1: "a", 3: "a"}).round(), persons)
    assert same.envy_bonuses == ()
    assert same.all_decided


# --- along every prefix of a round -------------------------------------------------------------------


def keyed(settlement: Settlement) -> dict[object, object]:
    """Return everything that may be added to and never changes, by its key."""
    found: dict[object, object] = {("outcome", one.position, one.kind): one for one in settlement.outcomes}
    found |= {("contribution", one.position, one.kind): one for one in settlement.contributions}
    found |= {("envy", one.position, one.for_hand_of): one for one in settlement.envy_bonuses}
    found |= {("lamp", *lamp): lamp for lamp in settlement.lamps}
    return found


def crowns(round_: Round, positions: Sequence[int]) -> set[int]:
    """Return the positions whose two cards and the dealer's two are kings and queens, suited each."""
    faces = {hand.holder: [str(card.card) for card in hand.cards] for hand in round_.hands}
    royal = {
        holder
        for holder, two in faces.items()
        if sorted(a[0] for a in two) == ["K", "Q"] and two[0][1] == two[1][1]
    }
    return {position for position in positions if position in royal} if House.DEALER in royal else set()


@given(histories())
def test_a_settlement_grows_and_never_changes(history: History) -> None:
    said: dict[object, object] = {}
    decided = False
    for state in history.states:
        settlement = settle(state, history.submission)
        now = keyed(settlement)
        assert said.items() <= now.items()
        assert settlement.all_decided >= decided
        said, decided = now, settlement.all_decided
    assert decided


@given(histories())
def test_a_voided_round_keeps_all_that_was_said(history: History) -> None:
    for state in history.states:
        said, voided = (settle(one, history.submission) for one in (state, replace(state, voided=True)))
        assert keyed(said).items() <= keyed(voided).items()
        assert (voided.undecided, voided.all_decided >= said.all_decided) == ((), True)


@given(histories())
def test_t48_the_disclosed_round_settles_as_the_daemons_own(history: History) -> None:
    for state in history.states:
        assert settle(disclosed(state), history.submission) == settle(state, history.submission)


@given(histories())
def test_every_side_wager_is_in_one_place_from_the_initial_deal_on(history: History) -> None:
    for state in history.states:
        settlement = settle(state, history.submission)
        wagered = sorted(wager.position for wager in state.accepted if wager.kind is PROGRESSIVE)
        places = [one.position for one in settlement.outcomes]
        places += [one.position for one in settlement.deferred]
        places += [one.position for one in settlement.undecided]
        if state.initial_deal_complete:
            assert sorted(place for place in places if place in wagered) == wagered
        else:
            assert places == []


@given(histories())
def test_633b_18_j_k_the_end_of_a_round_counted_otherwise(history: History) -> None:
    final = history.states[-1]
    settlement = settle(final, history.submission)
    filing = history.submission.royal_match_progressive
    assert filing is not None
    wagered = [wager.position for wager in final.accepted if wager.kind is PROGRESSIVE]
    winners = crowns(final, wagered)
    assert {one.position for one in settlement.outcomes if one.outcome == "crown_treasure"} == winners
    assert {one.paid for one in settlement.outcomes if isinstance(one.paid, MeterShare)} <= {share(len(winners))}
    hands = winners if filing.envy_trigger is EnvyTrigger.WINS else crowns(final, filing.settle_order)
    owners = {one.position: one.owner for one in final.owners}
    persons = filing.envy_counts is EnvyCounts.PERSONS
    assert set(envies(settlement)) == {
        (receiver, hand)
        for receiver in wagered
        for hand in hands
        if receiver != hand and not (persons and owners[receiver] == owners[BettingPosition(hand)])
    }
