from dataclasses import replace
from fractions import Fraction

import pytest

from bridge.domain.odds import Odds
from bridge.domain.wagers import WagerKind
from bridge.house_advantage.report import HouseAdvantage, TableRules, of_result_wager, of_two_card_wager
from bridge.house_advantage.shoes import ShoeError
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.golden_talons import TalonsOnDragon7
from tests.rules.baccarat_cases import BaccaratCase, baccarat_cases
from tests.rules.baccarat_rounds import paytables

PLAIN = TableRules()
EZ = TableRules(ez=True)
TALONS = {"player": WagerKind.GOLDEN_TALONS_PLAYER, "banker": WagerKind.GOLDEN_TALONS_BANKER}
BANKER = paytables(FixedOddsWager.BANKER)["A"]
HALF_ON_6 = replace(BANKER, name="half on 6", odds={**BANKER.odds, "banker_won_with_6": Odds.to_one(1, 2)})
OF_ONE_WAGER = [
    case for case in baccarat_cases("figures") if case.given["wager"] not in {"combinations", "royal_progressive"}
]


def talons(letter: str, hand: str, decks: int = 8, rules: TableRules = PLAIN) -> HouseAdvantage:
    return of_result_wager(TALONS[hand], paytables(FixedOddsWager.GOLDEN_TALONS)[letter], decks, rules)


def result(wager: FixedOddsWager, letter: str = "A", decks: int = 8, rules: TableRules = PLAIN) -> HouseAdvantage:
    return of_result_wager(WagerKind(wager), paytables(wager)[letter], decks, rules)


def royal_match_21(letter: str, decks: int) -> HouseAdvantage:
    return of_two_card_wager(WagerKind.ROYAL_MATCH_21, paytables(FixedOddsWager.ROYAL_MATCH_21)[letter], decks)


def majestic(decks: int) -> HouseAdvantage:
    return of_two_card_wager(WagerKind.MAJESTIC_MATCH_PLAYER, paytables(FixedOddsWager.MAJESTIC_MATCH)["A"], decks)


def percent(found: HouseAdvantage, places: int) -> str:
    """Return a house advantage in per cent, rounded half up to so many places."""
    scaled = found.house_advantage * 100 * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}"


@pytest.mark.parametrize(
    ("letter", "player", "banker"),
    [
        ("A", "2.65", "9.37"),
        ("B", "4.55", "10.47"),
        ("C", "2.58", "9.07"),
        ("D", "2.58", "8.85"),
        ("E", "2.50", "8.53"),
    ],
)
def test_627b_5_f_the_published_figures_of_eight_decks(letter: str, player: str, banker: str) -> None:
    assert (percent(talons(letter, "player"), 2), percent(talons(letter, "banker"), 2)) == (player, banker)


