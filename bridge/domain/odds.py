"""What a winning wager is paid, with the words that change its meaning.

The same digits are different money: at "60 to 1" a player gets sixty units and the wager back, at
"60 for 1" sixty units and nothing else (T13). So odds never travel as a bare number.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class OddsBasis(StrEnum):
    """How the figures of the odds are to be read."""

    TO = "to"
    """Profit; the wager itself is returned on top."""
    FOR = "for"
    """The whole payment; the wager is part of it."""
    METER = "meter"
    """A share of the progressive meter, shared equally among the winners of the round."""
    PUSH = "push"
    """The wager is returned and nothing is paid; neither won nor lost (T29)."""


@dataclass(frozen=True, slots=True)
class Odds:
    """``pays`` units for every ``per`` units wagered, or for the meter: ``pays`` parts out of ``per``."""

    basis: OddsBasis
    pays: int
    per: int

    @classmethod
    def to_one(cls, pays: int, per: int = 1) -> "Odds":
        """Return odds of profit: ``to_one(5, 2)`` is "2.5 to 1"."""
        return cls(OddsBasis.TO, pays, per)

    @classmethod
    def for_one(cls, pays: int, per: int = 1) -> "Odds":
        """Return odds of the whole payment: ``for_one(60)`` is "60 for 1"."""
        return cls(OddsBasis.FOR, pays, per)

    @classmethod
    def of_meter(cls, part: Fraction) -> "Odds":
        """Return a share of the meter: ``of_meter(Fraction(1))`` is all of it."""
        return cls(OddsBasis.METER, part.numerator, part.denominator)

    @classmethod
    def push(cls) -> "Odds":
        """Return what a paytable says of an outcome that returns the wager and pays nothing."""
        return cls(OddsBasis.PUSH, 0, 1)

    def __str__(self) -> str:
        if self.basis is OddsBasis.PUSH:
            return "push"
        if self.basis is OddsBasis.METER:
            percent = Fraction(100 * self.pays, self.per)
            return f"{_decimal(percent)}% of meter"
        return f"{_decimal(Fraction(self.pays, self.per))} {self.basis} 1"


def _decimal(value: Fraction) -> str:
    """Return a fraction as the trade prints it: ``25``, ``2.5``; other fractions stay fractions."""
    if value.denominator == 1:
        return str(value.numerator)
    hundredths = value * 100
    if hundredths.denominator != 1:
        return str(value)
    whole, part = divmod(hundredths.numerator, 100)
    return f"{whole}.{part:02d}".rstrip("0")
