import pytest

from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import NOTHING_ROUNDED, Result, RoundingDifference, UnpaidOdds
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.paytable import Paytable
from bridge.rules.submission import NotFiled, NoVigorish
from bridge.rules.wager_end import Found, amount_of, end_of, unpaid
from tests.rules.baccarat_rounds import FIVE_PERCENT, filings
from tests.rules.rounds import wager_of

UNKNOWN = UnknownAmount.UNKNOWN
(BANKER,) = filings(FixedOddsWager.BANKER)
(FIXED,) = filings(FixedOddsWager.TIE, amount=500)
MAJESTIC = filings(FixedOddsWager.MAJESTIC_MATCH)[0]


def found(outcome: str, vigorish: object = FIVE_PERCENT) -> Found:
    assert vigorish is FIVE_PERCENT or isinstance(vigorish, NoVigorish)
    return Found.by_paytable(BANKER, outcome, FIVE_PERCENT if vigorish is FIVE_PERCENT else NoVigorish.PAYTABLE)


@pytest.mark.parametrize(
    ("outcome", "result", "odds"),
    [
        ("banker_won", Result.WIN, Odds.to_one(1)),
        ("tie", Result.PUSH, UnpaidOdds.NONE),
        ("player_won", Result.LOSE, UnpaidOdds.NONE),
    ],
)
def test_t29_the_paytable_alone_says_what_wins_loses_and_is_returned(
    outcome: str, result: Result, odds: Odds | UnpaidOdds
) -> None:
    assert (found(outcome).result, found(outcome).odds) == (result, odds)


def test_t28_gross_win_and_vigorish_are_both_recorded() -> None:
    end = end_of(wager_of(3, 333, WagerKind.BANKER), found("banker_won"))
    assert (end.paid, end.stake_returned, end.vigorish) == (333, 333, 17)
    assert end.vigorish_rounding == RoundingDifference(7, 20)
    assert end.paid_rounding == NOTHING_ROUNDED
    free = end_of(wager_of(3, 333, WagerKind.BANKER), found("banker_won", NoVigorish.PAYTABLE))
    assert (free.paid, free.vigorish) == (333, 0)


def test_t27_a_payment_of_part_of_a_cent_is_rounded_and_the_difference_kept() -> None:
    suited = Found.by_paytable(MAJESTIC, "suited_match", NoVigorish.OTHER_WAGER)
    end = end_of(wager_of(3, 333, WagerKind.MAJESTIC_MATCH_PLAYER), suited)
    assert (end.paid, end.paid_rounding) == (833, RoundingDifference(1, 2))


def test_an_amount_that_is_not_known_leaves_outcome_and_odds_without_cents() -> None:
    won = end_of(wager_of(3, UNKNOWN, WagerKind.BANKER), found("banker_won"))
    assert (won.outcome, won.odds) == ("banker_won", Odds.to_one(1))
    assert (won.amount, won.paid, won.stake_returned, won.vigorish) == (UNKNOWN,) * 4
    free = end_of(wager_of(3, UNKNOWN, WagerKind.BANKER), found("banker_won", NoVigorish.PAYTABLE))
    assert free.vigorish == 0
    pushed = end_of(wager_of(3, UNKNOWN, WagerKind.BANKER), found("tie"))
    assert (pushed.paid, pushed.stake_returned) == (0, UNKNOWN)
    lost = end_of(wager_of(3, UNKNOWN, WagerKind.BANKER), found("player_won"))
    assert (lost.amount, lost.paid, lost.stake_returned) == (UNKNOWN, 0, 0)


def test_t28_an_unknown_amount_of_another_wager_owes_no_vigorish() -> None:
    (filing,) = filings(FixedOddsWager.TIE)
    won = end_of(wager_of(3, UNKNOWN, WagerKind.TIE), Found.by_paytable(filing, "tie", FIVE_PERCENT))
    assert (won.paid, won.vigorish) == (UNKNOWN, 0)


def test_t13_for_one_returns_no_wager_even_where_the_amount_is_not_known() -> None:
    nine_for_one = Paytable("T", "a test", {"tie": Odds.for_one(9)})
    (filing,) = filings(FixedOddsWager.TIE, paytable=nine_for_one)
    tie = Found.by_paytable(filing, "tie", NoVigorish.OTHER_WAGER)
    known = end_of(wager_of(3, 100, WagerKind.TIE), tie)
    assert (known.paid, known.stake_returned) == (900, 0)
    unknown = end_of(wager_of(3, UNKNOWN, WagerKind.TIE), tie)
    assert (unknown.paid, unknown.stake_returned) == (UNKNOWN, 0)


def test_t21_a_fixed_amount_is_filed_and_needs_nobody_to_say_it() -> None:
    assert amount_of(wager_of(1, UNKNOWN, WagerKind.TIE), FIXED) == 500
    assert amount_of(wager_of(1, 700, WagerKind.TIE), FIXED) == 700
    assert amount_of(wager_of(1, UNKNOWN, WagerKind.BANKER), BANKER) is UNKNOWN
    assert amount_of(wager_of(1, UNKNOWN, WagerKind.BANKER), NotFiled.NOT_FILED) is UNKNOWN


def test_a_returned_wager_comes_back_whole_and_a_lost_one_does_not() -> None:
    wager = wager_of(1, 700, WagerKind.TIE)
    assert unpaid(wager, Cents(700), Result.PUSH, "voided").stake_returned == 700
    assert unpaid(wager, Cents(700), Result.LOSE, "player_won").stake_returned == 0
