from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from bridge.domain.rounds import House, Round
from bridge.domain.settlements import (
    Announcement,
    EzResult,
    FinalResult,
    InitialPointCounts,
    Result,
    Settlement,
    StepAction,
    Winner,
)
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rules.catalogue import CATALOGUE, CATALOGUE_ORDER, WAGER_OF_KIND, FixedOddsWager
from bridge.rules.odds import gain
from bridge.rules.settlement import settle
from bridge.rules.submission import (
    BaccaratFiling,
    Moment,
    NotFiled,
    RulesSubmission,
    SettleOrder,
    VigorishFiling,
    VigorishTaken,
    WagerFiling,
)
from tests.rules.baccarat_cases import (
    BaccaratCase,
    announcement_in_the_terms_of_a_case,
    as_fractions,
    baccarat_cases,
    positions_in_the_terms_of_a_case,
    round_of,
    steps_in_the_terms_of_a_case,
    submission_of,
)
from tests.rules.baccarat_histories import BaccaratHistory, baccarat_histories
from tests.rules.baccarat_rounds import (
    EZ,
    FIVE_PERCENT,
    STANDARD,
    Coup,
    a_baccarat_submission,
    ends,
    filings,
    outcomes,
    steps,
)
from tests.rules.rounds import disclosed

UNKNOWN = UnknownAmount.UNKNOWN
Wagers = dict[int, dict[str, int | UnknownAmount]]
TALONS = {"golden_talons_player": 100, "golden_talons_banker": 100}
TALONS_BESIDE_TIE = {"tie": 100, **TALONS}


def talons(coup: Coup, letter: str, *, ez: bool = False) -> tuple[str, str]:
    """Return what a paytable pays a wager on the Player's and on the Banker's Hand; the outcome where nothing."""
    submission = a_baccarat_submission(ez=ez, letters={FixedOddsWager.GOLDEN_TALONS: letter})
    found = ends(coup.settled(submission))
    both = (found[1, WagerKind.GOLDEN_TALONS_PLAYER], found[1, WagerKind.GOLDEN_TALONS_BANKER])
    first, second = (str(end.odds) if end.result is Result.WIN else end.result.value for end in both)
    return first, second


# --- the worked examples -----------------------------------------------------------------------------


def test_v16_majestic_match_on_both_hands_needs_no_baccarat_wager() -> None:
    wagers = {1: {"majestic_match_player": 200, "majestic_match_banker": 200}}
    settlement = Coup(player="Kd Qd", banker="4s 9s", wagers=wagers).settled()
    assert [(end.outcome, str(end.odds), end.paid) for end in settlement.outcomes] == [
        ("royal_match", "25 to 1", 5000),
        ("suited_match", "2.5 to 1", 500),
    ]


def test_v17_two_identical_cards_are_a_suited_match() -> None:
    settlement = Coup(player="Kd Kd", banker="4s 9s", wagers={1: {"majestic_match_player": 200}}).settled()
    assert [(end.outcome, end.paid) for end in settlement.outcomes] == [("suited_match", 500)]


@pytest.mark.parametrize("letter", "ABCDE")
def test_v18_nine_against_eight(letter: str) -> None:
    coup = Coup(player="9s Kd", banker="5c 3d", wagers={1: TALONS_BESIDE_TIE})
    assert talons(coup, letter) == ("1 to 1", "lose")


@pytest.mark.parametrize("letter", "ABCDE")
def test_v19_a_natural_nine_against_nothing(letter: str) -> None:
    coup = Coup(player="9s Kd", banker="Kc Qd", wagers={1: TALONS_BESIDE_TIE})
    assert talons(coup, letter) == ("1 to 1", "lose")


@pytest.mark.parametrize(
    ("letter", "said"), [("A", "push"), ("B", "2 to 1"), ("C", "push"), ("D", "push"), ("E", "push")]
)
def test_v20_eight_against_eight_on_two_cards_each(letter: str, said: str) -> None:
    coup = Coup(player="5s 3d", banker="8c Qd", wagers={1: TALONS_BESIDE_TIE})
    assert talons(coup, letter) == (said, said)


