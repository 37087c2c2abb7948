"""How each wager of baccarat ends: the one place that asks every wager's own file.

Settlement and the exact mathematics ask the same functions, so what pays is what was proven.
"""

from collections.abc import Container, Sequence
from typing import assert_never

from bridge.domain.cards import Card
from bridge.domain.rounds import House
from bridge.domain.wagers import WagerKind
from bridge.rules import banker, dragon_7, golden_talons, majestic_match, panda_8, player, tie
from bridge.rules.baccarat import INITIAL_CARDS, FinalHands
from bridge.rules.golden_talons import TalonsOnDragon7

HAND_OF: dict[WagerKind, House] = {
    WagerKind.GOLDEN_TALONS_PLAYER: House.PLAYER,
    WagerKind.GOLDEN_TALONS_BANKER: House.BANKER,
    WagerKind.MAJESTIC_MATCH_PLAYER: House.PLAYER,
    WagerKind.MAJESTIC_MATCH_BANKER: House.BANKER,
}
"""The hand that a side wager is on."""


def after_four_cards(kind: WagerKind, player_cards: Sequence[Card], banker_cards: Sequence[Card]) -> str:
    """Return how a wager on the initial cards ends; raise ``KeyError`` for another wager."""
    cards = player_cards if HAND_OF[kind] is House.PLAYER else banker_cards
    first, second = cards[:INITIAL_CARDS]
    return majestic_match.evaluate(first, second).value


def after_result(
    kind: WagerKind, hands: FinalHands, rows: Container[str], *, ez: bool, on_dragon_7: TalonsOnDragon7
) -> str:
    """Return how a wager on the result ends under a paytable with these rows; ``KeyError`` for another wager."""
    match kind:
        case WagerKind.PLAYER:
            return player.evaluate(hands).value
        case WagerKind.BANKER:
            return banker.evaluate(hands, ez=ez, rows=rows).value
        case WagerKind.TIE:
            return tie.evaluate(hands).value
        case WagerKind.DRAGON_7:
            return dragon_7.evaluate(hands).value
        case WagerKind.PANDA_8:
            return panda_8.evaluate(hands).value
        case WagerKind.GOLDEN_TALONS_PLAYER | WagerKind.GOLDEN_TALONS_BANKER:
            return golden_talons.evaluate(HAND_OF[kind], hands, on_dragon_7).value
        case (
            WagerKind.MAJESTIC_MATCH_PLAYER
            | WagerKind.MAJESTIC_MATCH_BANKER
            | WagerKind.ROYAL_MATCH_21
            | WagerKind.ROYAL_MATCH_PROGRESSIVE
            | WagerKind.BLACKJACK
        ):
            raise KeyError(kind)
        case _:
            assert_never(kind)
