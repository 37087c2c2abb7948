"""The totals of a day reckoned anew, from what the table published while it was played."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from bridge.domain.settlements import MeterShare, Result
from bridge.domain.wagers import WagerKind
from tests.reports.days import DAY, PlayedDays


@dataclass
class Recomputed:
    """Sums in plain numbers; unknown amounts are left out of the cents and counted."""

    rounds: int = 0
    voided: int = 0
    wagers: Counter[WagerKind] = field(default_factory=Counter)
    wagered: defaultdict[WagerKind, int] = field(default_factory=lambda: defaultdict(int))
    wagered_unknown: Counter[WagerKind] = field(default_factory=Counter)
    ends: Counter[tuple[WagerKind, Result]] = field(default_factory=Counter)
    paid: int = 0
    paid_unknown: int = 0
    returned: int = 0
    envy: int = 0
    contributed: Fraction = Fraction(0)
    vigorish: int = 0


def recomputed(played: PlayedDays, day: str = DAY) -> Recomputed:
    """Return the sums of the rounds of a day."""
    sums = Recomputed()
    for number in played.numbers(day):
        round_, settlement = played.published[number]
        sums.rounds += 1
        sums.voided += round_.voided
        for wager in round_.accepted:
            sums.wagers[wager.kind] += 1
            if isinstance(wager.amount, int):
                sums.wagered[wager.kind] += wager.amount
            else:
                sums.wagered_unknown[wager.kind] += 1
        for end in settlement.outcomes:
            sums.ends[end.kind, end.result] += 1
            sums.paid += end.paid if isinstance(end.paid, int) else 0
            sums.paid_unknown += not isinstance(end.paid, int | MeterShare)
            sums.returned += end.stake_returned if isinstance(end.stake_returned, int) else 0
            sums.vigorish += end.vigorish if isinstance(end.vigorish, int) else 0
        sums.envy += sum(bonus.amount for bonus in settlement.envy_bonuses)
        sums.contributed += sum(Fraction(one.amount.units, 100) for one in settlement.contributions)
        sums.contributed -= sum(Fraction(one.amount.units, 100) for one in settlement.corrections)
    return sums
