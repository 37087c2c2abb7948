import pytest

from bridge.domain.cards import Card
from bridge.rules.majestic_match import MajesticMatchOutcome, evaluate
from tests.rules.baccarat_cases import (
    BaccaratCase,
    as_fractions,
    baccarat_cases,
    positions_in_the_terms_of_a_case,
    round_of,
    steps_in_the_terms_of_a_case,
)
from tests.rules.baccarat_rounds import Coup, ends


def found(text: str) -> str:
    first, second = map(Card.parse, text.split())
    return evaluate(first, second)


@pytest.mark.parametrize(
    ("row", "pays", "hands"),
    [
        ("royal_match", "25 to 1", [("Kh Qh", "royal_match"), ("Kh Jh", "suited_match")]),
        ("suited_match", "2.5 to 1", [("2h 9h", "suited_match"), ("2h 9d", "no_match")]),
    ],
)
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_631c_7_d_every_cell_is_paid_and_just_not_paid(
    hand: str, row: str, pays: str, hands: list[tuple[str, str]]
) -> None:
    for cards, name in hands:
        dealt = {"player": "2c 3d", "banker": "2d 3c"} | {hand: cards}
        coup = Coup(player=dealt["player"], banker=dealt["banker"], wagers={1: {f"majestic_match_{hand}": 200}})
        (end,) = ends(coup.settled()).values()
        assert end.outcome == name
        assert (str(end.odds) == pays) is (name == row)
        assert end.paid == {"royal_match": 5000, "suited_match": 500, "no_match": 0}[name]


def test_631c_7_e_r13_r14_in_either_order_and_with_two_identical_cards() -> None:
    assert found("Qs Ks") == MajesticMatchOutcome.ROYAL_MATCH
    assert found("Ks Qd") == MajesticMatchOutcome.NO_MATCH
    assert found("7s 7s") == MajesticMatchOutcome.SUITED_MATCH
    assert found("Ks Ks") == MajesticMatchOutcome.SUITED_MATCH
    assert found("Ks Kd") == MajesticMatchOutcome.NO_MATCH


@pytest.mark.parametrize("case", baccarat_cases("majestic_match"), ids=str)
def test_631c_7_b_to_e_a_case(case: BaccaratCase) -> None:
    hands = {"player": case.given["player2"], "banker": case.given["banker2"]}
    settlement = round_of(hands, case.given["positions"]).settled()
    expected = as_fractions(case.expected)
    told = steps_in_the_terms_of_a_case(settlement)
    paid = [[visit["position"], entry["wager"]] for visit in told["pay_in_order"] for entry in visit["payments"]]
    assert told["collect_first"] == expected["collect"]
    assert paid == expected["pay"]
    assert positions_in_the_terms_of_a_case(settlement) == expected["positions"]
