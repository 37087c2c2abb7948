"""What a shoe of so many decks holds, and how many ways there are to draw from it."""

from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.errors import BridgeError

_Key = TypeVar("_Key", bound=Hashable)

DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
DECKS_MAX = 16
"""Twice the largest shoe in use."""


class ShoeError(BridgeError):
    """No shoe has so many decks."""


def cards_in(decks: int) -> int:
    """Return how many cards a shoe holds; raise ``ShoeError`` for a number of decks that no shoe has."""
    if not 1 <= decks <= DECKS_MAX:
        raise ShoeError(f"a shoe has 1 to {DECKS_MAX} decks, not {decks}")
    return decks * len(DECK)


def ways_to_draw(cards: int, drawn: int) -> int:
    """Return in how many ways so many of these cards are drawn one after the other."""
    ways = 1
    for left in range(cards, cards - drawn, -1):
        ways *= left
    return ways


def classes(decks: int, key: Callable[[Card], _Key]) -> list[tuple[Card, int]]:
    """Return one card for each class of cards that are alike by a key, and how many of them the shoe holds."""
    cards_in(decks)
    alike: dict[_Key, list[Card]] = {}
    for card in DECK:
        alike.setdefault(key(card), []).append(card)
    return [(cards[0], decks * len(cards)) for cards in alike.values()]


def two_cards(decks: int, without: tuple[Card, ...] = ()) -> Iterator[tuple[Card, Card, int]]:
    """Yield every two cards in drawing order, with the ways to draw them from a shoe ``without`` these cards."""
    cards_in(decks)
    held = {card: decks - without.count(card) for card in DECK}
    for first in DECK:
        for second in DECK:
            ways = held[first] * (held[second] - (first == second))
            if ways:
                yield first, second, ways
