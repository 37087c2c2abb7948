"""The wagers of fixed odds: of which games, on which hands, when they are settled, and what they rest on.

A rules submission files a wager by the name of its section. Golden Talons and Majestic Match may be placed
on either hand, or both, as separate wagers under one paytable (§§ 627b.5(e), 631c.7(b)).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.rounds import Game
from bridge.domain.wagers import WagerKind
from bridge.rules import (
    banker,
    dragon_7,
    golden_talons,
    majestic_match,
    panda_8,
    player,
    royal_match_21,
    tie,
)
from bridge.rules.submission import Moment


class FixedOddsWager(StrEnum):
    """A wager of fixed odds, as its section names it."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    DRAGON_7 = "dragon_7"
    PANDA_8 = "panda_8"
    GOLDEN_TALONS = "golden_talons"
    MAJESTIC_MATCH = "majestic_match"
    ROYAL_MATCH_21 = "royal_match_21"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What holds for a wager wherever it is filed."""

    kinds: tuple[WagerKind, ...]
    games: frozenset[Game]
    moment: Moment
    outcomes: frozenset[str]
    """Rows that a paytable of it must have."""
    optional: frozenset[str] = frozenset()
    """Rows that it may have."""
    requires: tuple[WagerKind, ...] = ()
    """Wagers of which the position must have one (T37); a filing may narrow them. None: it stands alone."""
    ez_only: bool = False


BASE_WAGERS = (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE)
"""The wagers of § 627a.7(a)."""
_BACCARAT = frozenset({Game.BACCARAT, Game.MINIBACCARAT})

CATALOGUE: Mapping[FixedOddsWager, Terms] = {
    FixedOddsWager.PLAYER: Terms(
        kinds=(WagerKind.PLAYER,), games=_BACCARAT, moment=Moment.AFTER_RESULT, outcomes=player.PAID_OUTCOMES
    ),
    FixedOddsWager.BANKER: Terms(
        kinds=(WagerKind.BANKER,),
        games=_BACCARAT,
        moment=Moment.AFTER_RESULT,
        outcomes=banker.PAID_OUTCOMES,
        optional=banker.OPTIONAL_OUTCOMES,
    ),
    FixedOddsWager.TIE: Terms(
        kinds=(WagerKind.TIE,), games=_BACCARAT, moment=Moment.AFTER_RESULT, outcomes=tie.PAID_OUTCOMES
    ),
    FixedOddsWager.DRAGON_7: Terms(
        kinds=(WagerKind.DRAGON_7,),
        games=_BACCARAT,
        moment=Moment.AFTER_RESULT,
        outcomes=dragon_7.PAID_OUTCOMES,
        ez_only=True,
    ),
    FixedOddsWager.PANDA_8: Terms(
        kinds=(WagerKind.PANDA_8,),
        games=_BACCARAT,
        moment=Moment.AFTER_RESULT,
        outcomes=panda_8.PAID_OUTCOMES,
        ez_only=True,
    ),
    FixedOddsWager.GOLDEN_TALONS: Terms(
        kinds=(WagerKind.GOLDEN_TALONS_PLAYER, WagerKind.GOLDEN_TALONS_BANKER),
        games=_BACCARAT,
        moment=Moment.AFTER_RESULT,
        outcomes=golden_talons.PAID_OUTCOMES,
        requires=BASE_WAGERS,
    ),
    FixedOddsWager.MAJESTIC_MATCH: Terms(
        kinds=(WagerKind.MAJESTIC_MATCH_PLAYER, WagerKind.MAJESTIC_MATCH_BANKER),
        games=_BACCARAT,
        moment=Moment.AFTER_FOUR_CARDS,
        outcomes=majestic_match.PAID_OUTCOMES,
    ),
    FixedOddsWager.ROYAL_MATCH_21: Terms(
        kinds=(WagerKind.ROYAL_MATCH_21,),
        games=frozenset({Game.BLACKJACK}),
        moment=Moment.AFTER_INITIAL_DEAL,
        outcomes=royal_match_21.PAID_OUTCOMES,
        optional=royal_match_21.OPTIONAL_OUTCOMES,
        requires=(WagerKind.BLACKJACK,),
    ),
}

WAGER_OF_KIND: Mapping[WagerKind, FixedOddsWager] = {
    kind: wager for wager, terms in CATALOGUE.items() for kind in terms.kinds
}
CATALOGUE_ORDER: Mapping[WagerKind, int] = {kind: place for place, kind in enumerate(WagerKind)}
"""Place of a wager among those of one position: base wagers first (T56)."""
