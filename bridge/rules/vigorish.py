"""What the Banker wager owes the house (§ 627a.11(b)): a part of the amount *won*, and of nothing else (T28).

It is owed on no other wager, and at an EZ table on none (R67).
"""

from bridge.domain.money import Cents
from bridge.domain.settlements import StepAction
from bridge.rules.rounding import Rounded, round_cents
from bridge.rules.submission import VigorishFiling, VigorishTaken

TAKING: dict[VigorishTaken, StepAction] = {
    VigorishTaken.COLLECTED: StepAction.COLLECT_VIGORISH,
    VigorishTaken.MARKED: StepAction.MARK_VIGORISH,
}
"""What the dealer does about it, directly before the payment (R66)."""


def vigorish_owed(won: Cents, filing: VigorishFiling) -> Rounded:
    """Return the vigorish on an amount won, rounded as filed."""
    return round_cents(won * filing.rate.numerator, filing.rate.denominator, filing.rounding)
