"""The hands of the Royal Match progressive (§ 633b.18), looked at as two cards and two cards.

The outcomes are tried in one order, Crown Treasure, Royal Match, straight flush, and one of them is
paid: a suited king and queen is consecutive too, and a Crown Treasure takes the place of the Royal Match
(T6, T8). What cannot be told yet is told apart from what is not so (T51).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import assert_never

from bridge.domain.cards import Card, FaceOrUnseen, Rank, UnseenCard
from bridge.rules.blackjack import INITIAL_CARDS, UndealtCard
from bridge.rules.submission import AceAdjacency

SomeCard = FaceOrUnseen | UndealtCard


class RoyalMatchOutcome(StrEnum):
    """How the wager can end: the rows of its paytable, and the row it does not have."""

    CROWN_TREASURE = "crown_treasure"
    ROYAL_MATCH = "royal_match"
    STRAIGHT_FLUSH = "straight_flush"
    NO_MATCH = "no_match"


PAID_OUTCOMES: frozenset[str] = frozenset(RoyalMatchOutcome) - {RoyalMatchOutcome.NO_MATCH}
"""What a paytable of this wager has to pay, as ``Paytable.require`` takes it."""


class OpenHand(StrEnum):
    """Why a hand has no outcome yet."""

    AWAITS_HOLE_CARD = "awaits_hole_card"
    """Deferred by the rules, which is no doubt (§ 633b.18(g)(4))."""
    INITIAL_CARDS_NOT_READ = "initial_cards_not_read"
    UP_CARD_NOT_READ = "up_card_not_read"
    HOLE_CARD_NOT_READ = "hole_card_not_read"


class Verdict(StrEnum):
    """Whether a hand is what is asked, as far as its cards are known."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a hand is, and when that is settled."""

    found: RoyalMatchOutcome | OpenHand
    deferred: bool
    """Settled after the hole card is exposed, not directly after the initial deal."""


_AT_ONCE = {found: Evaluation(found=found, deferred=False) for found in (*RoyalMatchOutcome, *OpenHand)}
_AT_HOLE_CARD = {found: Evaluation(found=found, deferred=True) for found in (*RoyalMatchOutcome, *OpenHand)}
_CONSECUTIVE = (
    Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN,
    Rank.EIGHT, Rank.NINE, Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING,
)  # fmt: skip
_NEIGHBOURS = {frozenset(pair) for pair in pairwise(_CONSECUTIVE)}
_ACE_LOW = frozenset({Rank.ACE, Rank.TWO})
_ACE_HIGH = frozenset({Rank.KING, Rank.ACE})
_ADJACENT = {
    AceAdjacency.LOW: _NEIGHBOURS | {_ACE_LOW},
    AceAdjacency.HIGH: _NEIGHBOURS | {_ACE_HIGH},
    AceAdjacency.BOTH: _NEIGHBOURS | {_ACE_LOW, _ACE_HIGH},
}
_ROYAL_RANKS = frozenset({Rank.KING, Rank.QUEEN})


def is_royal_match(first: Card, second: Card) -> bool:
    """Return whether two cards are a king and a queen of one suit, in either order (T4)."""
    return first.suit is second.suit and {first.rank, second.rank} == _ROYAL_RANKS


def is_straight_flush(first: Card, second: Card, ace_adjacency: AceAdjacency) -> bool:
    """Return whether two cards are of one suit and consecutive; equal ranks are not (T1 to T3)."""
    return first.suit is second.suit and frozenset({first.rank, second.rank}) in _ADJACENT[ace_adjacency]


def evaluate_two_cards(first: Card, second: Card, ace_adjacency: AceAdjacency) -> RoyalMatchOutcome:
    """Return the outcome of a player's two cards by themselves, without the dealer's."""
    if is_royal_match(first, second):
        return RoyalMatchOutcome.ROYAL_MATCH
    if is_straight_flush(first, second, ace_adjacency):
        return RoyalMatchOutcome.STRAIGHT_FLUSH
    return RoyalMatchOutcome.NO_MATCH


def evaluate(
    player: Sequence[FaceOrUnseen], up_card: SomeCard, hole_card: SomeCard, ace_adjacency: AceAdjacency
) -> Evaluation:
    """Return what a player's initial cards have won against the dealer's, and when it is settled.

    A Royal Match against a king or queen up waits for the hole card, and against a hole card that makes
    no Royal Match it is a Royal Match still (T9). The suits of a Crown Treasure may differ (T7).
    """
    match player:
        case (Card() as first, Card() as second):
            outcome = evaluate_two_cards(first, second, ace_adjacency)
        case _:
            return _AT_ONCE[OpenHand.INITIAL_CARDS_NOT_READ]
    if outcome is not RoyalMatchOutcome.ROYAL_MATCH:
        return _AT_ONCE[outcome]
    if not isinstance(up_card, Card):
        return _AT_ONCE[OpenHand.UP_CARD_NOT_READ]
    if up_card.rank not in _ROYAL_RANKS:
        return _AT_ONCE[outcome]
    return _AT_HOLE_CARD[_against_hole_card(up_card, hole_card)]


def _against_hole_card(up_card: Card, hole_card: SomeCard) -> RoyalMatchOutcome | OpenHand:
    match hole_card:
        case Card():
            crown = is_royal_match(up_card, hole_card)
            return RoyalMatchOutcome.CROWN_TREASURE if crown else RoyalMatchOutcome.ROYAL_MATCH
        case UnseenCard.UNREAD:
            return OpenHand.HOLE_CARD_NOT_READ
        case UnseenCard.HIDDEN | UndealtCard.UNDEALT:
            return OpenHand.AWAITS_HOLE_CARD
        case _:
            assert_never(hole_card)


def royal_match(cards: Sequence[SomeCard]) -> Verdict:
    """Return whether two cards are a Royal Match, as far as they are known: one other rank rules it out."""
    faces = []
    for card in cards:
        if isinstance(card, Card):
            if card.rank not in _ROYAL_RANKS:
                return Verdict.NO
            faces.append(card)
    if len(faces) < INITIAL_CARDS:
        return Verdict.OPEN
    return Verdict.YES if is_royal_match(*faces) else Verdict.NO


def crown_treasure(player: Sequence[SomeCard], up_card: SomeCard, hole_card: SomeCard) -> Verdict:
    """Return whether a hand is a Crown Treasure, as far as its cards and the dealer's are known."""
    own = royal_match(player)
    if own is Verdict.NO:
        return Verdict.NO
    dealers = royal_match((up_card, hole_card))
    if dealers is Verdict.NO:
        return Verdict.NO
    return Verdict.YES if own is dealers is Verdict.YES else Verdict.OPEN
