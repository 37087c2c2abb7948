from itertools import product

import pytest

from bridge.domain.cards import Card
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.royal_match_21 import evaluate
from tests.rules.baccarat_cases import BaccaratCase, as_fractions, baccarat_cases, wager_in_the_terms_of_a_case
from tests.rules.baccarat_rounds import paytables
from tests.rules.royal_match_21_rounds import beside_blackjack

PRINTED = {"A": {"royal_match": "25", "suited_match": "2.5"}, "B": {"royal_match": "10", "suited_match": "3"},
           "C": {"royal_match": "25", "suited_blackjack": "5", "suited_match": "2.5"}}  # fmt: skip
HANDS = {
    "royal_match": ("Kh Qh", "Kh Jh", "suited_match"),
    "suited_blackjack": ("Ah Th", "Ah 9h", "suited_match"),
    "suited_match": ("2h 9h", "2h 9d", "no_match"),
}


def found(text: str, letter: str = "A") -> str:
    first, second = map(Card.parse, text.split())
    return evaluate(first, second, paytables(FixedOddsWager.ROYAL_MATCH_21)[letter].odds)


@pytest.mark.parametrize(("row", "letter"), [(r, x) for r, x in product(HANDS, PRINTED) if r in PRINTED[x]])
def test_633a_13_every_cell_is_paid_and_just_not_paid(row: str, letter: str) -> None:
    wins, near, nearly = HANDS[row]
    (end,) = beside_blackjack({1: wins}, {1: 200}, letter).outcomes
    assert (end.outcome, str(end.odds)) == (row, f"{PRINTED[letter][row]} to 1")
    assert found(near, letter) == nearly


def test_633b_18_a_t8_king_and_queen_in_either_order_and_nothing_of_the_dealers() -> None:
    assert found("Qs Ks") == "royal_match"
    assert found("Ks Ks") == "suited_match"
    assert found("Ah Kh") == "suited_match"
    assert found("Kh Ah", "C") == "suited_blackjack"
    assert found("Ah Kd", "C") == "no_match"
    assert found("Ah Ah", "C") == "suited_match"


@pytest.mark.parametrize("ten", "TJQK")
def test_633a_13_a_suited_blackjack_has_any_card_that_counts_ten(ten: str) -> None:
    assert found(f"{ten}d Ad", "C") == "suited_blackjack"


@pytest.mark.parametrize("case", baccarat_cases("royal_match_21"), ids=str)
def test_633a_13_a_case(case: BaccaratCase) -> None:
    (end,) = beside_blackjack({1: " ".join(case.given["cards"])}, {1: case.given["stake"]}).outcomes
    assert wager_in_the_terms_of_a_case(end) == as_fractions(case.expected["wager"])