@pytest.mark.parametrize(("letter", "pays"), [("A", 30), ("B", 20), ("C", 30), ("D", 20), ("E", 30)])
def test_v21_a_win_by_nine(letter: str, pays: int) -> None:
    coup = Coup(player="2s 3d 4h", banker="Kc Qd Kh", wagers={1: TALONS_BESIDE_TIE})
    assert talons(coup, letter) == (f"{pays} to 1", "lose")


@pytest.mark.parametrize("letter", "ABCDE")
def test_v22_six_against_six_without_naturals(letter: str) -> None:
    coup = Coup(player="6s Kd", banker="6c Qd", wagers={1: TALONS_BESIDE_TIE})
    assert talons(coup, letter) == ("lose", "lose")


DRAGON = Coup(
    player="Kc Kd Th", banker="Ks 3d 4c", wagers={1: {"player": 500, "banker": 700, "dragon_7": 100, **TALONS}}
)


@pytest.mark.parametrize(("letter", "pays"), [("A", 6), ("B", 5), ("C", 5), ("D", 7), ("E", 4)])
def test_v23_dragon_7_at_an_ez_table(letter: str, pays: int) -> None:
    assert talons(DRAGON, letter, ez=True) == ("lose", f"{pays} to 1")
    settlement = DRAGON.settled(EZ)
    found = ends(settlement)
    assert found[1, WagerKind.BANKER].result is Result.PUSH
    assert found[1, WagerKind.PLAYER].result is Result.LOSE
    assert found[1, WagerKind.DRAGON_7].paid == 4000
    assert settlement.announcements[-1] == FinalResult(
        player=0, banker=7, winner=Winner.BANKER, ez=EzResult.DRAGON_7
    )


def test_v24_panda_8_at_an_ez_table() -> None:
    wagers = {1: {"player": 500, "panda_8": 100, "golden_talons_player": 100}}
    settlement = Coup(player="2s 3d 3h", banker="Kc 2d 4c", wagers=wagers).settled(EZ)
    assert {kind: (end.outcome, end.paid) for (_, kind), end in ends(settlement).items()} == {
        "player": ("player_won", 500),
        "panda_8": ("panda_8", 2500),
        "golden_talons_player": ("win_by_less_than_4", 0),
    }
    assert settlement.announcements[-1] == FinalResult(
        player=8, banker=6, winner=Winner.PLAYER, ez=EzResult.PANDA_8
    )


def test_v25_the_same_cards_at_another_table() -> None:
    settlement = replace(DRAGON, wagers={1: {"banker": 700}}).settled(STANDARD)
    (end,) = settlement.outcomes
    assert (end.outcome, end.paid, end.vigorish) == ("banker_won", 700, 35)
    assert settlement.announcements[-1] == FinalResult(player=0, banker=7, winner=Winner.BANKER, ez=EzResult.NONE)


def test_v26_winners_from_the_highest_position_down_with_vigorish_before_each_payment() -> None:
    wagers = {2: {"banker": 100}, 5: {"banker": 100}, 7: {"player": 100}, 9: {"banker": 100}}
    settlement = Coup(player="8s Kd", banker="9c Kd", wagers=wagers).settled()
    mark, pay = StepAction.MARK_VIGORISH, StepAction.PAY
    assert steps(settlement) == [
        (StepAction.COLLECT, 7, "player"),
        *((action, position, "banker") for position in (9, 5, 2) for action in (mark, pay)),
    ]


def test_v27_golden_talons_without_a_base_wager_is_left_to_a_supervisor() -> None:
    settlement = Coup(player="9s Kd", banker="Kc Qd", wagers={1: TALONS}).settled()
    assert {one.reason for one in settlement.undecided} == {"no_baccarat_wager"}
    assert {step.action for step in settlement.steps} == {StepAction.CALL_SUPERVISOR}


