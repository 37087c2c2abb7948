"""Odds and rates as a paytable prints them, to exact values.

A figure is an integer, a decimal or a fraction: "60", "2.5", "3/2". The words decide the money: "60 for 1"
hands over sixty units and keeps the wager, "60 to 1" hands over sixty and the wager (T13).
"""

import re
from fractions import Fraction

from bridge.domain.errors import BridgeError
from bridge.domain.odds import Odds

ODDS_FORM = '"60 for 1", "2.5 to 1" or "100% of meter", in quotation marks'
FIXED_ODDS_FORM = '"60 for 1", "2.5 to 1" or "push", in quotation marks'
RATE_FORM = '"15%", in quotation marks'

_FIGURE = r"(\d{1,9}(?:\.\d{1,9}|/\d{1,9})?)"
_FIXED = re.compile(rf"{_FIGURE} (to|for) (\d{{1,9}})", re.ASCII)
_METER = re.compile(rf"{_FIGURE} ?% of meter", re.ASCII)
_RATE = re.compile(rf"{_FIGURE} ?%", re.ASCII)


class OddsTextError(BridgeError):
    """A text does not state odds, or a rate; ``advice`` is what to do about it."""

    def __init__(self, text: str, problem: str, advice: str) -> None:
        super().__init__(f"{text!r} {problem}; {advice}")
        self.advice = advice


def parse_odds(text: str) -> Odds:
    """Return the odds that a text states; raise ``OddsTextError`` if it states none that can be paid."""
    if fixed := _FIXED.fullmatch(text):
        pays = _positive(fixed[1], text) / _positive(fixed[3], text)
        make = Odds.to_one if fixed[2] == "to" else Odds.for_one
        return make(pays.numerator, pays.denominator)
    if meter := _METER.fullmatch(text):
        return Odds.of_meter(_part(meter[1], text))
    raise OddsTextError(
        text, "is not odds", 'say "to" if the wager is returned on top, "for" if it is part of the payment'
    )


def parse_fixed_odds(text: str) -> Odds:
    """Return odds that take nothing from a meter, or the push; raise ``OddsTextError`` for anything else."""
    if text == "push":
        return Odds.push()
    if _METER.fullmatch(text):
        raise OddsTextError(text, "is a share of a meter, which this wager does not have", "state fixed odds")
    return parse_odds(text)


def parse_rate(text: str) -> Fraction:
    """Return the part that a percentage states; raise ``OddsTextError`` unless it is above 0 and at most 1."""
    if rate := _RATE.fullmatch(text):
        return _part(rate[1], text)
    raise OddsTextError(text, "is not a rate", "write a percentage with its sign")


def _positive(figure: str, text: str) -> Fraction:
    try:
        value = Fraction(figure)
    except ZeroDivisionError:
        value = Fraction(0)
    if value == 0:
        raise OddsTextError(text, "comes to nothing", "correct the figure")
    return value


def _part(figure: str, text: str) -> Fraction:
    part = _positive(figure, text) / 100
    if part > 1:
        raise OddsTextError(text, "is more than the whole", "write 100% or less")
    return part
