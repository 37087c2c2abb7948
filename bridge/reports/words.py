"""Money, cards and times as a document prints them."""

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Final

from bridge.clock import in_zone
from bridge.domain.cards import Card, FaceOrUnseen, Rank, Suit
from bridge.domain.identity import Timestamp
from bridge.domain.money import Cents, MeterAmount, format_cents
from bridge.domain.wagers import UnknownAmount, WagerAmount

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES: Final = (
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1000, "thousand"),
)
_HUNDRED, _TWENTY, _TEN = 100, 20, 10

_SUITS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}


def dollars(amount: WagerAmount) -> str:
    """Return an amount with its currency; "unknown" where nobody knows it."""
    return "unknown" if isinstance(amount, UnknownAmount) else f"${format_cents(amount)}".replace("$-", "-$")


def exact_dollars(amount: MeterAmount) -> str:
    """Return what a meter holds to a hundredth of a cent, with its currency."""
    return f"${amount}".replace("$-", "-$")


def amount_in_words(amount: Cents) -> str:
    """Return an amount as a cheque has it: ``Fifty thousand three and 75/100 dollars``; it is not negative.

    The number libraries on hand say "and" within a number too, or take seconds to load.
    """
    whole, rest = divmod(amount, _HUNDRED)
    return f"{_number(whole)} and {rest:02d}/100 dollars".capitalize()


def card(face: FaceOrUnseen) -> str:
    """Return a card with the sign of its suit, its rank as it is printed on it; else in words what it is."""
    if not isinstance(face, Card):
        return face.value
    return f"{'10' if face.rank is Rank.TEN else face.rank}{_SUITS[face.suit]}"


def cards(faces: Iterable[FaceOrUnseen]) -> str:
    """Return cards in the order they came, with en spaces between them; a dash for none."""
    return "\u2002".join(map(card, faces)) or "–"  # noqa: RUF001 - a dash between nothings


def moment(at: Timestamp, zone: tzinfo = UTC) -> str:
    """Return a time as people read it, to the second, with its offset from UTC."""
    shown = in_zone(at, zone)
    return f"{shown:%Y-%m-%d %H:%M:%S} {'UTC' if zone is UTC else f'{shown:%z}'}"


def iso(at: Timestamp, zone: tzinfo = UTC) -> str:
    """Return a time as ISO 8601 has it, to the microsecond, with its offset from UTC."""
    return in_zone(at, zone).isoformat(timespec="microseconds")


def _number(whole: int) -> str:
    for scale, name in _SCALES:
        if whole >= scale:
            return f"{_number(whole // scale)} {name}{_after(whole % scale, ' ')}"
    if whole >= _HUNDRED:
        return f"{_SMALL[whole // _HUNDRED]} hundred{_after(whole % _HUNDRED, ' ')}"
    if whole >= _TWENTY:
        return f"{_TENS[whole // _TEN]}{_after(whole % _TEN, '-')}"
    return _SMALL[whole]


def _after(rest: int, join: str) -> str:
    return f"{join}{_number(rest)}" if rest else ""
