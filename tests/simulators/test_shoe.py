import random
from collections import Counter
from itertools import islice

import pytest

from bridge.domain.cards import Card, Rank
from bridge.domain.wagers import BettingPosition
from simulators.scenario import HoleCardReaderUse, Scenario, ScriptedRound
from simulators.shoe import CUT_CARD_AT, DECKS, points, random_rounds, shuffled_shoe

LAYOUT = tuple(BettingPosition(number) for number in (1, 2, 3, 5, 6, 7, 8))


def rounds(seed: int, count: int) -> list[ScriptedRound]:
    return list(islice(random_rounds(seed, LAYOUT), count))


def dealt(round_: ScriptedRound) -> list[Card]:
    return [*round_.initial_deal(LAYOUT), *round_.hits, *round_.dealer_hits]


def hand(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


def test_a_shoe_has_six_of_each_card() -> None:
    shoe = Counter(shuffled_shoe(random.Random(1)))  # noqa: S311 - not secret
    assert len(shoe) == 52
    assert set(shoe.values()) == {DECKS}


def test_the_same_seed_gives_the_same_rounds_and_another_seed_others() -> None:
    assert rounds(5, 40) == rounds(5, 40)
    assert rounds(5, 40) != rounds(6, 40)


def test_rounds_are_what_a_scenario_may_say() -> None:
    played = rounds(3, 300)
    Scenario(title="random", rounds=tuple(played)).check_layout(LAYOUT)
    for round_ in played:
        assert round_.blackjack
        assert set(round_.progressive) <= set(round_.blackjack)
        assert not set(round_.late) & set(round_.progressive)
        assert tuple(dict(round_.hands)) == round_.blackjack
        assert max(Counter(dealt(round_)).values()) <= DECKS


def test_the_cards_of_one_shoe_come_from_one_shoe() -> None:
    first_shoe: list[Card] = []
    for round_ in random_rounds(9, LAYOUT):
        if len(first_shoe) > 52 * DECKS - CUT_CARD_AT:
            break
        first_shoe += dealt(round_)
    assert max(Counter(first_shoe).values()) <= DECKS
    assert first_shoe != sorted(first_shoe, key=str)


def test_everything_that_may_happen_at_a_table_happens_in_time() -> None:
    played = rounds(11, 1500)
    assert any(round_.late for round_ in played)
    assert any(not round_.progressive for round_ in played)
    assert {len(round_.blackjack) for round_ in played} == set(range(1, 8))
    assert any(
        first.suit is second.suit and {first.rank, second.rank} == {Rank.KING, Rank.QUEEN}
        for round_ in played
        for position, (first, second) in round_.hands
        if position in round_.progressive
    )
    assert {round_.hole_card_reader for round_ in played} == {
        HoleCardReaderUse.UNUSED,
        HoleCardReaderUse.AFTER_SETTLEMENT,
    }


def test_the_dealer_draws_to_seventeen_unless_there_is_nobody_left_or_nothing_to_win() -> None:
    drew = 0
    for round_ in rounds(2, 300):
        dealer = (round_.up_card, round_.hole_card)
        if round_.dealer_hits:
            drew += 1
            assert points((*dealer, *round_.dealer_hits[:-1])) < 17 <= points((*dealer, *round_.dealer_hits))
        if points(dealer) == 21:
            assert not round_.hits
            assert not round_.dealer_hits
    assert drew


@pytest.mark.parametrize(
    ("cards", "total"),
    [("As Kd", 21), ("As Ad", 12), ("As Ad 9c", 21), ("9s 8d 7c", 24), ("As 9d Tc", 20), ("Js Qs", 20)],
)
def test_points_of_a_hand(cards: str, total: int) -> None:
    assert points(hand(cards)) == total
