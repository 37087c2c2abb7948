from dataclasses import replace

import pytest

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.table_view import Phase
from bridge.domain.wagers import WagerKind
from bridge.rules.admission import (
    Admission,
    Objection,
    admitted,
    admitted_by,
    filed_wager,
    filed_wagers,
    in_force,
    may_be_placed,
    may_stand,
    progressive_in_force,
    stands_beside,
    wagers_by_position,
)
from bridge.rules.catalogue import FixedOddsWager
from tests.rules.baccarat_cases import BaccaratCase, baccarat_cases, kind_of
from tests.rules.baccarat_rounds import EZ, STANDARD, Coup, a_baccarat_submission, filings
from tests.rules.rounds import SUBMISSION, Deal, a_filing, a_submission, positions, wager_of
from tests.rules.royal_match_21_rounds import a_royal_match_21_submission
from tests.table.tables import POSITIONS, Play

ROUND = Deal(hands={1: "2c 3c", 9: "2d 3d"}, dealer="9h 9s").round()
TALONS = WagerKind.GOLDEN_TALONS_PLAYER
ADMITTED = Admission.ADMITTED


def test_the_filing_of_the_rounds_own_submission_is_in_force() -> None:
    assert progressive_in_force(ROUND, SUBMISSION) == a_filing()


def test_a_round_is_settled_under_no_other_submission_than_its_own() -> None:
    other = replace(SUBMISSION, digest="f" * 64)
    assert progressive_in_force(ROUND, other) is Objection.OTHER_SUBMISSION
    assert in_force(ROUND, SUBMISSION) is ADMITTED
    assert in_force(ROUND, other) is Objection.OTHER_SUBMISSION
    assert in_force(ROUND, replace(STANDARD, digest=SUBMISSION.digest)) is Objection.OTHER_SUBMISSION


def test_633b_18_e_a_wager_that_is_not_filed_is_not_settled() -> None:
    assert progressive_in_force(ROUND, a_submission(None)) is Objection.NOT_FILED


def test_633b_18_e_r22_the_wager_requires_a_blackjack_wager_at_its_own_position() -> None:
    assert admitted(ROUND, a_filing(), wager_of(1, 500)) == wager_of(1, 500)
    assert admitted(ROUND, a_filing(), wager_of(2, 500)) is Objection.NO_BLACKJACK_WAGER


def test_r28_a_position_that_no_settle_order_names_is_left_to_a_supervisor() -> None:
    assert admitted(ROUND, a_filing(), wager_of(9, 500)) is Objection.NOT_IN_SETTLE_ORDER
    assert admitted(ROUND, a_filing(settle_order=(9, 1)), wager_of(9, 500)) == wager_of(9, 500)


def test_t37_each_wager_rests_on_what_its_section_says() -> None:
    assert may_stand(WagerKind.MAJESTIC_MATCH_BANKER, set(), STANDARD) is ADMITTED
    assert may_stand(TALONS, set(), STANDARD) is Objection.NO_BACCARAT_WAGER
    assert may_stand(TALONS, {WagerKind.MAJESTIC_MATCH_PLAYER}, STANDARD) is Objection.NO_BACCARAT_WAGER
    for base in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE):
        assert may_stand(TALONS, {base}, STANDARD) is ADMITTED
    assert may_stand(WagerKind.ROYAL_MATCH_PROGRESSIVE, set(), SUBMISSION) is Objection.NO_BLACKJACK_WAGER
    assert may_stand(WagerKind.ROYAL_MATCH_PROGRESSIVE, {WagerKind.BLACKJACK}, SUBMISSION) is ADMITTED
    assert may_stand(WagerKind.BLACKJACK, set(), SUBMISSION) is ADMITTED
    royal = a_royal_match_21_submission()
    assert may_stand(WagerKind.ROYAL_MATCH_21, set(), royal) is Objection.NO_BLACKJACK_WAGER
    assert may_stand(WagerKind.ROYAL_MATCH_21, {WagerKind.BLACKJACK}, royal) is ADMITTED


def test_r3_a_wager_is_off_unless_it_is_filed() -> None:
    for kind in (WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_21, WagerKind.DRAGON_7):
        assert may_stand(kind, {WagerKind.PLAYER}, STANDARD) is Objection.NOT_FILED
    assert filed_wager(WagerKind.BANKER, a_baccarat_submission(wagers=())) is Objection.NOT_FILED


def test_r3_every_wager_is_filed_or_is_not() -> None:
    found = filed_wagers(STANDARD)
    assert found == {kind: filed_wager(kind, STANDARD) for kind in WagerKind}
    assert found[WagerKind.ROYAL_MATCH_PROGRESSIVE] is Objection.NOT_FILED