# --- moments and announcements ----------------------------------------------------------------------

SUITED = {"majestic_match_player": 200, "player": 700}


def test_631c_7_c_r7_r8_after_four_cards_majestic_match_alone_is_settled() -> None:
    settlement = Coup(player="2h 3h", banker="Kc 7d", wagers={1: SUITED}).settled()
    assert settlement.announcements == (InitialPointCounts(player=5, banker=7),)
    assert outcomes(settlement) == {(1, "majestic_match_player"): "suited_match"}
    assert (settlement.undecided, settlement.all_decided) == ((), False)


def test_627a_11_a_r60_r61_the_result_is_announced_when_no_card_is_due() -> None:
    settlement = Coup(player="2h 3h Ac", banker="Kc 6d", wagers={1: SUITED}).settled()
    assert settlement.announcements == (
        InitialPointCounts(player=5, banker=6),
        FinalResult(player=6, banker=6, winner=Winner.TIE_HAND, ez=EzResult.NONE),
    )
    assert settlement.all_decided


def test_627a_11_a_r63_nothing_is_announced_while_a_third_card_is_due() -> None:
    settlement = Coup(player="6h Kh", banker="Kc 5d", wagers={1: {"player": 700}}).settled()
    assert [type(one) for one in settlement.announcements] == [InitialPointCounts]
    assert settlement.outcomes == ()


def test_nothing_is_said_before_lock_out_and_before_four_cards() -> None:
    coup = Coup(player="6h Kh", banker="Kc 7d", wagers={1: {"player": 700}})
    assert settle(replace(coup.round(), locked=False), STANDARD) == Settlement(
        table=coup.round().table, round_number=coup.round().number
    )
    three = replace(coup, banker="Kc", wagers={1: {"majestic_match_player": 700, "player": 700}}).settled()
    assert (three.announcements, three.outcomes, three.undecided, three.steps) == ((), (), (), ())


def test_a_round_without_wagers_is_decided_at_lock_out() -> None:
    assert Coup(wagers={}).settled().all_decided


def test_627a_8_t48_a_hand_face_down_only_delays() -> None:
    coup = Coup(player="9h Kh", banker="8c Kd", wagers={1: SUITED}, hidden=[House.BANKER])
    settlement = coup.settled()
    assert (settlement.announcements, settlement.outcomes, settlement.undecided) == ((), (), ())
    declared = replace(coup, complete=True).settled()
    assert (declared.outcomes, declared.undecided) == ((), ())


def test_t51_a_card_that_was_not_read_leaves_undecided_what_depends_on_it() -> None:
    both = {"majestic_match_player": 200, "majestic_match_banker": 200, "player": 700}
    early = Coup(player="9h Kh", banker="8c ??", wagers={1: both}).settled()
    assert {(one.kind.value, one.reason) for one in early.undecided} == {(kind, "cards_not_read") for kind in both}
    late = Coup(player="2h 3h ??", banker="Kc 6d", wagers={1: both}).settled()
    assert set(outcomes(late)) == {(1, "majestic_match_player"), (1, "majestic_match_banker")}
    assert [(one.kind, one.reason) for one in late.undecided] == [("player", "cards_not_read")]


@pytest.mark.parametrize(
    ("player", "banker", "complete", "reason"),
    [
        ("9h Kd 2c", "8c Ks", False, "player_should_stay"),
        ("9h Kd", "Kc Ks 2c", False, "banker_should_stay"),
        ("2h Kd", "Kc 6s 2c", False, "player_should_draw"),
        ("2h Kd", "Kc 7s", True, "player_should_draw"),
        ("6h Kd", "Kc 5s", True, "banker_should_draw"),
        ("6h Kd", "Kc", True, "initial_deal_incomplete"),
    ],
)
def test_627a_10_hands_that_are_not_as_the_rules_have_them_are_left_to_a_supervisor(
    player: str,
    banker: str,
    complete: bool,
    reason: str,
) -> None:
    settlement = Coup(player=player, banker=banker, wagers={1: SUITED}, complete=complete).settled()
    assert [(one.kind, one.reason) for one in settlement.undecided] == [("player", reason)]
    assert (StepAction.CALL_SUPERVISOR, 1, "player") in steps(settlement)
    assert all(isinstance(one, InitialPointCounts) for one in settlement.announcements)


