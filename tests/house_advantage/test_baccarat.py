import pytest

from bridge.domain.cards import Card
from bridge.domain.rounds import House
from bridge.domain.settlements import EzResult, Winner
from bridge.house_advantage.baccarat import every_result, ways_in_all
from bridge.house_advantage.shoes import classes, ways_to_draw
from bridge.rules.baccarat import FinalHands, final_hands, next_holder, point_value
from bridge.rules.ez_baccarat import ez_result
from tests.rules.baccarat_cases import BaccaratCase, baccarat_cases

WINNERS = {"player": Winner.PLAYER, "banker": Winner.BANKER, "tie": Winner.TIE_HAND}
SPECIALS = {"dragon7": EzResult.DRAGON_7, "panda8": EzResult.PANDA_8}
COMBINATIONS = [case for case in baccarat_cases("figures") if case.given["wager"] == "combinations"]


def ways_of(what: str, decks: int) -> int:
    results = every_result(decks).items()
    if what in WINNERS:
        return sum(ways for hands, ways in results if hands.winner is WINNERS[what])
    return sum(ways for hands, ways in results if ez_result(hands) is SPECIALS[what])


@pytest.mark.parametrize(
    ("what", "ways"),
    [
        ("banker", 2_292_252_566_437_888),
        ("player", 2_230_518_282_592_256),
        ("tie", 475_627_426_473_216),
        ("dragon7", 112_633_011_329_024),
    ],
)
def test_the_published_combinations_of_eight_decks(what: str, ways: int) -> None:
    assert ways_of(what, 8) == ways
    assert ways_in_all(8) == 4_998_398_275_503_360


@pytest.mark.parametrize("case", COMBINATIONS, ids=str)
def test_a_case_of_combinations(case: BaccaratCase) -> None:
    assert ways_of(case.given["of"], case.given["decks"]) == case.expected["exact"]


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_every_deal_is_counted_once(decks: int) -> None:
    assert sum(every_result(decks).values()) == ways_in_all(decks)
    assert min(every_result(decks).values()) > 0


class Walk:
    """Every deal of one deck, the rules asked at every card."""

    def __init__(self) -> None:
        alike = classes(1, point_value)
        self.cards = [card for card, _ in alike]
        self.held = [held for _, held in alike]
        self.found: dict[FinalHands, int] = {}

    def on(self, player: tuple[Card, ...], banker: tuple[Card, ...], ways: int) -> None:
        due = next_holder(player, banker)
        if not isinstance(due, House):
            hands = final_hands(player, banker)
            rest = ways_to_draw(sum(self.held), 6 - len(player) - len(banker))
            self.found[hands] = self.found.get(hands, 0) + ways * rest
            return
        for place, card in enumerate(self.cards):
            if left := self.held[place]:
                self.held[place] -= 1
                if due is House.PLAYER:
                    self.on((*player, card), banker, ways * left)
                else:
                    self.on(player, (*banker, card), ways * left)
                self.held[place] += 1


def test_a_walk_card_by_card_comes_to_the_same() -> None:
    """The enumeration asks the rules once for each pair of Point Counts; the walk assumes nothing of them."""
    walk = Walk()
    walk.on((), (), 1)
    assert walk.found == every_result(1)
