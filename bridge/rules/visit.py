"""The dealer's visit to one wager of fixed odds: how it ends, and what is done about it."""

from dataclasses import dataclass
from functools import lru_cache

from bridge.domain.settlements import DealerStep, Result, WagerOutcome
from bridge.domain.wagers import Wager
from bridge.rules.catalogue import CATALOGUE_ORDER
from bridge.rules.dealer_steps import finish, take_vigorish
from bridge.rules.settle_order import place_in
from bridge.rules.submission import NotFiled, NoVigorish, RulesSubmission, VigorishFiling
from bridge.rules.vigorish import TAKING
from bridge.rules.wager_end import Found, end_of

_TURNS = {Result.LOSE: 0, Result.WIN: 1, Result.PUSH: 2}
_VISITS_KEPT = 4096
"""Visits that are remembered: so many positions, wagers, usual amounts and ways to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What one wager comes to."""

    turn: tuple[int, int, int]
    """Sorts the visits of one moment: losing wagers, winning ones, pushes; then by position, then as in T56."""
    end: WagerOutcome
    steps: tuple[DealerStep, ...]
    """The last one ends the wager."""


@lru_cache(maxsize=_VISITS_KEPT)
def visit(wager: Wager, outcome: str, submission: RulesSubmission) -> Visit:
    """Return what a wager comes to, the same in every round in which it ends so.

    Raises ``KeyError`` for a wager that is not filed, and ``MeterOddsError`` if its paytable pays it from a
    meter.
    """
    filing = submission.filed(wager.kind)
    table = submission.baccarat
    vigorish = NoVigorish.OTHER_WAGER if isinstance(table, NotFiled) else table.vigorish
    end = end_of(wager, Found.by_paytable(filing, outcome, vigorish))
    taken = take_vigorish(end, TAKING[vigorish.taken]) if isinstance(vigorish, VigorishFiling) else ()
    place = place_in(filing.settle_order, wager.position)
    return Visit(
        turn=(_TURNS[end.result], place, CATALOGUE_ORDER[wager.kind]), end=end, steps=(*taken, finish(end))
    )