# --- what may be settled ----------------------------------------------------------------------------


def test_r50_t37_a_tie_wager_admits_golden_talons_where_that_is_filed() -> None:
    coup = Coup(player="9s Kd", banker="Kc Qd", wagers={1: TALONS_BESIDE_TIE})
    assert coup.settled().undecided == ()
    strict = [
        replace(filing, requires=(WagerKind.PLAYER, WagerKind.BANKER)) if filing.requires else filing
        for filing in STANDARD.wagers
    ]
    refused = coup.settled(a_baccarat_submission(wagers=strict))
    assert {one.kind for one in refused.undecided} == set(TALONS)
    assert outcomes(refused) == {(1, "tie"): "player_won"}


def test_a_round_is_settled_under_no_other_submission_than_its_own() -> None:
    coup = Coup(player="9s Kd", banker="Kc Qd", wagers={1: SUITED})
    for other, reason in (
        (replace(STANDARD, digest="f" * 64), "other_submission"),
        (replace(STANDARD, baccarat=NotFiled.NOT_FILED), "not_filed"),
    ):
        settlement = coup.settled(other)
        assert (settlement.announcements, settlement.outcomes) == ((), ())
        assert {one.kind: one.reason for one in settlement.undecided} == dict.fromkeys(SUITED, reason)


@pytest.mark.parametrize(("player", "banker"), [("9s", "Kc Qc"), ("Kc Qc", "9s")])
def test_631c_7_c_r7_nothing_is_settled_before_each_hand_has_two_cards(player: str, banker: str) -> None:
    settlement = Coup(player=player, banker=banker, wagers={1: SUITED}).settled()
    assert (settlement.announcements, settlement.outcomes) == ((), ())


def test_r3_a_wager_that_is_not_filed_is_not_settled() -> None:
    only = a_baccarat_submission(wagers=filings(FixedOddsWager.PLAYER))
    settlement = Coup(player="9s Kd", banker="Kc Qd", wagers={1: SUITED}).settled(only)
    assert outcomes(settlement) == {(1, "player"): "player_won"}
    assert [(one.kind, one.reason) for one in settlement.undecided] == [("majestic_match_player", "not_filed")]


def test_an_amount_that_is_not_known_leaves_outcomes_and_steps_without_cents() -> None:
    settlement = Coup(player="8s Kd", banker="9c Kd", wagers={4: {"banker": UNKNOWN}}).settled()
    (end,) = settlement.outcomes
    assert (end.outcome, str(end.odds), end.paid, end.vigorish) == ("banker_won", "1 to 1", UNKNOWN, UNKNOWN)
    assert [(step.action, step.amount) for step in settlement.steps] == [
        (StepAction.MARK_VIGORISH, UNKNOWN),
        (StepAction.PAY, UNKNOWN),
    ]


def test_631c_7_c_majestic_match_is_settled_in_the_order_that_is_filed() -> None:
    coup = Coup(player="2h 3h", banker="Kc 7d", wagers={n: {"majestic_match_player": 200} for n in (3, 1, 12)})
    for order, wanted in (
        (SettleOrder.HIGHEST_POSITION_FIRST, [12, 3, 1]),
        (SettleOrder.LOWEST_POSITION_FIRST, [1, 3, 12]),
    ):
        filed = filings(FixedOddsWager.MAJESTIC_MATCH, settle_order=order)
        settlement = coup.settled(a_baccarat_submission(wagers=filed))
        assert [step.position for step in settlement.steps] == wanted


