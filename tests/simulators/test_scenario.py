import pytest

from bridge.domain.cards import Card
from bridge.domain.wagers import BettingPosition
from simulators.scenario import Scenario, ScenarioError, ScriptedRound, listed

POSITIONS = tuple(BettingPosition(number) for number in (7, 5, 1))


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(card) for card in text.split())


def hand(text: str) -> tuple[Card, Card]:
    first, second = cards(text)
    return first, second


ROUND = ScriptedRound(
    blackjack=(BettingPosition(1), BettingPosition(7)),
    progressive=(BettingPosition(1),),
    late=(BettingPosition(5),),
    hands=((BettingPosition(1), hand("Ks Qs")), (BettingPosition(7), hand("2c 3d"))),
    up_card=Card.parse("9d"),
    hole_card=Card.parse("8c"),
)


def test_cards_leave_the_shoe_in_the_deal_order_of_the_layout() -> None:
    assert ROUND.initial_deal(POSITIONS) == cards("2c Ks 9d 3d Qs 8c")
    assert ROUND.initial_deal(tuple(reversed(POSITIONS))) == cards("Ks 2c 9d Qs 3d 8c")


def test_a_layout_that_has_every_position_is_accepted() -> None:
    Scenario(title="t", rounds=(ROUND,)).check_layout(POSITIONS)


def test_a_position_that_the_layout_does_not_have_is_refused() -> None:
    with pytest.raises(ScenarioError, match="t: the layout has positions 7, 1, not 5"):
        Scenario(title="t", rounds=(ROUND,)).check_layout([POSITIONS[0], POSITIONS[2]])


def test_things_are_listed_as_a_sentence_needs_them() -> None:
    assert listed([1, "b"]) == "1, b"
