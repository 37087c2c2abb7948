"""Playing cards, and the two things a table has instead of a card it cannot name."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bridge.domain.errors import BridgeError


class Rank(StrEnum):
    """A card's rank; its value is the character it prints as. Ten, jack, queen and king differ (T3)."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(StrEnum):
    """A card's suit; its value is the character it prints as."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class CardTextError(BridgeError):
    """A text does not name a card."""


@dataclass(frozen=True, slots=True)
class Card:
    """One of the fifty-two."""

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the card written as rank then suit (``Kh``, ``TD``); raise ``CardTextError`` otherwise."""
        try:
            rank, suit = tuple(text.strip())
            return cls(Rank(rank.upper()), Suit(suit.lower()))
        except ValueError:
            raise CardTextError(
                f"{text!r} is not a card; write rank A 2-9 T J Q K, then suit c d h s, as in 'Kh'"
            ) from None

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"


class UnseenCard(StrEnum):
    """A card that lies on the table and cannot be named."""

    HIDDEN = "hidden"
    """Face down for whoever reads this; the sealed journal may know it (T48)."""
    UNREAD = "unread"
    """The reader saw a card and could not read it; a supervisor names it (T51)."""


FaceOrUnseen = Card | UnseenCard
