"""How odds become money: exactly, or not at all.

"60 for 1" hands over sixty units and keeps the wager; "60 to 1" hands over sixty and the wager with them
(T13). A wager of this game is whole cents, and so is everything paid for it; odds that would leave part
of a cent on a wager are refused by name instead of rounded (T27).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from bridge.domain.errors import BridgeError
from bridge.domain.money import Cents, format_cents
from bridge.domain.odds import Odds, OddsBasis


class InexactPaymentError(BridgeError):
    """Odds on a wager come to part of a cent."""


class MeterOddsError(BridgeError):
    """A share of a meter was taken for fixed odds, or fixed odds for a share of a meter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """What a winning wager receives at fixed odds."""

    paid: Cents
    """Profit for "to 1", everything for "for 1"."""
    stake_returned: Cents
    """The wager itself, where it is returned on top."""


def fixed_payment(odds: Odds, wager: Cents) -> Payment:
    """Return what a wager is paid at "to 1" or "for 1".

    Raises ``InexactPaymentError`` where it is not whole cents, and ``MeterOddsError`` for a share of a
    meter, which only the meter's store can turn into cents.
    """
    match odds.basis:
        case OddsBasis.TO:
            return Payment(paid=_whole_cents(odds, wager), stake_returned=wager)
        case OddsBasis.FOR:
            return Payment(paid=_whole_cents(odds, wager), stake_returned=Cents(0))
        case OddsBasis.METER:
            raise MeterOddsError(
                f"{odds} is not paid on a wager of {format_cents(wager)}; claim the award from the meter"
            )
        case _:
            assert_never(odds.basis)


def _whole_cents(odds: Odds, wager: Cents) -> Cents:
    cents = Fraction(wager * odds.pays, odds.per)
    if cents.denominator != 1:
        raise InexactPaymentError(
            f"{odds} on {format_cents(wager)} is {cents} cents; file a wager that the odds pay in whole cents"
        )
    return Cents(cents.numerator)


def meter_part(odds: Odds) -> Fraction:
    """Return the part of the meter that all winners share; raise ``MeterOddsError`` for fixed odds."""
    if odds.basis is not OddsBasis.METER:
        raise MeterOddsError(f"{odds} is paid on a wager and takes nothing from a meter; pay it as fixed odds")
    return Fraction(odds.pays, odds.per)
