import pytest

from bridge.domain.indicators import Lamp
from bridge.domain.names import LAMPS, RESULTS, WAGERS, outcome_name, plain
from bridge.domain.settlements import Result
from bridge.domain.wagers import WagerKind


def test_every_wager_every_end_and_every_lamp_has_a_name() -> None:
    assert set(LAMPS) == set(Lamp)
    assert set(RESULTS) == set(Result)
    assert set(WAGERS) == set(WagerKind)
    assert len(set(WAGERS.values())) == len(WAGERS)


def test_an_outcome_without_a_name_of_its_own_is_said_in_its_words() -> None:
    assert outcome_name("crown_treasure") == "Crown Treasure"
    assert outcome_name("win_by_9") == "win by 9"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            "royal_match_progressive at position 4 after lock-out: not accepted",
            "Royal Match progressive at position 4 after lock-out: not accepted",
        ),
        ("wager_accepted at position 1 did not go on", "lamp “Accepted” at position 1 did not go on"),
        ("payout_signed_off by floor-1 refused", "payout signed off by floor-1 refused"),
        ("it requires blackjack", "it requires Blackjack"),
        ("module-1: no such port /dev/ttyUSB0", "module-1: no such port /dev/ttyUSB0"),
    ],
)
def test_a_sentence_of_the_table_is_said_in_plain_words(told: str, said: str) -> None:
    assert plain(told) == said
