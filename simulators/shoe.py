"""Random rounds of play from a shoe: the same seed gives the same rounds, for ever."""

import random
from collections.abc import Iterator, Sequence

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.wagers import BettingPosition
from simulators.scenario import HoleCardReaderUse, ScriptedRound

DECKS = 6
"""Decks in the shoe."""
CUT_CARD_AT = 78
"""Cards left behind the cut card; the round in which it shows is finished, then the cards are shuffled."""
STAND_ON = 17
TWENTY_ONE = 21
_TEN_VALUED = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})
_BLACKJACK_CHANCE = 0.75
_PROGRESSIVE_CHANCE = 0.65
_LATE_CHANCE = 0.03


def random_rounds(seed: int, deal_order: Sequence[BettingPosition]) -> Iterator[ScriptedRound]:
    """Yield rounds without end: random wagers, cards from a shuffled shoe, players who draw to seventeen."""
    chance = random.Random(seed)  # noqa: S311 - rounds have to be repeatable, not secret
    shoe: list[Card] = []
    while True:
        if len(shoe) < CUT_CARD_AT:
            shoe = shuffled_shoe(chance)
        yield _random_round(chance, shoe, deal_order)


def shuffled_shoe(chance: random.Random) -> list[Card]:
    """Return the cards of a full shoe in random order; the last one is drawn first."""
    shoe = [Card(rank, suit) for _ in range(DECKS) for suit in Suit for rank in Rank]
    chance.shuffle(shoe)
    return shoe


def points(cards: Sequence[Card]) -> int:
    """Return what a hand of blackjack counts: an ace eleven, or one where eleven would be too many."""
    total = sum(_value(card) for card in cards)
    aces = sum(card.rank is Rank.ACE for card in cards)
    while total > TWENTY_ONE and aces:
        total, aces = total - 10, aces - 1
    return total


def _random_round(chance: random.Random, shoe: list[Card], deal_order: Sequence[BettingPosition]) -> ScriptedRound:
    blackjack = tuple(position for position in deal_order if chance.random() < _BLACKJACK_CHANCE)
    blackjack = blackjack or (chance.choice(deal_order),)
    progressive = tuple(position for position in blackjack if chance.random() < _PROGRESSIVE_CHANCE)
    others = [position for position in blackjack if position not in progressive]
    late = tuple(position for position in others if chance.random() < _LATE_CHANCE)
    first = [shoe.pop() for _ in blackjack]
    up_card = shoe.pop()
    second = [shoe.pop() for _ in blackjack]
    hole_card = shoe.pop()
    hands = tuple(zip(blackjack, zip(first, second, strict=True), strict=True))
    hits: list[Card] = []
    dealer_hits: list[Card] = []
    if points((up_card, hole_card)) != TWENTY_ONE:
        ends = [points((*hand, *_draw(shoe, hand, hits))) for _, hand in hands]
        if any(end <= TWENTY_ONE for end in ends):
            _draw(shoe, (up_card, hole_card), dealer_hits)
    looks = up_card.rank is Rank.ACE or up_card.rank in _TEN_VALUED
    return ScriptedRound(
        blackjack=blackjack,
        progressive=progressive,
        late=late,
        hands=hands,
        up_card=up_card,
        hole_card=hole_card,
        hits=tuple(hits),
        dealer_hits=tuple(dealer_hits),
        hole_card_reader=HoleCardReaderUse.AFTER_SETTLEMENT if looks else HoleCardReaderUse.UNUSED,
    )


def _draw(shoe: list[Card], hand: Sequence[Card], drawn_by_all: list[Card]) -> tuple[Card, ...]:
    """Draw to seventeen; return what the hand drew, and add it to what everybody drew."""
    drawn: list[Card] = []
    while points((*hand, *drawn)) < STAND_ON:
        drawn.append(shoe.pop())
    drawn_by_all += drawn
    return tuple(drawn)


def _value(card: Card) -> int:
    if card.rank is Rank.ACE:
        return 11
    return 10 if card.rank in _TEN_VALUED else int(card.rank)
