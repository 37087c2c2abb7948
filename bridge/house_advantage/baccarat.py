"""Every deal of baccarat: six cards in order from a full shoe, by the point values that decide.

A deal that ends after four or five cards stands for every continuation, so all results are counted out of
the same number: the ways to draw six cards. How initial hands are played on is asked of the rules once for
each pair of Point Counts, which is all that they look at, and counted for every pair of hands.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from bridge.domain.cards import Card
from bridge.domain.rounds import House
from bridge.house_advantage.shoes import cards_in, classes, ways_to_draw
from bridge.rules.baccarat import FinalHands, HandVerdict, final_hands, next_holder, point_count, point_value

CARDS_COUNTED = 6
_INITIAL_CARDS = 4

_Hand = tuple[Card, ...]
_Play = tuple[tuple[int, ...], FinalHands]
"""The third cards, as places among the classes of cards, and what the hands come to with them."""


def ways_in_all(decks: int) -> int:
    """Return the number of deals: 4,998,398,275,503,360 for eight decks."""
    return ways_to_draw(cards_in(decks), CARDS_COUNTED)


@lru_cache(maxsize=16)
def every_result(decks: int) -> Mapping[FinalHands, int]:
    """Return what two hands can come to, and in how many of all deals they do."""
    enumeration = _Enumeration(decks)
    enumeration.deal()
    return MappingProxyType({hands: ways for hands, ways in enumeration.found.items() if ways})


class _Enumeration:
    """One walk through every deal. A class of cards is a place in ``_cards`` and in ``_held``."""

    def __init__(self, decks: int) -> None:
        alike = classes(decks, point_value)
        self._cards = [card for card, _ in alike]
        self._held = [held for _, held in alike]
        left = cards_in(decks) - _INITIAL_CARDS
        self._not_looked_at = [
            ways_to_draw(left - thirds, CARDS_COUNTED - _INITIAL_CARDS - thirds) for thirds in range(3)
        ]
        """Ways to draw the rest of the six, by the number of third cards."""
        self._plays: dict[tuple[int, int], list[_Play]] = {}
        self.found: dict[FinalHands, int] = {}

    def deal(self) -> None:
        """Deal the initial cards in every way; which of a hand's two came first changes nothing."""
        places = range(len(self._cards))
        pairs = [(one, two) for one in places for two in places if one <= two]
        for player in pairs:
            player_ways = self._take(player)
            for banker in pairs:
                ways = player_ways * self._take(banker)
                self._count(self._hand(player), self._hand(banker), ways)
                self._put_back(banker)
            self._put_back(player)

    def _count(self, player: _Hand, banker: _Hand, ways: int) -> None:
        """Count every way to play on from initial hands that are dealt in so many ways."""
        counts = point_count(player), point_count(banker)
        if counts not in self._plays:
            self._plays[counts] = list(self._played_on(player, banker))
        held, found = self._held, self.found
        for thirds, hands in self._plays[counts]:
            dealt = ways * self._not_looked_at[len(thirds)]
            match thirds:
                case (one,):
                    dealt *= held[one]
                case (one, two):
                    dealt *= held[one] * (held[two] - (one == two))
                case _:
                    pass
            found[hands] = found.get(hands, 0) + dealt

    def _played_on(self, player: _Hand, banker: _Hand, thirds: tuple[int, ...] = ()) -> Iterator[_Play]:
        """Yield every way to play on by the rules."""
        due = next_holder(player, banker)
        if due is HandVerdict.LEGAL:
            yield thirds, final_hands(player, banker)
            return
        for place, card in enumerate(self._cards):
            if due is House.PLAYER:
                yield from self._played_on((*player, card), banker, (*thirds, place))
            else:
                yield from self._played_on(player, (*banker, card), (*thirds, place))

    def _hand(self, pair: tuple[int, int]) -> _Hand:
        return self._cards[pair[0]], self._cards[pair[1]]

    def _take(self, pair: tuple[int, int]) -> int:
        """Take two cards out of the shoe; return in how many ways, in either order."""
        ways = 1 if pair[0] == pair[1] else 2
        for place in pair:
            ways *= self._held[place]
            self._held[place] -= 1
        return ways

    def _put_back(self, pair: tuple[int, int]) -> None:
        for place in pair:
            self._held[place] += 1