def test_a_wager_of_another_game_is_off_even_if_it_is_filed() -> None:
    wrong = replace(STANDARD, wagers=filings(FixedOddsWager.ROYAL_MATCH_21))
    assert may_stand(WagerKind.ROYAL_MATCH_21, {WagerKind.BLACKJACK}, wrong) is Objection.NOT_FILED


def test_627a_1_dragon_7_and_panda_8_stand_at_ez_tables_alone() -> None:
    wagers = (*filings(FixedOddsWager.DRAGON_7), *filings(FixedOddsWager.PANDA_8))
    for kind in (WagerKind.DRAGON_7, WagerKind.PANDA_8):
        assert may_stand(kind, set(), a_baccarat_submission(wagers=wagers)) is Objection.NOT_AN_EZ_TABLE
        assert may_stand(kind, set(), EZ) is ADMITTED


def test_627b_5_b_r51_nothing_is_placed_after_no_more_bets() -> None:
    beside = {WagerKind.PLAYER}
    assert may_be_placed(TALONS, beside, STANDARD, locked=False) is ADMITTED
    assert may_be_placed(TALONS, beside, STANDARD, locked=True) is Objection.AFTER_NO_MORE_BETS
    progressive = WagerKind.ROYAL_MATCH_PROGRESSIVE
    assert may_be_placed(progressive, {WagerKind.BLACKJACK}, SUBMISSION, locked=True) is Objection.LOCKED_OUT


def test_an_accepted_wager_is_decided_by_its_filing_or_by_nobody() -> None:
    (filing,) = filings(FixedOddsWager.ROYAL_MATCH_21)
    in_order = replace(filing, settle_order=positions(3, 1))
    beside = {WagerKind.BLACKJACK}
    assert stands_beside(filing, beside) is ADMITTED
    assert admitted_by(in_order, wager_of(1, 5), beside) is in_order
    assert admitted_by(in_order, wager_of(2, 5), beside) is Objection.NOT_IN_SETTLE_ORDER
    assert admitted_by(in_order, wager_of(1, 5), set()) is Objection.NO_BLACKJACK_WAGER
    assert admitted_by(Objection.NOT_FILED, wager_of(1, 5), beside) is Objection.NOT_FILED


def test_the_wagers_of_a_round_by_position() -> None:
    round_ = Coup(wagers={3: {"player": 5, "tie": 5}, 1: {"banker": 5}}).round()
    assert wagers_by_position(round_) == {3: {"player", "tie"}, 1: {"banker"}}


# --- cases ------------------------------------------------------------------------------------------

REASONS = {
    Objection.NO_BACCARAT_WAGER: {
        "minibaccarat": "no_minibaccarat_wager",
        "baccarat": "no_baccarat_wager",
    },
    Objection.NO_BLACKJACK_WAGER: {"blackjack": "no_blackjack_wager"},
    Objection.AFTER_NO_MORE_BETS: dict.fromkeys(("minibaccarat", "baccarat"), "too_late"),
    Objection.LOCKED_OUT: {"blackjack": "locked_out"},
}
"""Where a case calls an objection by another name, by its table."""


def side_wager(case: BaccaratCase) -> WagerKind:
    kinds = [kind_of(name) for name in case.given["wagers"]]
    return next(kind for kind in reversed(kinds) if kind not in {"player", "banker", "tie", "blackjack"})


@pytest.mark.parametrize("case", baccarat_cases("admission"), ids=str)
def test_a_case_of_admission(case: BaccaratCase) -> None:
    table, when = case.given["table"], case.given["when"]
    if when == "count_before_dealing":
        counted, accepted = case.given["wagers"]["chips_counted"], case.given["wagers"]["wagers_accepted"]
        key = DealerKey.COUNT_AGREED if counted == accepted else DealerKey.COUNT_DIFFERS
        play = Play().wagers(*POSITIONS[:accepted]).lock().key(key)
        assert (play.phase is Phase.DEALING) is case.expected["accepted"]
        return
    submission = SUBMISSION if table == "blackjack" else STANDARD
    if case.reading == "tie_wager_as_minibaccarat_wager:no":
        narrow = (WagerKind.PLAYER, WagerKind.BANKER)
        wagers = [replace(one, requires=narrow) if one.requires else one for one in STANDARD.wagers]
        submission = a_baccarat_submission(wagers=wagers)
    kind = side_wager(case)
    beside = {kind_of(name) for name in case.given["wagers"]} - {kind}
    found = may_be_placed(kind, beside, submission, locked="after_no_more_bets" in when)
    reason = None if isinstance(found, Admission) else REASONS[found][table]
    assert {"accepted": found is ADMITTED, "reason": reason} == case.expected
