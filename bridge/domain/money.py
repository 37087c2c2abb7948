"""Cents, and the finer amounts a progressive meter has to hold.

Money is an integer number of cents. A meter grows by a percentage of a wager, and 15 % of 2.50 dollars
is 37.5 cents, so a meter counts hundredths of a cent and drops nothing (T14). Rounding happens only
where a meter is shown or paid, in functions that say so by name.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NewType, Self

from bridge.domain.errors import BridgeError

Cents = NewType("Cents", int)

UNITS_PER_CENT = 100
"""A meter's unit is a hundredth of a cent, a ten-thousandth of a dollar (T14)."""


class InexactAmountError(BridgeError):
    """An amount has a part that a meter cannot hold."""


@dataclass(frozen=True, slots=True, order=True)
class MeterAmount:
    """An amount on a progressive meter, in hundredths of a cent."""

    units: int

    @classmethod
    def of_cents(cls, cents: int) -> Self:
        """Return the meter amount of a whole number of cents."""
        return cls(cents * UNITS_PER_CENT)

    @classmethod
    def exactly(cls, cents: Fraction) -> Self:
        """Return the meter amount of a fraction of cents; raise ``InexactAmountError`` if it does not fit."""
        units = cents * UNITS_PER_CENT
        if units.denominator != 1:
            raise InexactAmountError(
                f"{cents} cents cannot be held in hundredths of a cent; file a rate that leaves no finer part"
            )
        return cls(units.numerator)

    @classmethod
    def total(cls, amounts: Iterable["MeterAmount"]) -> Self:
        """Return the exact sum."""
        return cls(sum([amount.units for amount in amounts]))

    def floor_to_cents(self) -> Cents:
        """Return the whole cents a display shows or a payment hands over; the rest stays on the meter."""
        return Cents(self.units // UNITS_PER_CENT)

    def __add__(self, other: "MeterAmount") -> "MeterAmount":
        return MeterAmount(self.units + other.units)

    def __sub__(self, other: "MeterAmount") -> "MeterAmount":
        return MeterAmount(self.units - other.units)

    def __neg__(self) -> "MeterAmount":
        return MeterAmount(-self.units)

    def __str__(self) -> str:
        sign = "-" if self.units < 0 else ""
        dollars, parts = divmod(abs(self.units), 100 * UNITS_PER_CENT)
        return f"{sign}{dollars:,}.{parts:04d}"


def format_cents(cents: Cents) -> str:
    """Return dollars and cents as a person writes them: ``50,003.75``."""
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}{dollars:,}.{rest:02d}"
