"""How one phase of a round follows another. All of it is in this table; the documentation is drawn from it."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from bridge.domain.table_view import Phase


class Trigger(StrEnum):
    """Why a phase ends."""

    LOCKED_OUT = "locked out"
    NOTHING_TO_COUNT = "nothing to count"
    COUNT_AGREED = "count agreed"
    COUNT_DIFFERED = "count differed"
    COUNT_RESOLVED = "count resolved"
    CARD_DEALT = "card dealt"
    INITIAL_DEAL_COMPLETE = "initial deal complete"
    NOTHING_TO_SETTLE = "nothing to settle"
    CARD_TO_IDENTIFY = "card to identify"
    SIDE_WAGERS_DUE = "identified, side wagers due"
    SIDE_WAGERS_SETTLED = "side wagers settled"
    HOLE_CARD_MISSING = "hole card missing"
    DEFERRED_WAGERS_DUE = "deferred wagers due"
    DEFERRED_WAGERS_SETTLED = "deferred wagers settled"
    AWARD_WON = "award won"
    AWARD_DOCUMENTED = "award documented"
    ROUND_CLOSED = "round closed"


TRANSITIONS: Mapping[Phase, Mapping[Trigger, Phase]] = MappingProxyType(
    {
        Phase.WAGERS_OPEN: {Trigger.LOCKED_OUT: Phase.NO_MORE_BETS},
        Phase.NO_MORE_BETS: {
            Trigger.NOTHING_TO_COUNT: Phase.DEALING,
            Trigger.COUNT_AGREED: Phase.DEALING,
            Trigger.COUNT_DIFFERED: Phase.COUNT_DIFFERS,
            Trigger.CARD_DEALT: Phase.DEALING,
        },
        Phase.COUNT_DIFFERS: {Trigger.COUNT_RESOLVED: Phase.DEALING, Trigger.CARD_DEALT: Phase.DEALING},
        Phase.DEALING: {
            Trigger.INITIAL_DEAL_COMPLETE: Phase.SIDE_WAGERS,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.NOTHING_TO_SETTLE: Phase.PLAY,
            Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN,
        },
        Phase.MANUAL: {
            Trigger.SIDE_WAGERS_DUE: Phase.SIDE_WAGERS,
            Trigger.DEFERRED_WAGERS_DUE: Phase.HOLE_CARD_EXPOSED,
        },
        Phase.SIDE_WAGERS: {Trigger.SIDE_WAGERS_SETTLED: Phase.PLAY},
        Phase.PLAY: {
            Trigger.HOLE_CARD_MISSING: Phase.HOLE_REVEAL_REQUIRED,
            Trigger.DEFERRED_WAGERS_DUE: Phase.HOLE_CARD_EXPOSED,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.AWARD_WON: Phase.AWARD_HELD,
            Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN,
        },
        Phase.HOLE_REVEAL_REQUIRED: {
            Trigger.DEFERRED_WAGERS_DUE: Phase.HOLE_CARD_EXPOSED,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
        },
        Phase.HOLE_CARD_EXPOSED: {
            Trigger.DEFERRED_WAGERS_SETTLED: Phase.PLAY,
            Trigger.AWARD_WON: Phase.AWARD_HELD,
        },
        Phase.AWARD_HELD: {Trigger.AWARD_DOCUMENTED: Phase.PLAY},
    }
)