@pytest.mark.parametrize(
    ("found", "published"),
    [
        (talons("A", "player"), "2.6516745"),
        (talons("A", "banker"), "9.3730740"),
        (result(FixedOddsWager.DRAGON_7, rules=EZ), "7.6113345"),
        (majestic(8), "6.459685"),
        (result(FixedOddsWager.TIE), "14.360"),
        (result(FixedOddsWager.PANDA_8, rules=EZ), "10.19"),
        (result(FixedOddsWager.PLAYER), "1.235"),
        (result(FixedOddsWager.BANKER, rules=TableRules(vigorish_rate=Fraction(5, 100))), "1.058"),
        (result(FixedOddsWager.BANKER, rules=TableRules(vigorish_rate=Fraction(4, 100))), "0.599"),
        (result(FixedOddsWager.BANKER, rules=EZ), "1.018"),
        (royal_match_21("A", 6), "6.67"),
        (royal_match_21("A", 8), "6.46"),
        (royal_match_21("A", 1), "10.86"),
        (royal_match_21("B", 1), "3.77"),
        (royal_match_21("C", 6), "3.70"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.wager.value,
)
def test_the_published_house_advantages(found: HouseAdvantage, published: str) -> None:
    assert percent(found, len(published.split(".")[1])) == published


def test_probabilities_of_a_wager_add_up_to_one() -> None:
    for found in (talons("A", "banker"), majestic(2), royal_match_21("C", 6)):
        assert sum(found.outcomes.values()) == 1
        assert found.returned + found.house_advantage == 1


def test_both_hands_have_the_same_majestic_match() -> None:
    banker = of_two_card_wager(WagerKind.MAJESTIC_MATCH_BANKER, paytables(FixedOddsWager.MAJESTIC_MATCH)["A"], 8)
    assert banker.outcomes == majestic(8).outcomes


def test_t30_natural_wins_with_a_margin_happen_in_a_fifth_of_all_rounds() -> None:
    assert talons("A", "player").outcomes["natural_win"] > Fraction(16, 100)
    assert set(talons("A", "player").outcomes) >= {"natural_tie", "win_by_9", "tie_not_natural", "hand_lost"}


def test_t35_the_other_reading_of_a_dragon_7_costs_the_bankers_hand() -> None:
    loses = TableRules(ez=True, on_dragon_7=TalonsOnDragon7.LOSES)
    assert talons("A", "banker", rules=loses).house_advantage > talons("A", "banker").house_advantage
    assert talons("A", "player", rules=loses).house_advantage == talons("A", "player").house_advantage


def test_t28_vigorish_is_owed_on_the_banker_wager_alone() -> None:
    rules = TableRules(vigorish_rate=Fraction(5, 100))
    assert talons("A", "banker", rules=rules) == talons("A", "banker")
    assert result(FixedOddsWager.PLAYER, rules=rules) == result(FixedOddsWager.PLAYER)


def test_a_wager_is_asked_for_where_it_belongs() -> None:
    with pytest.raises(KeyError):
        of_result_wager(WagerKind.MAJESTIC_MATCH_PLAYER, BANKER, 1, PLAIN)
    with pytest.raises(KeyError):
        of_two_card_wager(WagerKind.BANKER, BANKER, 1)
    with pytest.raises(ShoeError):
        result(FixedOddsWager.TIE, decks=0)


def figure(given: dict[str, object]) -> Fraction:
    decks = given["decks"]
    assert isinstance(decks, int)
    match given:
        case {"wager": "golden_talons", "hand": str(hand), "paytable": str(letter)}:
            return talons(letter, hand, decks).house_advantage
        case {"wager": "majestic_match"}:
            return majestic(decks).house_advantage
        case {"wager": "royal_match_21"}:
            return royal_match_21("A", decks).house_advantage
        case {"wager": "tie_8" | "tie_9" as name}:
            return result(FixedOddsWager.TIE, {"8": "A", "9": "B"}[name[-1]], decks).house_advantage
        case {"wager": "banker_4pct" | "banker_5pct" as name}:
            rules = TableRules(vigorish_rate=Fraction(int(name[7]), 100))
            return result(FixedOddsWager.BANKER, "A", decks, rules).house_advantage
        case {"wager": "banker_ez"}:
            return result(FixedOddsWager.BANKER, "A", decks, EZ).house_advantage
        case {"wager": "banker_half_on_6"}:
            return of_result_wager(WagerKind.BANKER, HALF_ON_6, decks, PLAIN).house_advantage
        case {"wager": "dragon7"}:
            return result(FixedOddsWager.DRAGON_7, "A", decks, EZ).house_advantage
        case {"wager": "panda8"}:
            return result(FixedOddsWager.PANDA_8, "A", decks, EZ).house_advantage
        case {"wager": "player"}:
            return result(FixedOddsWager.PLAYER, "A", decks).house_advantage
        case _:
            raise ValueError(given)


@pytest.mark.parametrize("case", OF_ONE_WAGER, ids=str)
def test_a_case_of_a_figure(case: BaccaratCase) -> None:
    assert figure(case.given) == Fraction(case.expected["exact"])
