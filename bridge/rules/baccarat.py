"""Baccarat: who is due a card, and what finished hands are worth (§§ 627a.8 to 627a.11, 631a.9 to 631a.12).

One set of rules for every game of the family. ``BANKER_DRAWS_ON`` and ``PLAYER_DRAWS_ON`` are the third-card
rules, and everything else asks them: a state machine by ``next_holder`` or ``next_card``, a settlement and
the exact mathematics by ``verdict``. Nothing is ever corrected: a hand that is not as the rules have it is a
fault with a name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card, FaceOrUnseen, Rank, UnseenCard
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import Winner
from bridge.rules.disclosed_cards import hand_as_seen

INITIAL_DEAL: tuple[House, ...] = (House.PLAYER, House.BANKER, House.PLAYER, House.BANKER)
"""Holders of the first four cards in the order in which they leave the shoe (§ 627a.8)."""
INITIAL_CARDS = 2
"""Cards of each hand after the initial deal; a natural has no more (T34)."""
CARDS_MAX = 3
NATURALS = frozenset({8, 9})

_POINT_VALUES: Mapping[Rank, int] = {
    Rank.ACE: 1, Rank.TWO: 2, Rank.THREE: 3, Rank.FOUR: 4, Rank.FIVE: 5, Rank.SIX: 6, Rank.SEVEN: 7,
    Rank.EIGHT: 8, Rank.NINE: 9, Rank.TEN: 0, Rank.JACK: 0, Rank.QUEEN: 0, Rank.KING: 0,
}  # fmt: skip


class NoThirdCard(StrEnum):
    """In place of the value of the Player's third card."""

    STAYED = "stayed"


_STAYED = frozenset({NoThirdCard.STAYED})
PLAYER_DRAWS_ON = frozenset(range(6))
"""Point Counts of two cards on which the Player's Hand draws, neither hand being a natural."""
BANKER_DRAWS_ON: Mapping[int, frozenset[int | NoThirdCard]] = {
    0: _STAYED | frozenset(range(10)),
    1: _STAYED | frozenset(range(10)),
    2: _STAYED | frozenset(range(10)),
    3: _STAYED | frozenset(range(10)) - {8},
    4: _STAYED | frozenset({2, 3, 4, 5, 6, 7}),
    5: _STAYED | frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset(),
}
"""For each Point Count of the Banker's two cards the Player's third cards, by their value, on which it draws."""


class HandVerdict(StrEnum):
    """Whether two hands are finished as the rules have it, or the first thing that is wrong with them."""

    LEGAL = "legal"
    INITIAL_DEAL_INCOMPLETE = "initial_deal_incomplete"
    TOO_MANY_CARDS = "too_many_cards"
    PLAYER_SHOULD_STAY = "player_should_stay"
    PLAYER_SHOULD_DRAW = "player_should_draw"
    BANKER_SHOULD_STAY = "banker_should_stay"
    BANKER_SHOULD_DRAW = "banker_should_draw"


class NotTold(StrEnum):
    """Why it cannot be said who is due a card."""

    AWAITS_DISCLOSURE = "awaits_disclosure"
    """A card that decides it lies face down, which is as it should be (§ 627a.8)."""
    CARDS_NOT_READ = "cards_not_read"
    """A card that decides it could not be read; a supervisor names it (T51)."""


@dataclass(frozen=True, slots=True)
class FinalHands:
    """What the result of a round rests on: the final Point Counts, and of how many cards (§ 627a.11(a))."""

    player: int
    player_cards: int
    banker: int
    banker_cards: int

    @property
    def winner(self) -> Winner:
        """The hand with the higher Point Count."""
        if self.player == self.banker:
            return Winner.TIE_HAND
        return Winner.PLAYER if self.player > self.banker else Winner.BANKER

    @property
    def margin(self) -> int:
        """By how much the winning hand won; 0 for a tie hand."""
        return abs(self.player - self.banker)

    @property
    def player_natural(self) -> bool:
        """Whether the Player's Hand is an 8 or 9 of two cards (T34)."""
        return self.player in NATURALS and self.player_cards == INITIAL_CARDS

    @property
    def banker_natural(self) -> bool:
        """Whether the Banker's Hand is an 8 or 9 of two cards (T34)."""
        return self.banker in NATURALS and self.banker_cards == INITIAL_CARDS