def test_631c_7_c_r9_all_losers_are_collected_before_any_winner_is_paid() -> None:
    wagers = {n: {"majestic_match_player": 200, "majestic_match_banker": 200} for n in (2, 7)}
    settlement = Coup(player="2h 3h", banker="Kc 7d", wagers=wagers).settled()
    assert steps(settlement) == [
        (StepAction.COLLECT, 7, "majestic_match_banker"),
        (StepAction.COLLECT, 2, "majestic_match_banker"),
        (StepAction.PAY, 7, "majestic_match_player"),
        (StepAction.PAY, 2, "majestic_match_player"),
    ]


# --- voided rounds ----------------------------------------------------------------------------------


def test_a_voided_round_returns_what_was_not_decided_before() -> None:
    wagers: Wagers = {4: {"banker": 700, "majestic_match_player": 200}, 9: {"tie": UNKNOWN}}
    settlement = Coup(player="2h 3h", banker="Kc 7d", wagers=wagers, voided=True).settled()
    assert outcomes(settlement) == {
        (4, "majestic_match_player"): "suited_match",
        (4, "banker"): "voided",
        (9, "tie"): "voided",
    }
    returned = [end for end in settlement.outcomes if end.outcome == "voided"]
    assert [(end.result, end.paid, end.stake_returned) for end in returned] == [
        (Result.PUSH, 0, 700),
        (Result.PUSH, 0, UNKNOWN),
    ]
    assert steps(settlement)[1:] == [(StepAction.RETURN_PUSH, 4, "banker"), (StepAction.RETURN_PUSH, 9, "tie")]
    assert settlement.all_decided


def test_a_voided_round_returns_a_fixed_amount_and_what_no_rule_could_decide() -> None:
    submission = a_baccarat_submission(wagers=filings(FixedOddsWager.TIE, amount=500))
    wagers: Wagers = {4: {"tie": UNKNOWN, "player": 700}}
    settlement = Coup(player="9h Kd 2c", banker="8c Ks", wagers=wagers, voided=True).settled(submission)
    assert [(end.kind, end.stake_returned) for end in settlement.outcomes] == [("tie", 500), ("player", 700)]
    assert settlement.undecided == ()


# --- cases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", baccarat_cases("minibaccarat_rounds"), ids=str)
def test_627a_11_a_case_of_a_round(case: BaccaratCase) -> None:
    settlement = round_of(case.expected, case.given["positions"]).settled(submission_of(case))
    expected = as_fractions(case.expected)
    told = steps_in_the_terms_of_a_case(settlement)
    assert announcement_in_the_terms_of_a_case(settlement) == expected["announcement"]
    assert sorted(told["collect_first"]) == sorted(expected["collect_first"])
    assert told["pay_in_order"] == expected["pay_in_order"]
    assert sorted(told["pushes"]) == sorted(expected["pushes"])
    assert positions_in_the_terms_of_a_case(settlement) == expected["positions"]
    assert -sum(position["net"] for position in expected["positions"].values()) == expected["table_net"]


# --- properties -------------------------------------------------------------------------------------


def said(settlement: Settlement) -> dict[object, object]:
    """Return everything that may be added to and never changes, by its key."""
    found: dict[object, object] = {(end.position, end.kind): end for end in settlement.outcomes}
    found |= {type(one): one for one in settlement.announcements}
    return found


@given(baccarat_histories())
def test_a_settlement_grows_and_never_changes(history: BaccaratHistory) -> None:
    before: dict[object, object] = {}
    decided = False
    for state in history.states:
        settlement = settle(state, history.submission)
        now = said(settlement)
        assert before.items() <= now.items()
        assert settlement.all_decided >= decided
        before, decided = now, settlement.all_decided


