from itertools import product

import pytest

from bridge.domain.cards import Card, Rank, Suit, UnseenCard
from bridge.domain.rounds import House
from bridge.domain.settlements import Winner
from bridge.rules.baccarat import (
    FinalHands,
    HandVerdict,
    NotTold,
    final_hands,
    known_hands,
    next_card,
    next_holder,
    point_count,
    point_value,
    verdict,
)
from bridge.rules.ez_baccarat import ez_result
from tests.rules.baccarat_cases import BaccaratCase, baccarat_cases
from tests.rules.baccarat_rounds import Coup
from tests.rules.rounds import faces

ONE_OF_EACH_VALUE = {point_value(Card(rank, Suit.CLUBS)): Card(rank, Suit.CLUBS) for rank in Rank}
PRINTED = {3: "0123456 79", 4: "234567", 5: "4567", 6: "67"}
"""§ 631a.11 as it is printed: Player's third cards on which a Banker's Hand of 3 to 6 draws."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def of_count(count: int) -> tuple[Card, Card]:
    """Return two cards of a Point Count that need not be a natural's."""
    return ONE_OF_EACH_VALUE[0], ONE_OF_EACH_VALUE[count]


@pytest.mark.parametrize(("rank", "value"), [("A", 1), ("9", 9), ("T", 0), ("J", 0), ("Q", 0), ("K", 0)])
def test_627a_1_what_a_card_counts(rank: str, value: int) -> None:
    assert point_value(Card.parse(f"{rank}s")) == value


@pytest.mark.parametrize(("hand", "count"), [("9c 9d", 8), ("5c 5d", 0), ("9c 9d 9h", 7), ("", 0)])
def test_627a_1_the_point_count_is_the_last_digit(hand: str, count: int) -> None:
    assert point_count(cards(hand)) == count


@pytest.mark.parametrize(("player", "banker"), list(product(range(10), range(10))))
def test_627a_10_after_the_initial_deal_for_every_two_point_counts(player: int, banker: int) -> None:
    due = next_holder(of_count(player), of_count(banker))
    if player >= 8 or banker >= 8:
        assert due is HandVerdict.LEGAL
    elif player <= 5:
        assert due is House.PLAYER
    else:
        assert due is (House.BANKER if banker <= 5 else HandVerdict.LEGAL)


@pytest.mark.parametrize(("banker", "third"), list(product(range(8), range(10))))
def test_627a_10_the_banker_after_every_third_card_of_the_player(banker: int, third: int) -> None:
    player = (*of_count(0), ONE_OF_EACH_VALUE[third])
    draws = banker <= 2 or (banker in PRINTED and str(third) in PRINTED[banker])
    assert next_holder(player, of_count(banker)) is (House.BANKER if draws else HandVerdict.LEGAL)
    drawn = (*of_count(banker), ONE_OF_EACH_VALUE[0])
    assert verdict(player, drawn) is (HandVerdict.LEGAL if draws else HandVerdict.BANKER_SHOULD_STAY)


def test_627a_8_the_first_four_cards_are_dealt_in_turn_whatever_they_are() -> None:
    hidden = UnseenCard.HIDDEN
    assert next_holder((), ()) is House.PLAYER
    assert next_holder((hidden,), ()) is House.BANKER
    assert next_holder((hidden,), (UnseenCard.UNREAD,)) is House.PLAYER
    assert next_holder((hidden, hidden), (hidden,)) is House.BANKER


def test_hands_that_were_not_dealt_in_turn_are_told() -> None:
    assert next_holder(faces("2c 3c"), ()) is HandVerdict.INITIAL_DEAL_INCOMPLETE
    assert next_holder(faces("2c 3c 4c 5c"), faces("2d")) is HandVerdict.INITIAL_DEAL_INCOMPLETE


def test_t48_t51_a_card_face_down_or_not_read_leaves_open_who_is_due() -> None:
    hidden, unread = UnseenCard.HIDDEN, UnseenCard.UNREAD
    assert next_holder(faces("2c 3c"), (hidden, hidden)) is NotTold.AWAITS_DISCLOSURE
    assert next_holder(faces("2c ??"), faces("9c Kc")) is NotTold.CARDS_NOT_READ
    assert next_holder((hidden, hidden), (unread, hidden)) is NotTold.CARDS_NOT_READ
    assert known_hands(faces("2c 3c"), (hidden,)) is NotTold.AWAITS_DISCLOSURE
    assert known_hands(faces("2c"), faces("9c")) == (cards("2c"), cards("9c"))


def test_t48_who_is_due_a_card_of_a_round_is_told_from_disclosed_cards_alone() -> None:
    face_down = Coup(player="2c 3c", banker="9c Kc", wagers={}, hidden=[House.BANKER])
    assert next_card(face_down.round()) is NotTold.AWAITS_DISCLOSURE
    turned = Coup(player="2c 3c", banker="9c Kc", wagers={})
    assert next_card(turned.round()) is HandVerdict.LEGAL
    open_hands = Coup(player="2c 3c", banker="7c Kc", wagers={})
    assert next_card(open_hands.round()) is House.PLAYER


