"""How one phase of a round follows another, game by game; the documentation is drawn from these tables."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from bridge.domain.rounds import Game
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
    HANDS_DUE = "identified, hands go on"
    HANDS_COMPLETE = "hands complete"
    ROUND_VOIDED = "round voided"
    ROUND_CLOSED = "round closed"


_BLACKJACK: Mapping[Phase, Mapping[Trigger, Phase]] = MappingProxyType(
    {
        Phase.WAGERS_OPEN: {Trigger.LOCKED_OUT: Phase.NO_MORE_BETS},
        Phase.NO_MORE_BETS: {
            Trigger.NOTHING_TO_COUNT: Phase.DEALING,
            Trigger.COUNT_AGREED: Phase.DEALING,
            Trigger.COUNT_DIFFERED: Phase.COUNT_DIFFERS,
            Trigger.CARD_DEALT: Phase.DEALING,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.COUNT_DIFFERS: {
            Trigger.COUNT_RESOLVED: Phase.DEALING,
            Trigger.CARD_DEALT: Phase.DEALING,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.DEALING: {
            Trigger.INITIAL_DEAL_COMPLETE: Phase.SIDE_WAGERS,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.NOTHING_TO_SETTLE: Phase.PLAY,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
            Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN,
        },
        Phase.MANUAL: {
            Trigger.SIDE_WAGERS_DUE: Phase.SIDE_WAGERS,
            Trigger.DEFERRED_WAGERS_DUE: Phase.HOLE_CARD_EXPOSED,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.SIDE_WAGERS: {Trigger.SIDE_WAGERS_SETTLED: Phase.PLAY, Trigger.ROUND_VOIDED: Phase.VOIDED},
        Phase.PLAY: {
            Trigger.HOLE_CARD_MISSING: Phase.HOLE_REVEAL_REQUIRED,
            Trigger.DEFERRED_WAGERS_DUE: Phase.HOLE_CARD_EXPOSED,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.AWARD_WON: Phase.AWARD_HELD,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
            Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN,
        },
        Phase.HOLE_REVEAL_REQUIRED: {
            Trigger.DEFERRED_WAGERS_DUE: Phase.HOLE_CARD_EXPOSED,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.HOLE_CARD_EXPOSED: {
            Trigger.DEFERRED_WAGERS_SETTLED: Phase.PLAY,
            Trigger.AWARD_WON: Phase.AWARD_HELD,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.AWARD_HELD: {Trigger.AWARD_DOCUMENTED: Phase.PLAY, Trigger.ROUND_VOIDED: Phase.VOIDED},
        Phase.VOIDED: {Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN},
    }
)

_BACCARAT: Mapping[Phase, Mapping[Trigger, Phase]] = MappingProxyType(
    {
        Phase.WAGERS_OPEN: {Trigger.LOCKED_OUT: Phase.NO_MORE_BETS},
        Phase.NO_MORE_BETS: {Trigger.NOTHING_TO_COUNT: Phase.DEALING, Trigger.ROUND_VOIDED: Phase.VOIDED},
        Phase.DEALING: {
            Trigger.INITIAL_DEAL_COMPLETE: Phase.SIDE_WAGERS,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.NOTHING_TO_SETTLE: Phase.THIRD_CARDS,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
            Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN,
        },
        Phase.MANUAL: {
            Trigger.SIDE_WAGERS_DUE: Phase.SIDE_WAGERS,
            Trigger.HANDS_DUE: Phase.THIRD_CARDS,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.SIDE_WAGERS: {Trigger.SIDE_WAGERS_SETTLED: Phase.THIRD_CARDS, Trigger.ROUND_VOIDED: Phase.VOIDED},
        Phase.THIRD_CARDS: {
            Trigger.HANDS_COMPLETE: Phase.RESULT,
            Trigger.CARD_TO_IDENTIFY: Phase.MANUAL,
            Trigger.ROUND_VOIDED: Phase.VOIDED,
        },
        Phase.RESULT: {Trigger.ROUND_VOIDED: Phase.VOIDED, Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN},
        Phase.VOIDED: {Trigger.ROUND_CLOSED: Phase.WAGERS_OPEN},
    }
)

TRANSITIONS: Mapping[Game, Mapping[Phase, Mapping[Trigger, Phase]]] = MappingProxyType(
    {Game.BLACKJACK: _BLACKJACK, Game.BACCARAT: _BACCARAT, Game.MINIBACCARAT: _BACCARAT}
)
