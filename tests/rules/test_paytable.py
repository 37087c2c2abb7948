import pytest

from bridge.domain.odds import Odds
from bridge.rules.paytable import Paytable, PaytableError
from bridge.rules.royal_match import PAID_OUTCOMES
from tests.rules.rounds import PAYTABLE_A


def test_633b_18_i_paytable_a_pays_every_outcome_of_the_wager() -> None:
    PAYTABLE_A.require(PAID_OUTCOMES)
    assert {name: str(odds) for name, odds in PAYTABLE_A.odds.items()} == {
        "crown_treasure": "100% of meter",
        "royal_match": "60 for 1",
        "straight_flush": "10 for 1",
    }


def test_a_paytable_that_pays_too_little_or_too_much_is_refused() -> None:
    paytable = Paytable("B", "§ 1", {"royal_match": Odds.for_one(60), "suited_match": Odds.for_one(2)})
    with pytest.raises(PaytableError) as refused:
        paytable.require(frozenset({"royal_match", "straight_flush"}))
    assert str(refused.value) == (
        "paytable B (§ 1) pays nothing for straight_flush and pays suited_match, which its wager does not have"
    )


def test_a_paytable_may_only_lack_or_only_exceed() -> None:
    with pytest.raises(PaytableError, match=r"pays nothing for royal_match$"):
        Paytable("B", "§ 1", {}).require(frozenset({"royal_match"}))
    with pytest.raises(PaytableError, match=r"^paytable B \(§ 1\) pays royal_match, which"):
        Paytable("B", "§ 1", {"royal_match": Odds.for_one(60)}).require(frozenset())


def test_a_paytable_may_have_the_rows_that_its_wager_leaves_free() -> None:
    paytable = Paytable("C", "§ 1", {"royal_match": Odds.to_one(25), "suited_blackjack": Odds.to_one(5)})
    paytable.require(frozenset({"royal_match"}), frozenset({"suited_blackjack"}))
    Paytable("A", "§ 1", {"royal_match": Odds.to_one(25)}).require(
        frozenset({"royal_match"}), frozenset({"suited_blackjack"})
    )