@pytest.mark.parametrize(
    ("player", "banker", "found"),
    [
        ("5s Qd", "6c", HandVerdict.INITIAL_DEAL_INCOMPLETE),
        ("9s", "6c 2h", HandVerdict.INITIAL_DEAL_INCOMPLETE),
        ("5s Qd 2c 3c", "6c 2h", HandVerdict.TOO_MANY_CARDS),
        ("5s Qd", "6c 2h 3c 4c", HandVerdict.TOO_MANY_CARDS),
        ("5s Qd", "6c Ah 2c", HandVerdict.PLAYER_SHOULD_DRAW),
        ("9s Qd 2c", "6c Ah", HandVerdict.PLAYER_SHOULD_STAY),
        ("9s Qd", "Kc Kh 2c", HandVerdict.BANKER_SHOULD_STAY),
        ("6s Qd", "Kc Kh", HandVerdict.BANKER_SHOULD_DRAW),
        ("6s Qd", "Kc Kh 2c", HandVerdict.LEGAL),
    ],
)
def test_627a_10_hands_that_are_not_as_the_rules_have_them_are_told(
    player: str, banker: str, found: HandVerdict
) -> None:
    assert verdict(cards(player), cards(banker)) is found


def test_a_fault_is_told_and_nobody_is_due_a_card_then() -> None:
    assert next_holder(cards("5s Qd"), cards("6c Ah 2c")) is HandVerdict.PLAYER_SHOULD_DRAW
    assert next_holder(cards("9s Qd 2c"), cards("6c Ah")) is HandVerdict.PLAYER_SHOULD_STAY


@pytest.mark.parametrize(
    ("player", "banker", "winner", "margin", "naturals"),
    [
        ("9s Kd", "5c 3d", Winner.PLAYER, 1, (True, True)),
        ("2s 3d 4h", "Kc Qd Kd", Winner.PLAYER, 9, (False, False)),
        ("6s Kd", "6c Kh", Winner.TIE_HAND, 0, (False, False)),
        ("2s Kd 2h", "4c 5h", Winner.BANKER, 5, (False, True)),
        ("3s 2d 3c", "Kc 7d", Winner.PLAYER, 1, (False, False)),
    ],
)
def test_t34_what_finished_hands_come_to(
    player: str, banker: str, winner: Winner, margin: int, naturals: tuple[bool, bool]
) -> None:
    hands = final_hands(cards(player), cards(banker))
    assert (hands.winner, hands.margin) == (winner, margin)
    assert (hands.player_natural, hands.banker_natural) == naturals


def test_t34_a_natural_has_two_cards() -> None:
    assert not FinalHands(8, 3, 2, 2).player_natural
    assert not FinalHands(2, 2, 9, 3).banker_natural
    assert not FinalHands(7, 2, 7, 2).banker_natural


@pytest.mark.parametrize("case", baccarat_cases("minibaccarat_hands", "minibaccarat_hand"), ids=str)
def test_627a_10_627a_11_a_a_case_of_a_shoe_played_on(case: BaccaratCase) -> None:
    shoe = cards(" ".join(case.given["shoe"]))
    hands: dict[House, tuple[Card, ...]] = {House.PLAYER: (), House.BANKER: ()}
    drawn = 0
    while isinstance(due := next_holder(hands[House.PLAYER], hands[House.BANKER]), House):
        hands[due] = (*hands[due], shoe[drawn])
        drawn += 1
    assert due is HandVerdict.LEGAL
    found = final_hands(hands[House.PLAYER], hands[House.BANKER])
    ez = ez_result(found)
    assert {
        "player": [str(card).upper() for card in hands[House.PLAYER]],
        "banker": [str(card).upper() for card in hands[House.BANKER]],
        "cards_used": drawn,
        "player_points": found.player,
        "banker_points": found.banker,
        "player_natural": found.player_natural,
        "banker_natural": found.banker_natural,
        "winner": "tie" if found.winner is Winner.TIE_HAND else found.winner.value,
        "margin": found.margin,
        "dragon7": ez == "dragon_7",
        "panda8": ez == "panda_8",
    } == case.expected


@pytest.mark.parametrize("case", baccarat_cases("minibaccarat_hands", "hand_legality"), ids=str)
def test_627a_10_a_case_of_finished_hands(case: BaccaratCase) -> None:
    found = verdict(cards(" ".join(case.given["player"])), cards(" ".join(case.given["banker"])))
    legal = found is HandVerdict.LEGAL
    assert {"legal": legal, "fault": None if legal else found.value} == case.expected
