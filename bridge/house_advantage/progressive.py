"""What the Royal Match progressive returns (§ 633b.18), by the number of players who wager on it.

One hand is enumerated against every dealer's hand; players see the same dealer's cards, so that several of
them share a meter is counted by what Royal Matches a shoe can make at once.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError
from bridge.house_advantage.shoes import DECK, cards_in, two_cards, ways_to_draw
from bridge.rules.blackjack import INITIAL_CARDS, UndealtCard
from bridge.rules.odds import gain, meter_part
from bridge.rules.royal_match import (
    OpenHand,
    RoyalMatchOutcome,
    evaluate,
    is_royal_match,
)
from bridge.rules.submission import AceAdjacency, RoyalMatchProgressiveFiling

_CARDS_COUNTED = 2 * INITIAL_CARDS
"""The player's cards and the dealer's."""
PLAYERS_MAX = 14


class PlayersError(BridgeError):
    """No table has so many players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveFigures:
    """The figures of the wager with so many players, every one of whom wagers and plays one position."""

    decks: int
    players: int
    straight_flush: Fraction
    royal_match: Fraction
    """Of a hand, whatever the dealer has."""
    royal_match_paid: Fraction
    """Paid as a Royal Match, and not as a Crown Treasure."""
    crown_treasure: Fraction
    deferred: Fraction
    """Left until the hole card (§ 633b.18(g)(4))."""
    any_crown_treasure: Fraction
    """Of at least one player: how often the meter is won."""
    fixed_return: Fraction
    """What comes back of each unit wagered at fixed odds."""
    envy_return: Fraction
    """What Envy Bonuses for the others' hands add to it."""
    meter_return: Fraction
    """What the meter adds in the long run: all that wagers put into its pools, and a reset each time it is won."""
    break_even_meter: Fraction
    """The meter, in wagers, from which on the wager returns all that is wagered."""

    @property
    def house_advantage(self) -> Fraction:
        """What the house keeps of each unit wagered, in the long run."""
        return 1 - self.fixed_return - self.envy_return - self.meter_return


def of_progressive(filing: RoyalMatchProgressiveFiling, decks: int, players: int) -> ProgressiveFigures:
    """Return the figures of the wager as filed, from a full shoe.

    Raises ``PlayersError`` or ``ShoeError`` for a table that does not exist, and ``MeterOddsError`` unless
    the Crown Treasure alone is paid from the meter.
    """
    if not 1 <= players <= PLAYERS_MAX:
        raise PlayersError(f"a table has 1 to {PLAYERS_MAX} players, not {players}")
    hand = _one_hand(decks, filing.ace_adjacency)
    crown = hand[RoyalMatchOutcome.CROWN_TREASURE]
    paid = hand[RoyalMatchOutcome.ROYAL_MATCH]
    flush = hand[RoyalMatchOutcome.STRAIGHT_FLUSH]
    odds = filing.paytable.odds
    part = meter_part(odds[RoyalMatchOutcome.CROWN_TREASURE])
    fixed = paid * (1 + gain(odds[RoyalMatchOutcome.ROYAL_MATCH]))
    fixed += flush * (1 + gain(odds[RoyalMatchOutcome.STRAIGHT_FLUSH]))
    envy = filing.envy_pays * (players - 1) * crown
    won = any_crown_treasure(decks, players)
    terms = filing.progressive
    reset = Fraction(terms.reset_amount, filing.wager)
    return ProgressiveFigures(
        decks=decks,
        players=players,
        straight_flush=flush,
        royal_match=paid + crown,
        royal_match_paid=paid,
        crown_treasure=crown,
        deferred=hand[OpenHand.AWAITS_HOLE_CARD],
        any_crown_treasure=won,
        fixed_return=fixed,
        envy_return=envy,
        meter_return=terms.increment_rate + terms.hidden_rate + won * reset * Fraction(1, players),
        break_even_meter=Fraction(1 - fixed - envy, won * part * Fraction(1, players)),
    )


@lru_cache(maxsize=64)
def any_crown_treasure(decks: int, players: int) -> Fraction:
    """Return the probability that at least one of so many players has a Crown Treasure.

    By inclusion and exclusion over those who have one together with the dealer.
    """
    cards = cards_in(decks)
    total = Fraction(0)
    for some in range(1, players + 1):
        hands = some + 1
        together = Fraction(_ways_all_royal(decks, hands), ways_to_draw(cards, hands * INITIAL_CARDS))
        total += (-1) ** (some + 1) * comb(players, some) * together
    return total


def _ways_all_royal(decks: int, hands: int) -> int:
    """Return in how many ways so many hands of two cards are drawn that all are Royal Matches.

    Each takes one king and one queen of its suit out of the shoe, so what is left of a suit depends only on
    how many hands took of it.
    """
    orders: dict[frozenset[Card], int] = {}
    for first in DECK:
        for second in DECK:
            if is_royal_match(first, second):
                pair = frozenset({first, second})
                orders[pair] = orders.get(pair, 0) + 1
    taken = {(0,) * len(orders): 1}
    for _ in range(hands):
        after: dict[tuple[int, ...], int] = {}
        for used, ways in taken.items():
            for suit, order in enumerate(orders.values()):
                left = decks - used[suit]
                if left:
                    now = (*used[:suit], used[suit] + 1, *used[suit + 1 :])
                    after[now] = after.get(now, 0) + ways * order * left * left
        taken = after
    return sum(taken.values())


@lru_cache(maxsize=64)
def _one_hand(decks: int, ace: AceAdjacency) -> dict[RoyalMatchOutcome | OpenHand, Fraction]:
    """Return the probability of each end of one hand, and under ``AWAITS_HOLE_CARD`` of its being deferred.

    Cards of the dealer are dealt only where the rules ask for them.
    """
    ways: dict[RoyalMatchOutcome | OpenHand, int] = dict.fromkeys((*RoyalMatchOutcome, *OpenHand), 0)
    for first, second, drawn in two_cards(decks):
        player = (first, second)
        found = evaluate(player, UndealtCard.UNDEALT, UndealtCard.UNDEALT, ace).found
        if found is not OpenHand.UP_CARD_NOT_READ:
            ways[found] += drawn * ways_to_draw(cards_in(decks) - INITIAL_CARDS, INITIAL_CARDS)
            continue
        for up_card, hole_card, dealt in two_cards(decks, without=player):
            end = evaluate(player, up_card, hole_card, ace)
            ways[end.found] += drawn * dealt
            ways[OpenHand.AWAITS_HOLE_CARD] += drawn * dealt if end.deferred else 0
    in_all = ways_to_draw(cards_in(decks), _CARDS_COUNTED)
    return {end: Fraction(count, in_all) for end, count in ways.items()}
