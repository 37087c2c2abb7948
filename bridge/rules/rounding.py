"""Whole cents from exact amounts, by a rule that is filed and has a name (T27).

A chip cannot be broken: 2.5 to 1 on 3.33 is 832.5 cents, five per cent of it 16.65. What is handed over is
a multiple of a filed unit, and the difference is kept exactly, so that books can be balanced by it.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import gcd
from typing import assert_never

from bridge.domain.money import Cents
from bridge.domain.settlements import NOTHING_ROUNDED, RoundingDifference


class Direction(StrEnum):
    """Which of the two neighbouring amounts is handed over."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounding:
    """A filed rounding: to multiples of ``to_cents``, the smallest chip or coin that is handed over."""

    to_cents: int
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounded:
    """What is handed over, and how far it is from what is owed."""

    cents: Cents
    difference: RoundingDifference
    """``cents`` minus the exact amount."""


def round_cents(parts: int, per: int, rounding: Rounding) -> Rounded:
    """Return ``parts`` out of ``per`` cents, not negative, as a filed rounding hands them over."""
    whole, rest = divmod(parts, per * rounding.to_cents)
    if rest == 0:
        return Rounded(cents=Cents(whole * rounding.to_cents), difference=NOTHING_ROUNDED)
    match rounding.direction:
        case Direction.UP:
            cents = (whole + 1) * rounding.to_cents
        case Direction.DOWN:
            cents = whole * rounding.to_cents
        case _:
            assert_never(rounding.direction)
    difference = cents * per - parts
    common = gcd(difference, per)
    return Rounded(cents=Cents(cents), difference=RoundingDifference(difference // common, per // common))
