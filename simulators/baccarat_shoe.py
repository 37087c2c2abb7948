"""Random rounds of baccarat from a shoe of eight decks: the same seed gives the same rounds, for ever.

The third-card rules stand here a second time, written without a look at the bridge's own, so that a table that
is played by them finds out if one of the two is wrong.
"""

import random
from collections.abc import Collection, Iterator, Sequence

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.money import Cents
from bridge.domain.shoe import ShoeResult
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.baccarat_scenario import BaccaratRound

DECKS = 8
"""Decks in the shoe."""
CUT_CARD_AT = 16
"""Cards left behind the cut card; the round in which it shows is finished, then the cards are shuffled."""
_NOTHING = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})
_NATURAL = 8
_STANDS = 6
"""A hand of this count or more draws no card, if the Player's Hand drew none."""
_BASE_WAGERS = (WagerKind.PLAYER, WagerKind.BANKER)
_PLAYS_CHANCE = 0.7
_TIE_CHANCE = 0.15
_SIDE_CHANCE = 0.35
_LATE_CHANCE = 0.03
_CHIPS = tuple(Cents(cents) for cents in (25_00, 50_00, 75_00, 100_00, 125_00))


class ShoeEmptyError(ValueError):
    """There are fewer cards than the hands are due."""


def points(cards: Sequence[Card]) -> int:
    """Return the Point Count of a hand."""
    return sum(_value(card) for card in cards) % 10


def hands_from(cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the Player's and the Banker's Hand that these cards make, the first one drawn first.

    Raises ``ShoeEmptyError`` if they are too few; what is left over is not looked at.
    """
    left = list(cards)

    def drawn() -> Card:
        if not left:
            raise ShoeEmptyError(f"{len(cards)} cards do not finish the hands")
        return left.pop(0)

    first, second = (drawn(), drawn()), (drawn(), drawn())
    player: tuple[Card, ...] = (first[0], second[0])
    banker: tuple[Card, ...] = (first[1], second[1])
    if max(points(player), points(banker)) >= _NATURAL:
        return player, banker
    if points(player) >= _STANDS:
        return player, banker if points(banker) >= _STANDS else (*banker, drawn())
    third = drawn()
    draws = _banker_draws(points(banker), _value(third))
    return (*player, third), (*banker, drawn()) if draws else banker


def result_of(player: Sequence[Card], banker: Sequence[Card]) -> ShoeResult:
    """Return what a shoe says that two hands come to."""
    if points(player) == points(banker):
        return ShoeResult.TIE
    return ShoeResult.PLAYER if points(player) > points(banker) else ShoeResult.BANKER


def random_baccarat_rounds(
    seed: int, deal_order: Sequence[BettingPosition], offered: Collection[WagerKind]
) -> Iterator[BaccaratRound]:
    """Yield rounds without end: random wagers of those that are offered, cards from a shuffled shoe."""
    chance = random.Random(seed)  # noqa: S311 - rounds have to be repeatable, not secret
    sides = [wager for wager in WagerKind if wager in offered and wager not in (*_BASE_WAGERS, WagerKind.TIE)]
    shoe: list[Card] = []
    while True:
        burned: tuple[Card, ...] = ()
        if len(shoe) < CUT_CARD_AT:
            shoe = shuffled_shoe(chance)
            burned = _burned(shoe)
        yield _random_round(chance, shoe, deal_order, sides, burned)


def shuffled_shoe(chance: random.Random) -> list[Card]:
    """Return the cards of a full shoe in random order; the last one is drawn first."""
    shoe = [Card(rank, suit) for _ in range(DECKS) for suit in Suit for rank in Rank]
    chance.shuffle(shoe)
    return shoe


def _random_round(
    chance: random.Random,
    shoe: list[Card],
    deal_order: Sequence[BettingPosition],
    sides: Sequence[WagerKind],
    burned: tuple[Card, ...],
) -> BaccaratRound:
    players = [position for position in deal_order if chance.random() < _PLAYS_CHANCE] or [
        chance.choice(deal_order)
    ]
    wagers: list[tuple[BettingPosition, WagerKind]] = []
    for position in players:
        wagers.append((position, chance.choice(_BASE_WAGERS)))
        if chance.random() < _TIE_CHANCE:
            wagers.append((position, WagerKind.TIE))
        wagers += [(position, side) for side in sides if chance.random() < _SIDE_CHANCE]
    others = [position for position in deal_order if position not in players]
    late = tuple((position, WagerKind.TIE) for position in others if chance.random() < _LATE_CHANCE)
    player, banker = hands_from(shoe[-6:][::-1])
    drawn = len(player) + len(banker)
    del shoe[-drawn:]
    return BaccaratRound(
        wagers=tuple(wagers),
        amounts={area: chance.choice(_CHIPS) for area in wagers},
        late=late,
        player=player,
        banker=banker,
        burned=burned,
        cut_card=len(shoe) < CUT_CARD_AT <= len(shoe) + drawn,
    )


def _burned(shoe: list[Card]) -> tuple[Card, ...]:
    """Draw the first card of a new shoe, and as many as it counts; ten where it counts nothing."""
    first = shoe.pop()
    return (first, *(shoe.pop() for _ in range(_value(first) or 10)))


def _banker_draws(count: int, drawn: int) -> bool:
    """Return whether the Banker's Hand draws on its count, after the Player's third card of a value."""
    match count:
        case 0 | 1 | 2:
            return True
        case 3:
            return drawn != 8  # noqa: PLR2004
        case 4:
            return 2 <= drawn <= 7  # noqa: PLR2004
        case 5:
            return 4 <= drawn <= 7  # noqa: PLR2004
        case 6:
            return drawn in (6, 7)
        case _:
            return False


def _value(card: Card) -> int:
    if card.rank is Rank.ACE:
        return 1
    return 0 if card.rank in _NOTHING else int(card.rank)
