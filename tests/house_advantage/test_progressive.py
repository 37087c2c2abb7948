from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from bridge.domain.cards import Card
from bridge.domain.odds import Odds
from bridge.house_advantage.progressive import (
    PlayersError,
    ProgressiveFigures,
    any_crown_treasure,
    of_progressive,
)
from bridge.house_advantage.shoes import DECK, ShoeError
from bridge.rules.odds import MeterOddsError
from bridge.rules.royal_match import is_royal_match
from bridge.rules.submission import AceAdjacency
from tests.rules.baccarat_cases import BaccaratCase, baccarat_cases
from tests.rules.rounds import PAYTABLE_A, a_filing

PROGRESSIVE = [case for case in baccarat_cases("figures") if case.given["wager"] == "royal_progressive"]


def figures(decks: int, players: int = 1, ace: AceAdjacency = AceAdjacency.BOTH) -> ProgressiveFigures:
    return of_progressive(a_filing(ace=ace), decks, players)


def measure(found: ProgressiveFigures, name: str) -> Fraction:
    measures: dict[str, Fraction] = {
        "straight_flush": found.straight_flush,
        "royal_match": found.royal_match,
        "royal_match_paid_60": found.royal_match_paid,
        "crown_treasure": found.crown_treasure,
        "deferred": found.deferred,
        "any_crown": found.any_crown_treasure,
        "envy_return": found.envy_return,
        "long_run_edge": found.house_advantage,
    }
    return measures[name]


def ace_of(case: BaccaratCase) -> AceAdjacency:
    if case.reading:
        return AceAdjacency(case.reading.removeprefix("ace_order:ace="))
    return AceAdjacency(case.given["ace"])


@pytest.mark.parametrize("case", PROGRESSIVE, ids=str)
def test_633b_18_a_case_of_a_figure(case: BaccaratCase) -> None:
    given: dict[str, Any] = case.given
    found = figures(given["decks"], given["players"], ace_of(case))
    assert measure(found, given["measure"]) == Fraction(case.expected["exact"])


def test_633b_18_the_figures_of_six_decks_are_those_known() -> None:
    found = figures(6)
    assert round(1 / found.royal_match, 1) == Fraction(3369, 10)
    assert round(1 / found.crown_treasure) == 121_328
    assert round(found.crown_treasure / found.deferred, 5) == Fraction(1871, 100_000)
    assert round(found.straight_flush, 5) == Fraction(3562, 100_000)
    assert round(figures(6, ace=AceAdjacency.LOW).straight_flush, 5) == Fraction(3265, 100_000)
    both, low = figures(6), figures(6, ace=AceAdjacency.LOW)
    assert round(1 - both.house_advantage, 3) == Fraction(766, 1000)
    assert round(1 - low.house_advantage, 3) == Fraction(737, 1000)


def test_t9_a_royal_match_is_paid_as_one_or_is_a_crown_treasure() -> None:
    found = figures(2, 3)
    assert found.royal_match == found.royal_match_paid + found.crown_treasure
    assert found.deferred > found.crown_treasure


def test_633b_18_k_r46_envy_bonuses_come_from_every_other_player() -> None:
    alone, seven = figures(6), figures(6, 7)
    assert alone.envy_return == 0
    assert seven.envy_return == 500 * 6 * seven.crown_treasure


def test_633b_18_j_r45_at_the_break_even_meter_a_wager_returns_what_it_is() -> None:
    for players in (1, 2, 7):
        found = figures(6, players)
        share = found.any_crown_treasure * found.break_even_meter / players
        assert found.fixed_return + found.envy_return + share == 1
    assert figures(6, 7).break_even_meter < figures(6, 1).break_even_meter


def test_a_part_of_the_meter_takes_more_of_it_to_break_even() -> None:
    half = replace(PAYTABLE_A, odds={**PAYTABLE_A.odds, "crown_treasure": Odds.of_meter(Fraction(1, 2))})
    found = of_progressive(a_filing(paytable=half), 6, 1)
    assert found.break_even_meter == 2 * figures(6).break_even_meter


def test_any_crown_treasure_of_one_player_is_his_own() -> None:
    for decks in (1, 2, 8):
        assert any_crown_treasure(decks, 1) == figures(decks).crown_treasure


def test_what_a_hidden_rate_takes_comes_back_with_a_reset() -> None:
    filing = a_filing()
    hidden = replace(filing, progressive=replace(filing.progressive, hidden_rate=Fraction(1, 100)))
    assert of_progressive(hidden, 6, 1).house_advantage == figures(6).house_advantage - Fraction(1, 100)


def test_any_crown_treasure_of_two_players_counted_one_by_one() -> None:
    """One deck, by every royal hand of the dealer and of the first player, and every hand of the second."""
    royal = [pair for pair in product(DECK, repeat=2) if is_royal_match(*pair)]
    exactly_one_or_two = 0
    for dealer, first in product(royal, repeat=2):
        if set(dealer) & set(first):
            continue
        gone = {*dealer, *first}
        others = [second for second in royal if not gone & set(second)]
        exactly_one_or_two += 2 * 48 * 47 - len(others)
    assert any_crown_treasure(1, 2) == Fraction(exactly_one_or_two, 52 * 51 * 50 * 49 * 48 * 47)
    assert Card.parse("Kh") in DECK


def test_more_players_than_the_cards_make_hands_for_change_nothing_more() -> None:
    assert any_crown_treasure(1, 14) > any_crown_treasure(1, 13) > 0


def test_a_table_that_does_not_exist_is_refused() -> None:
    for players in (0, 15):
        with pytest.raises(PlayersError, match=rf"a table has 1 to 14 players, not {players}"):
            figures(6, players)
    with pytest.raises(ShoeError):
        figures(0)


def test_a_crown_treasure_at_fixed_odds_is_no_progressive() -> None:
    fixed = replace(PAYTABLE_A, odds={**PAYTABLE_A.odds, "crown_treasure": Odds.for_one(10_000)})
    with pytest.raises(MeterOddsError):
        of_progressive(a_filing(paytable=fixed), 6, 1)
