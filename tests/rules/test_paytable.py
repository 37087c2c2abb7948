from bridge.rules.royal_match import PAID_OUTCOMES
from tests.rules.rounds import PAYTABLE_A


def test_633b_18_i_paytable_a_pays_every_outcome_of_the_wager() -> None:
    assert PAYTABLE_A.odds.keys() == PAID_OUTCOMES
    assert {name: str(odds) for name, odds in PAYTABLE_A.odds.items()} == {
        "crown_treasure": "100% of meter",
        "royal_match": "60 for 1",
        "straight_flush": "10 for 1",
    }
