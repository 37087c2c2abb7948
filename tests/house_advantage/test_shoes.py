import pytest

from bridge.domain.cards import Card
from bridge.house_advantage.shoes import DECK, ShoeError, cards_in, classes, two_cards, ways_to_draw
from bridge.rules.baccarat import point_value


@pytest.mark.parametrize("decks", [1, 8, 16])
def test_a_shoe_holds_its_decks(decks: int) -> None:
    assert cards_in(decks) == 52 * decks
    assert len(set(DECK)) == 52


@pytest.mark.parametrize("decks", [0, -1, 17])
def test_a_shoe_that_does_not_exist_is_refused(decks: int) -> None:
    for ask in (cards_in, lambda number: classes(number, point_value), lambda number: list(two_cards(number))):
        with pytest.raises(ShoeError, match=rf"a shoe has 1 to 16 decks, not {decks}"):
            ask(decks)


def test_ways_to_draw_one_after_the_other() -> None:
    assert ways_to_draw(52, 2) == 52 * 51
    assert ways_to_draw(52, 0) == 1
    assert ways_to_draw(416, 6) == 4_998_398_275_503_360


def test_cards_that_are_alike_stand_for_each_other() -> None:
    found = {point_value(card): held for card, held in classes(8, point_value)}
    assert found == {0: 128} | dict.fromkeys(range(1, 10), 32)


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_every_two_cards_in_order_are_all_the_ways_to_draw_two(decks: int) -> None:
    drawn = list(two_cards(decks))
    assert sum(ways for _, _, ways in drawn) == ways_to_draw(52 * decks, 2)
    twins = [ways for first, second, ways in drawn if first == second]
    assert twins == ([] if decks == 1 else [decks * (decks - 1)] * 52)


def test_cards_that_are_gone_are_not_drawn() -> None:
    king = Card.parse("Kh")
    drawn = list(two_cards(1, without=(king, Card.parse("Qh"))))
    assert sum(ways for _, _, ways in drawn) == ways_to_draw(50, 2)
    assert all(king not in (first, second) for first, second, _ in drawn)
