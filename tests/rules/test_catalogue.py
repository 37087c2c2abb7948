import pytest

from bridge.domain.rounds import Game
from bridge.domain.wagers import WagerKind
from bridge.rules.catalogue import CATALOGUE, CATALOGUE_ORDER, WAGER_OF_KIND, FixedOddsWager
from bridge.rules.submission import Moment
from tests.rules.baccarat_rounds import paytables

BY_HAND = {WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE}


def test_every_wager_of_fixed_odds_is_in_the_catalogue_once() -> None:
    assert set(CATALOGUE) == set(FixedOddsWager)
    assert set(WAGER_OF_KIND) == set(WagerKind) - BY_HAND
    assert sum(len(terms.kinds) for terms in CATALOGUE.values()) == len(WAGER_OF_KIND)


def test_t37_what_a_wager_rests_on() -> None:
    base = (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE)
    required = {wager: terms.requires for wager, terms in CATALOGUE.items() if terms.requires}
    assert required == {
        FixedOddsWager.GOLDEN_TALONS: base,
        FixedOddsWager.ROYAL_MATCH_21: (WagerKind.BLACKJACK,),
    }


def test_t38_when_a_wager_is_settled() -> None:
    early = {wager: terms.moment for wager, terms in CATALOGUE.items() if terms.moment is not Moment.AFTER_RESULT}
    assert early == {
        FixedOddsWager.MAJESTIC_MATCH: Moment.AFTER_FOUR_CARDS,
        FixedOddsWager.ROYAL_MATCH_21: Moment.AFTER_INITIAL_DEAL,
    }


def test_627a_1_dragon_7_and_panda_8_are_of_ez_tables_alone() -> None:
    ez_only = {wager for wager, terms in CATALOGUE.items() if terms.ez_only}
    assert ez_only == {FixedOddsWager.DRAGON_7, FixedOddsWager.PANDA_8}


def test_royal_match_21_is_of_blackjack_and_every_other_wager_of_both_games_of_baccarat() -> None:
    blackjack = {wager for wager, terms in CATALOGUE.items() if Game.BLACKJACK in terms.games}
    assert blackjack == {FixedOddsWager.ROYAL_MATCH_21}
    others = {terms.games for wager, terms in CATALOGUE.items() if wager not in blackjack}
    assert others == {frozenset({Game.BACCARAT, Game.MINIBACCARAT})}


def test_t56_base_wagers_come_before_side_wagers() -> None:
    base = [CATALOGUE_ORDER[kind] for kind in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE)]
    side = [CATALOGUE_ORDER[kind] for kind in (WagerKind.DRAGON_7, WagerKind.GOLDEN_TALONS_PLAYER)]
    assert base == sorted(base)
    assert max(base) < min(side)


@pytest.mark.parametrize("wager", FixedOddsWager)
def test_every_installed_paytable_has_exactly_the_rows_of_its_wager(wager: FixedOddsWager) -> None:
    for paytable in paytables(wager).values():
        terms, rows = CATALOGUE[wager], paytable.odds.keys()
        assert terms.outcomes <= rows <= terms.outcomes | terms.optional
