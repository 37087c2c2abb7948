"""What the Banker wager owes the house (§ 627a.11(b)): a part of the amount *won*, and of nothing else (T28).

It is owed on no other wager, and at an EZ table on none (R67).
"""

from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import StepAction
from bridge.rules.rounding import Rounded, round_cents
from bridge.rules.submission import VigorishFiling, VigorishTaken

TAKING: dict[VigorishTaken, StepAction] = {
    VigorishTaken.COLLECTED: StepAction.COLLECT_VIGORISH,
    VigorishTaken.MARKED: StepAction.MARK_VIGORISH,
}
"""What the dealer does about it, directly before the payment (R66)."""


def vigorish_owed(odds: Odds, wager: Cents, filing: VigorishFiling) -> Rounded:
    """Return the vigorish on what a wager won at odds "to 1", rounded as filed.

    The amount won is exact: how its payment was rounded to chips changes nothing.
    """
    parts = wager * odds.pays * filing.rate.numerator
    return round_cents(parts, odds.per * filing.rate.denominator, filing.rounding)