@given(baccarat_histories())
def test_t48_the_disclosed_round_settles_as_the_daemons_own(history: BaccaratHistory) -> None:
    for state in history.states:
        assert settle(disclosed(state), history.submission) == settle(state, history.submission)


@given(baccarat_histories())
def test_the_books_balance_to_the_last_fraction(history: BaccaratHistory) -> None:
    settlement = settle(history.states[-1], history.submission)
    table = history.submission.baccarat
    assert isinstance(table, BaccaratFiling)
    players, exact = 0, Fraction(0)
    for end in settlement.outcomes:
        assert isinstance(end.amount, int)
        assert isinstance(end.paid, int)
        assert isinstance(end.stake_returned, int)
        assert isinstance(end.vigorish, int)
        players += end.paid + end.stake_returned - end.amount - end.vigorish
        exact += Fraction(end.paid_rounding.parts, end.paid_rounding.per)
        exact -= Fraction(end.vigorish_rounding.parts, end.vigorish_rounding.per)
        match end.result:
            case Result.LOSE:
                exact -= end.amount
            case Result.PUSH:
                assert (end.paid, end.stake_returned) == (0, end.amount)
            case Result.WIN:
                won = end.amount * gain(_filing(history, end.kind).paytable.odds[end.outcome])
                owes = end.kind is WagerKind.BANKER and isinstance(table.vigorish, VigorishFiling)
                exact += won * (1 - FIVE_PERCENT.rate) if owes else won
    assert players == exact
    kept = {StepAction.COLLECT: 1, StepAction.PAY: -1, StepAction.MARK_VIGORISH: 1, StepAction.COLLECT_VIGORISH: 1}
    table_net = sum(
        kept.get(step.action, 0) * step.amount for step in settlement.steps if isinstance(step.amount, int)
    )
    assert table_net == -players


def _filing(history: BaccaratHistory, kind: WagerKind) -> WagerFiling:
    filing = history.submission.filing(kind)
    assert isinstance(filing, WagerFiling)
    return filing


def visits(settlement: Settlement, submission: RulesSubmission) -> list[tuple[int, int, int, int]]:
    """Return what sorts the steps of the final moment into their order."""
    rank = {StepAction.COLLECT: 0, StepAction.MARK_VIGORISH: 1, StepAction.COLLECT_VIGORISH: 1,
            StepAction.PAY: 1, StepAction.RETURN_PUSH: 2}  # fmt: skip
    return [
        (
            rank[step.action],
            -step.position,
            CATALOGUE_ORDER[step.kind],
            step.action is StepAction.PAY,
        )
        for step in settlement.steps
        if step.action is not StepAction.CALL_SUPERVISOR
        and CATALOGUE[WAGER_OF_KIND[step.kind]].moment is Moment.AFTER_RESULT
        and submission.files(step.kind)
    ]


@given(baccarat_histories())
def test_627a_11_b_r64_r68_losers_then_positions_from_the_highest_down_then_pushes(
    history: BaccaratHistory,
) -> None:
    final: Round = history.states[-1]
    if not final.voided:
        order = visits(settle(final, history.submission), history.submission)
        assert order == sorted(order)


def test_announcements_are_told_apart_by_their_kind() -> None:
    both: list[Announcement] = [
        InitialPointCounts(player=1, banker=2),
        FinalResult(player=1, banker=2, winner=Winner.BANKER, ez=EzResult.NONE),
    ]
    assert [one.kind for one in both] == ["initial_point_counts", "final_result"]


def test_vigorish_collected_or_marked_is_told_apart_in_the_steps() -> None:
    collected = a_baccarat_submission(vigorish=replace(FIVE_PERCENT, taken=VigorishTaken.COLLECTED))
    settlement = Coup(player="8s Kd", banker="9c Kd", wagers={4: {"banker": 300}}).settled(collected)
    assert [step.action for step in settlement.steps] == [StepAction.COLLECT_VIGORISH, StepAction.PAY]
