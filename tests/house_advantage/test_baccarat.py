from itertools import product

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card
from bridge.domain.rounds import House
from bridge.domain.settlements import EzResult, Winner
from bridge.house_advantage.baccarat import every_result, ways_in_all
from bridge.house_advantage.shoes import DECK
from bridge.rules.baccarat import final_hands, next_holder, point_count
from bridge.rules.ez_baccarat import ez_result
from tests.rules.baccarat_cases import BaccaratCase, baccarat_cases

WINNERS = {"player": Winner.PLAYER, "banker": Winner.BANKER, "tie": Winner.TIE_HAND}
SPECIALS = {"dragon7": EzResult.DRAGON_7, "panda8": EzResult.PANDA_8}
Hands = tuple[tuple[Card, ...], ...]
COMBINATIONS = [case for case in baccarat_cases("figures") if case.given["wager"] == "combinations"]


def ways_of(what: str, decks: int) -> int:
    results = every_result(decks).items()
    if what in WINNERS:
        return sum(ways for hands, ways in results if hands.winner is WINNERS[what])
    return sum(ways for hands, ways in results if ez_result(hands) is SPECIALS[what])


@pytest.mark.parametrize(
    ("what", "ways"),
    [
        ("banker", 2_292_252_566_437_888),
        ("player", 2_230_518_282_592_256),
        ("tie", 475_627_426_473_216),
        ("dragon7", 112_633_011_329_024),
    ],
)
def test_the_published_combinations_of_eight_decks(what: str, ways: int) -> None:
    assert ways_of(what, 8) == ways
    assert ways_in_all(8) == 4_998_398_275_503_360


@pytest.mark.parametrize("case", COMBINATIONS, ids=str)
def test_a_case_of_combinations(case: BaccaratCase) -> None:
    assert ways_of(case.given["of"], case.given["decks"]) == case.expected["exact"]


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_every_deal_is_counted_once(decks: int) -> None:
    assert sum(every_result(decks).values()) == ways_in_all(decks)
    assert min(every_result(decks).values()) > 0


@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=6), st.permutations(DECK))
def test_hands_of_the_same_point_counts_are_played_on_alike(cards: list[Card], others: list[Card]) -> None:
    """The enumeration asks the rules once for each pair of Point Counts, which holds for every card."""
    first: Hands = (tuple(cards[0:2]), tuple(cards[2:4]))
    second: Hands = tuple(
        next(pair for pair in product(others, repeat=2) if point_count(pair) == point_count(hand))
        for hand in first
    )
    for third in range(3):
        due = next_holder(*first)
        assert next_holder(*second) is due
        if not isinstance(due, House):
            break
        first = _with(first, due, cards[4 + third])
        second = _with(second, due, cards[4 + third])
    assert final_hands(*first) == final_hands(*second)
    assert every_result(8)[final_hands(*first)] > 0


def _with(hands: Hands, holder: House, card: Card) -> Hands:
    player, banker = hands
    return ((*player, card), banker) if holder is House.PLAYER else (player, (*banker, card))
