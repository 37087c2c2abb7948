import random
from collections import Counter
from itertools import islice

import pytest

from bridge.domain.cards import Card
from bridge.domain.shoe import ShoeResult
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.baccarat import HandVerdict, final_hands, point_count, verdict
from simulators.baccarat_scenario import BaccaratRound, BaccaratScenario
from simulators.baccarat_shoe import (
    CUT_CARD_AT,
    DECKS,
    ShoeEmptyError,
    hands_from,
    points,
    random_baccarat_rounds,
    result_of,
    shuffled_shoe,
)

LAYOUT = tuple(BettingPosition(number) for number in (1, 2, 3, 5, 6, 7))
OFFERED = (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE, WagerKind.GOLDEN_TALONS_BANKER)


def rounds(seed: int, count: int) -> list[BaccaratRound]:
    return list(islice(random_baccarat_rounds(seed, LAYOUT, OFFERED), count))


def cards(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


def test_a_shoe_has_eight_of_each_card() -> None:
    shoe = Counter(shuffled_shoe(random.Random(1)))  # noqa: S311 - not secret
    assert len(shoe) == 52
    assert set(shoe.values()) == {DECKS}


def test_the_same_seed_gives_the_same_rounds_and_another_seed_others() -> None:
    assert rounds(5, 40) == rounds(5, 40)
    assert rounds(5, 40) != rounds(6, 40)


def test_627a_10_its_own_third_card_rules_are_those_that_settle() -> None:
    played = rounds(7, 3000)
    assert {verdict(one.player, one.banker) for one in played} == {HandVerdict.LEGAL}
    shapes = Counter((len(one.player), len(one.banker)) for one in played)
    assert set(shapes) == {(2, 2), (2, 3), (3, 2), (3, 3)}
    for one in played:
        assert (points(one.player), points(one.banker)) == (point_count(one.player), point_count(one.banker))
        assert result_of(one.player, one.banker).value == final_hands(one.player, one.banker).winner.removesuffix(
            "_hand"
        )


@pytest.mark.parametrize(
    ("shoe", "player", "banker"),
    [
        ("9s 5c Kd 3d", "9s Kd", "5c 3d"),
        ("Ks 4c 6d 3h", "Ks 6d", "4c 3h"),
        ("Ks 4c 6d Ah 2c", "Ks 6d", "4c Ah 2c"),
        ("2s Kh 3d Qc 4h Ks", "2s 3d 4h", "Kh Qc Ks"),
        ("2s Kh 3d 3c 8h", "2s 3d 8h", "Kh 3c"),
        ("2s Kh 3d 4c Ah", "2s 3d Ah", "Kh 4c"),
        ("2s Kh 3d 5c 4h 9d", "2s 3d 4h", "Kh 5c 9d"),
        ("2s Kh 3d 6c 6h 9d", "2s 3d 6h", "Kh 6c 9d"),
        ("2s Kh 3d 7c 6h", "2s 3d 6h", "Kh 7c"),
    ],
)
def test_hands_are_dealt_from_the_cards_in_order(shoe: str, player: str, banker: str) -> None:
    assert hands_from(cards(shoe)) == (tuple(cards(player)), tuple(cards(banker)))


@pytest.mark.parametrize("shoe", ["9s 5c Kd", "2s Kh 3d Qc", "2s Kh 3d Qc 4h", "Ks 4c 6d Ah"])
def test_too_few_cards_are_refused(shoe: str) -> None:
    with pytest.raises(ShoeEmptyError, match="do not finish the hands"):
        hands_from(cards(shoe))


@pytest.mark.parametrize(
    ("player", "banker", "result"),
    [
        ("9s Kd", "5c 3d", ShoeResult.PLAYER),
        ("5c 3d", "9s Kd", ShoeResult.BANKER),
        ("Ts Jd", "Qc Kd", ShoeResult.TIE),
    ],
)
def test_what_a_shoe_says_of_two_hands(player: str, banker: str, result: ShoeResult) -> None:
    assert result_of(cards(player), cards(banker)) is result


def test_rounds_are_what_a_scenario_may_say() -> None:
    played = rounds(3, 300)
    BaccaratScenario(title="random", rounds=tuple(played)).check_layout(LAYOUT, OFFERED)
    for one in played:
        assert one.wagers
        assert set(one.amounts) == set(one.wagers)
        assert not set(one.late) & set(one.wagers)
        sides = {position for position, wager in one.wagers if wager is WagerKind.GOLDEN_TALONS_BANKER}
        base = {position for position, wager in one.wagers if wager in (WagerKind.PLAYER, WagerKind.BANKER)}
        assert sides <= base


def test_a_shoe_is_burned_at_its_start_and_changed_after_its_cut_card() -> None:
    played = rounds(9, 400)
    shoes: list[list[BaccaratRound]] = []
    for one in played:
        if one.burned:
            shoes.append([])
        shoes[-1].append(one)
    assert len(shoes) > 3
    for shoe in shoes[:-1]:
        assert [one.cut_card for one in shoe] == [False] * (len(shoe) - 1) + [True]
        drawn = [card for one in shoe for card in (*one.burned, *one.player, *one.banker)]
        assert max(Counter(drawn).values()) <= DECKS
        assert 52 * DECKS - CUT_CARD_AT < len(drawn) < 52 * DECKS
    firsts = [shoe[0].burned for shoe in shoes]
    assert all(len(burned) == 1 + (points(burned[:1]) or 10) for burned in firsts)


def test_somebody_is_too_late_in_time() -> None:
    assert any(one.late for one in rounds(11, 300))
