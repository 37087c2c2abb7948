"""How odds become money: exactly, or not at all.

"60 for 1" hands over sixty units and keeps the wager; "60 to 1" hands over sixty and the wager with them
(T13). A wager is whole cents. One of a fixed amount is paid in whole cents too, and odds that would leave
part of a cent are refused by name (``fixed_payment``); one of any amount is paid in whole chips by a filed
rounding, and the difference is kept (``rounded_payment``, T27).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from bridge.domain.errors import BridgeError
from bridge.domain.money import Cents, format_cents
from bridge.domain.odds import Odds, OddsBasis
from bridge.domain.settlements import NOTHING_ROUNDED, RoundingDifference
from bridge.rules.rounding import Rounding, round_cents


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
    """The wager itself, where it is returned on top, or as a push."""
    rounding: RoundingDifference = NOTHING_ROUNDED
    """``paid`` minus what the odds come to exactly."""


def fixed_payment(odds: Odds, wager: Cents) -> Payment:
    """Return what a wager is paid at "to 1" or "for 1".

    Raises ``InexactPaymentError`` where it is not whole cents, and ``MeterOddsError`` for a share of a
    meter, which only the meter's store can turn into cents.
    """
    returned = _stake_returned(odds, wager)
    return Payment(paid=_whole_cents(odds, wager), stake_returned=returned)


def rounded_payment(odds: Odds, wager: Cents, rounding: Rounding) -> Payment:
    """Return what a wager is paid, in whole chips as filed; raise ``MeterOddsError`` for a share of a meter."""
    returned = _stake_returned(odds, wager)
    paid = round_cents(wager * odds.pays, odds.per, rounding)
    return Payment(paid=paid.cents, stake_returned=returned, rounding=paid.difference)


def gain(odds: Odds) -> Fraction:
    """Return what a wager of one unit gains at fixed odds, the wager itself not counted.

    Raises ``MeterOddsError`` for a share of a meter, which is not a multiple of the wager.
    """
    match odds.basis:
        case OddsBasis.TO | OddsBasis.PUSH:
            return Fraction(odds.pays, odds.per)
        case OddsBasis.FOR:
            return Fraction(odds.pays, odds.per) - 1
        case OddsBasis.METER:
            raise _not_fixed(odds, Cents(1))
        case _:
            assert_never(odds.basis)


def _stake_returned(odds: Odds, wager: Cents) -> Cents:
    """Return what of the wager is handed back beside what is paid; a push pays nothing and hands it back."""
    match odds.basis:
        case OddsBasis.TO | OddsBasis.PUSH:
            return wager
        case OddsBasis.FOR:
            return Cents(0)
        case OddsBasis.METER:
            raise _not_fixed(odds, wager)
        case _:
            assert_never(odds.basis)


def _not_fixed(odds: Odds, wager: Cents) -> MeterOddsError:
    return MeterOddsError(
        f"{odds} is not paid on a wager of {format_cents(wager)}; claim the award from the meter"
    )


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