def point_value(card: Card) -> int:
    """Return what a card counts: ten and every face card nothing, an ace one."""
    return _POINT_VALUES[card.rank]


def point_count(cards: Sequence[Card]) -> int:
    """Return the Point Count of a hand: the last digit of the sum."""
    points = 0
    for card in cards:
        points += _POINT_VALUES[card.rank]
    return points % 10


def verdict(player: Sequence[Card], banker: Sequence[Card]) -> HandVerdict:
    """Return whether two hands are finished as the rules have it (§§ 627a.9, 627a.10), or what is wrong."""
    players, bankers = len(player), len(banker)
    if players < INITIAL_CARDS or bankers < INITIAL_CARDS:
        return HandVerdict.INITIAL_DEAL_INCOMPLETE
    if players > CARDS_MAX or bankers > CARDS_MAX:
        return HandVerdict.TOO_MANY_CARDS
    on_two, against = point_count(player[:INITIAL_CARDS]), point_count(banker[:INITIAL_CARDS])
    natural = on_two in NATURALS or against in NATURALS
    player_draws = not natural and on_two in PLAYER_DRAWS_ON
    if player_draws is not (players == CARDS_MAX):
        return HandVerdict.PLAYER_SHOULD_DRAW if player_draws else HandVerdict.PLAYER_SHOULD_STAY
    third = point_value(player[-1]) if player_draws else NoThirdCard.STAYED
    banker_draws = not natural and third in BANKER_DRAWS_ON[against]
    if banker_draws is not (bankers == CARDS_MAX):
        return HandVerdict.BANKER_SHOULD_DRAW if banker_draws else HandVerdict.BANKER_SHOULD_STAY
    return HandVerdict.LEGAL


def next_holder(player: Sequence[FaceOrUnseen], banker: Sequence[FaceOrUnseen]) -> House | HandVerdict | NotTold:
    """Return whose the next card is, or ``LEGAL`` if none is due, or what is wrong, or why it is not told.

    Whose the first four cards are is told without looking at them.
    """
    dealt = len(player) + len(banker)
    if dealt < len(INITIAL_DEAL):
        in_order = len(player) == INITIAL_DEAL[:dealt].count(House.PLAYER)
        return INITIAL_DEAL[dealt] if in_order else HandVerdict.INITIAL_DEAL_INCOMPLETE
    known = known_hands(player, banker)
    if isinstance(known, NotTold):
        return known
    found = verdict(*known)
    match found:
        case HandVerdict.PLAYER_SHOULD_DRAW if len(banker) == INITIAL_CARDS:
            return House.PLAYER
        case HandVerdict.BANKER_SHOULD_DRAW:
            return House.BANKER
        case _:
            return found


def next_card(round_: Round) -> House | HandVerdict | NotTold:
    """Return whose the next card of a round is, as ``next_holder`` does, from what everybody may know (T48)."""
    return next_holder(hand_as_seen(round_, House.PLAYER), hand_as_seen(round_, House.BANKER))


def known_hands(
    player: Sequence[FaceOrUnseen], banker: Sequence[FaceOrUnseen]
) -> tuple[tuple[Card, ...], tuple[Card, ...]] | NotTold:
    """Return both hands if every card can be named; one that was not read is told before one that is hidden."""
    players = tuple([face for face in player if isinstance(face, Card)])
    bankers = tuple([face for face in banker if isinstance(face, Card)])
    if len(players) == len(player) and len(bankers) == len(banker):
        return players, bankers
    unread = UnseenCard.UNREAD in player or UnseenCard.UNREAD in banker
    return NotTold.CARDS_NOT_READ if unread else NotTold.AWAITS_DISCLOSURE


def final_hands(player: Sequence[Card], banker: Sequence[Card]) -> FinalHands:
    """Return what two finished hands come to."""
    return FinalHands(point_count(player), len(player), point_count(banker), len(banker))
