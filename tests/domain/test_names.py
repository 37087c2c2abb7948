from bridge.domain.names import WAGERS, outcome_name
from bridge.domain.wagers import WagerKind


def test_every_wager_has_a_name() -> None:
    assert set(WAGERS) == set(WagerKind)
    assert len(set(WAGERS.values())) == len(WAGERS)


def test_an_outcome_without_a_name_of_its_own_is_said_in_its_words() -> None:
    assert outcome_name("crown_treasure") == "Crown Treasure"
    assert outcome_name("win_by_9") == "win by 9"
