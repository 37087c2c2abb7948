from bridge.domain.rounds import Game
from bridge.domain.wagers import WagerKind
from tests.rules.rounds import SUBMISSION, a_filing, a_submission


def test_633b_18_e_a_side_wager_is_off_unless_it_is_filed() -> None:
    assert a_submission(a_filing()).files(WagerKind.ROYAL_MATCH_PROGRESSIVE)
    assert not a_submission(None).files(WagerKind.ROYAL_MATCH_PROGRESSIVE)


def test_the_blackjack_wager_belongs_to_blackjack() -> None:
    assert SUBMISSION.game is Game.BLACKJACK
    assert SUBMISSION.files(WagerKind.BLACKJACK)


def test_633b_18_d_the_meters_are_those_of_the_filed_wagers() -> None:
    filing = a_filing()
    assert a_submission(filing).progressives() == (filing.progressive,)
    assert a_submission(None).progressives() == ()
