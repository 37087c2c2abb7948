from dataclasses import replace

import pytest

from bridge.domain.rounds import Game
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.submission import BaccaratFiling, NotFiled, NoVigorish, WagerFiling
from tests.rules.baccarat_rounds import EZ, STANDARD, a_baccarat_submission, filings
from tests.rules.rounds import SUBMISSION, a_filing, a_submission


def test_633b_18_e_a_side_wager_is_off_unless_it_is_filed() -> None:
    assert a_submission(a_filing()).files(WagerKind.ROYAL_MATCH_PROGRESSIVE)
    assert not a_submission(None).files(WagerKind.ROYAL_MATCH_PROGRESSIVE)


def test_t21_the_progressive_wager_has_its_one_amount_and_others_as_they_are_filed() -> None:
    submission = a_submission(a_filing(wager=700))
    assert submission.amount_of(WagerKind.ROYAL_MATCH_PROGRESSIVE) == 700
    assert submission.amount_of(WagerKind.BLACKJACK) is UnknownAmount.UNKNOWN
    tie = replace(STANDARD, wagers=filings(FixedOddsWager.TIE, amount=500))
    assert tie.amount_of(WagerKind.TIE) == 500
    assert tie.amount_of(WagerKind.ROYAL_MATCH_PROGRESSIVE) is UnknownAmount.UNKNOWN
    with pytest.raises(KeyError, match="royal_match_progressive"):
        tie.progressive_filed()


def test_the_blackjack_wager_belongs_to_blackjack() -> None:
    assert SUBMISSION.game is Game.BLACKJACK
    assert SUBMISSION.files(WagerKind.BLACKJACK)


def test_633b_18_d_the_meters_are_those_of_the_filed_wagers() -> None:
    filing = a_filing()
    assert a_submission(filing).progressives() == (filing.progressive,)
    assert a_submission(None).progressives() == ()


def test_r3_a_wager_of_fixed_odds_is_off_unless_it_is_filed() -> None:
    only_tie = a_baccarat_submission(wagers=filings(FixedOddsWager.TIE))
    assert only_tie.files(WagerKind.TIE)
    assert not only_tie.files(WagerKind.BANKER)
    assert only_tie.filing(WagerKind.BANKER) is NotFiled.NOT_FILED
    with pytest.raises(KeyError, match="banker"):
        only_tie.filed(WagerKind.BANKER)
    filing = only_tie.filing(WagerKind.TIE)
    assert only_tie.filed(WagerKind.TIE) is filing
    assert isinstance(filing, WagerFiling)
    assert (filing.paytable.name, filing.approval_reference) == ("A", "LAYOUT-2")


def test_627a_11_b_only_a_game_of_baccarat_says_how_it_is_played() -> None:
    assert STANDARD.baccarat_filed() is STANDARD.baccarat
    with pytest.raises(KeyError, match="blackjack"):
        SUBMISSION.baccarat_filed()


def test_submissions_are_told_apart_by_all_that_they_say() -> None:
    same, other = replace(STANDARD), replace(STANDARD, wagers=())
    assert hash(same) == hash(STANDARD)
    assert same == STANDARD
    assert {STANDARD: "this one", other: "another"}[same] == "this one"


def test_627a_11_b_an_ez_table_is_one_that_has_no_vigorish_by_its_designation() -> None:
    tables = (STANDARD, EZ, a_baccarat_submission(vigorish=NoVigorish.PAYTABLE))
    assert [isinstance(one.baccarat, BaccaratFiling) and one.baccarat.ez for one in tables] == [
        False, True, False,
    ]  # fmt: skip
