import pytest

from bridge.domain.cards import Card, CardTextError, Rank, Suit


def test_every_card_prints_as_it_is_parsed() -> None:
    deck = [Card(rank, suit) for rank in Rank for suit in Suit]

    assert len({str(card) for card in deck}) == 52
    assert [Card.parse(str(card)) for card in deck] == deck


@pytest.mark.parametrize("text", ["KH", "kh", " Kh "])
def test_cards_are_read_in_either_case(text: str) -> None:
    assert Card.parse(text) == Card(Rank.KING, Suit.HEARTS)


@pytest.mark.parametrize("text", ["", "K", "10h", "Kx", "1h", "Khh"])
def test_a_text_that_is_no_card_is_refused_with_the_way_to_write_one(text: str) -> None:
    with pytest.raises(CardTextError, match="as in 'Kh'"):
        Card.parse(text)
