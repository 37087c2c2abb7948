import pytest

from bridge.domain.rounds import House
from bridge.domain.wagers import WagerKind
from bridge.rules.baccarat import FinalHands
from bridge.rules.baccarat_wagers import HAND_OF, after_four_cards, after_result
from bridge.rules.golden_talons import TalonsOnDragon7
from tests.rules.test_baccarat import cards

DRAGON = FinalHands(0, 3, 7, 3)
PANDA = FinalHands(8, 3, 6, 3)
EARLY = {WagerKind.MAJESTIC_MATCH_PLAYER, WagerKind.MAJESTIC_MATCH_BANKER}
OTHER_GAMES = {WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.ROYAL_MATCH_21}


def end(kind: WagerKind, hands: FinalHands, *, ez: bool = True) -> str:
    return after_result(kind, hands, frozenset(), ez=ez, on_dragon_7=TalonsOnDragon7.LOSES)


@pytest.mark.parametrize(
    ("kind", "on_dragon", "on_panda"),
    [
        (WagerKind.PLAYER, "banker_won", "player_won"),
        (WagerKind.BANKER, "dragon_7", "player_won"),
        (WagerKind.TIE, "banker_won", "player_won"),
        (WagerKind.DRAGON_7, "dragon_7", "not_dragon_7"),
        (WagerKind.PANDA_8, "not_panda_8", "panda_8"),
        (WagerKind.GOLDEN_TALONS_PLAYER, "hand_lost", "win_by_less_than_4"),
        (WagerKind.GOLDEN_TALONS_BANKER, "dragon_7_not_a_win", "hand_lost"),
    ],
)
def test_every_wager_on_the_result_asks_its_own_file(kind: WagerKind, on_dragon: str, on_panda: str) -> None:
    assert (end(kind, DRAGON), end(kind, PANDA)) == (on_dragon, on_panda)


def test_627a_11_a_a_table_that_is_no_ez_table_pays_the_banker_wager() -> None:
    assert end(WagerKind.BANKER, DRAGON, ez=False) == "banker_won"


def test_631c_7_b_r6_each_wager_looks_at_the_first_two_cards_of_its_own_hand() -> None:
    player, banker = cards("Kd Qd 2d"), cards("4s 9h 9s")
    assert after_four_cards(WagerKind.MAJESTIC_MATCH_PLAYER, player, banker) == "royal_match"
    assert after_four_cards(WagerKind.MAJESTIC_MATCH_BANKER, player, banker) == "no_match"
    assert set(HAND_OF.values()) == {House.PLAYER, House.BANKER}


@pytest.mark.parametrize("kind", sorted(EARLY | OTHER_GAMES))
def test_a_wager_that_is_not_on_the_result_has_no_end_here(kind: WagerKind) -> None:
    with pytest.raises(KeyError):
        end(kind, DRAGON)
    if kind in OTHER_GAMES:
        with pytest.raises(KeyError):
            after_four_cards(kind, cards("Kd Qd"), cards("4s 9h"))
