"""What a wager of fixed odds returns: the probability of every outcome, and the house advantage."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from bridge.domain.wagers import WagerKind
from bridge.house_advantage.baccarat import every_result, ways_in_all
from bridge.house_advantage.shoes import cards_in, two_cards, ways_to_draw
from bridge.rules import baccarat_wagers, royal_match_21
from bridge.rules.baccarat import INITIAL_CARDS
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.odds import gain
from bridge.rules.paytable import Paytable

NO_VIGORISH = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseAdvantage:
    """The figures of one wager under one paytable."""

    wager: WagerKind
    paytable: str
    decks: int
    outcomes: Mapping[str, Fraction]
    """The probability of each outcome that can happen; they add up to one."""
    returned: Fraction
    """What comes back of each unit wagered, the wager itself included."""

    @property
    def house_advantage(self) -> Fraction:
        """What the house keeps of each unit wagered; a push counts as wagered."""
        return 1 - self.returned


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """What a baccarat table files besides its paytables, as far as it changes a figure."""

    ez: bool = False
    vigorish_rate: Fraction = NO_VIGORISH
    """Part of what the Banker wager wins, before any rounding to chips."""
    on_dragon_7: TalonsOnDragon7 = TalonsOnDragon7.NOT_ANNOUNCED


def of_result_wager(kind: WagerKind, paytable: Paytable, decks: int, rules: TableRules) -> HouseAdvantage:
    """Return the figures of a wager on the result of a round of baccarat, from a full shoe.

    Raises ``KeyError`` for another wager, ``ShoeError`` for a shoe that does not exist.
    """
    ends = (
        (
            baccarat_wagers.after_result(kind, hands, paytable.odds, ez=rules.ez, on_dragon_7=rules.on_dragon_7),
            ways,
        )
        for hands, ways in every_result(decks).items()
    )
    vigorish = rules.vigorish_rate if kind is WagerKind.BANKER else NO_VIGORISH
    return _figures(kind, paytable, decks, _probabilities(ends, ways_in_all(decks)), vigorish)


def of_two_card_wager(kind: WagerKind, paytable: Paytable, decks: int) -> HouseAdvantage:
    """Return the figures of Majestic Match on either hand, or of Royal Match 21, from a full shoe.

    Raises ``KeyError`` for another wager, ``ShoeError`` for a shoe that does not exist.
    """
    ends = (
        (
            royal_match_21.evaluate(first, second, paytable.odds).value
            if kind is WagerKind.ROYAL_MATCH_21
            else baccarat_wagers.after_four_cards(kind, (first, second), (first, second)),
            ways,
        )
        for first, second, ways in two_cards(decks)
    )
    outcomes = _probabilities(ends, ways_to_draw(cards_in(decks), INITIAL_CARDS))
    return _figures(kind, paytable, decks, outcomes, NO_VIGORISH)


def _probabilities(ends: Iterable[tuple[str, int]], in_all: int) -> dict[str, Fraction]:
    """Return the probability of each outcome from the ways it can come about."""
    found: dict[str, int] = {}
    for outcome, ways in ends:
        found[outcome] = found.get(outcome, 0) + ways
    return {outcome: Fraction(ways, in_all) for outcome, ways in found.items()}


def _figures(
    kind: WagerKind, paytable: Paytable, decks: int, outcomes: Mapping[str, Fraction], vigorish: Fraction
) -> HouseAdvantage:
    returned = Fraction(0)
    for outcome, probability in outcomes.items():
        odds = paytable.odds.get(outcome)
        if odds is not None:
            won = gain(odds)
            returned += probability * (1 + won - won * vigorish)
    return HouseAdvantage(wager=kind, paytable=paytable.name, decks=decks, outcomes=outcomes, returned=returned)
