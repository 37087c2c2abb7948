from dataclasses import replace

from bridge.rules.admission import Objection, admitted, progressive_in_force
from tests.rules.rounds import SUBMISSION, Deal, a_filing, a_submission, wager_of

ROUND = Deal(hands={1: "2c 3c", 9: "2d 3d"}, dealer="9h 9s").round()


def test_the_filing_of_the_rounds_own_submission_is_in_force() -> None:
    assert progressive_in_force(ROUND, SUBMISSION) == a_filing()


def test_a_round_is_settled_under_no_other_submission_than_its_own() -> None:
    other = replace(SUBMISSION, digest="f" * 64)
    assert progressive_in_force(ROUND, other) is Objection.OTHER_SUBMISSION


def test_633b_18_e_a_wager_that_is_not_filed_is_not_settled() -> None:
    assert progressive_in_force(ROUND, a_submission(None)) is Objection.NOT_FILED


def test_633b_18_e_r22_the_wager_requires_a_blackjack_wager_at_its_own_position() -> None:
    assert admitted(ROUND, a_filing(), wager_of(1, 500)) == wager_of(1, 500)
    assert admitted(ROUND, a_filing(), wager_of(2, 500)) is Objection.NO_BLACKJACK_WAGER


def test_r28_a_position_that_no_settle_order_names_is_left_to_a_supervisor() -> None:
    assert admitted(ROUND, a_filing(), wager_of(9, 500)) is Objection.NOT_IN_SETTLE_ORDER
    assert admitted(ROUND, a_filing(settle_order=(9, 1)), wager_of(9, 500)) == wager_of(9, 500)
