"""From the name of an outcome to the end of a wager: won, lost or returned, and the money of it.

The paytable alone decides: what it pays wins, what it calls a push is returned, and what it does not have
loses. Where the amount is not known the outcome and the odds are said, and no cents.
"""

from dataclasses import dataclass
from typing import Self

from bridge.domain.money import Cents
from bridge.domain.odds import Odds, OddsBasis
from bridge.domain.settlements import NOTHING_ROUNDED, Result, UnpaidOdds, WagerOutcome
from bridge.domain.wagers import UnknownAmount, Wager, WagerAmount, WagerKind
from bridge.rules.odds import rounded_payment
from bridge.rules.rounding import Rounded
from bridge.rules.submission import NotFiled, NoVigorish, VigorishFiling, WagerFiling
from bridge.rules.vigorish import vigorish_owed

VOIDED = "voided"
"""Outcome of a wager that a voided round returns."""
_NOTHING = Cents(0)
_NOTHING_OWED = Rounded(cents=_NOTHING, difference=NOTHING_ROUNDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a round has found for every wager of one kind."""

    filing: WagerFiling
    outcome: str
    result: Result
    odds: Odds | UnpaidOdds
    vigorish: VigorishFiling | NoVigorish

    @classmethod
    def by_paytable(cls, filing: WagerFiling, outcome: str, vigorish: VigorishFiling | NoVigorish) -> Self:
        """Return what the filed paytable makes of an outcome."""
        odds = filing.paytable.odds.get(outcome)
        paid: Odds | UnpaidOdds = UnpaidOdds.NONE
        if odds is None:
            result = Result.LOSE
        elif odds.basis is OddsBasis.PUSH:
            result = Result.PUSH
        else:
            result, paid = Result.WIN, odds
        return cls(filing=filing, outcome=outcome, result=result, odds=paid, vigorish=vigorish)


def amount_of(wager: Wager, filing: WagerFiling | NotFiled) -> WagerAmount:
    """Return what was wagered; where the sensor only sees a chip, it is the one amount filed, if one is (T21)."""
    if isinstance(wager.amount, UnknownAmount) and isinstance(filing, WagerFiling):
        return filing.amount
    return wager.amount


def end_of(wager: Wager, found: Found) -> WagerOutcome:
    """Return the end of one wager; raise ``MeterOddsError`` if its paytable pays it from a meter."""
    amount = amount_of(wager, found.filing)
    if isinstance(found.odds, UnpaidOdds):
        return unpaid(wager, amount, found.result, found.outcome)
    if isinstance(amount, UnknownAmount):
        return _won_unknown(wager, amount, found, found.odds)
    payment = rounded_payment(found.odds, amount, found.filing.rounding)
    owed = _owed(wager.kind, amount, found.odds, found.vigorish)
    return WagerOutcome(
        position=wager.position,
        kind=wager.kind,
        amount=amount,
        result=found.result,
        outcome=found.outcome,
        odds=found.odds,
        paid=payment.paid,
        stake_returned=payment.stake_returned,
        vigorish=owed.cents,
        paid_rounding=payment.rounding,
        vigorish_rounding=owed.difference,
    )


def unpaid(wager: Wager, amount: WagerAmount, result: Result, outcome: str) -> WagerOutcome:
    """Return the end of a wager that is lost, or returned as a push."""
    return WagerOutcome(
        position=wager.position,
        kind=wager.kind,
        amount=amount,
        result=result,
        outcome=outcome,
        odds=UnpaidOdds.NONE,
        paid=_NOTHING,
        stake_returned=amount if result is Result.PUSH else _NOTHING,
    )


def _won_unknown(wager: Wager, amount: UnknownAmount, found: Found, odds: Odds) -> WagerOutcome:
    owes = wager.kind is WagerKind.BANKER and isinstance(found.vigorish, VigorishFiling)
    return WagerOutcome(
        position=wager.position,
        kind=wager.kind,
        amount=amount,
        result=found.result,
        outcome=found.outcome,
        odds=odds,
        paid=amount,
        stake_returned=_NOTHING if odds.basis is OddsBasis.FOR else amount,
        vigorish=amount if owes else _NOTHING,
    )


def _owed(kind: WagerKind, amount: Cents, odds: Odds, vigorish: VigorishFiling | NoVigorish) -> Rounded:
    """Return the vigorish: on what the Banker wager won, and on no other wager (T28)."""
    if kind is WagerKind.BANKER and isinstance(vigorish, VigorishFiling):
        return vigorish_owed(odds, amount, vigorish)
    return _NOTHING_OWED
