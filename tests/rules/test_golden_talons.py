from itertools import product

import pytest

from bridge.domain.rounds import House
from bridge.rules.baccarat import FinalHands
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.golden_talons import GoldenTalonsOutcome, TalonsOnDragon7, evaluate
from tests.rules.baccarat_cases import (
    BaccaratCase,
    as_fractions,
    baccarat_cases,
    round_of,
    wager_in_the_terms_of_a_case,
)
from tests.rules.baccarat_rounds import Coup, a_baccarat_submission, ends

NO_DRAGON = TalonsOnDragon7.NOT_ANNOUNCED
PRINTED = {
    "win_by_9": (30, 20, 30, 20, 30),
    "win_by_8": (10, 10, 12, 8, 10),
    "win_by_7": (6, 5, 5, 7, 4),
    "win_by_6": (4, 4, 3, 4, 4),
    "win_by_5": (2, 2, 3, 3, 2),
    "win_by_4": (1, 1, 1, 1, 2),
    "natural_win": (1, 1, 1, 1, 1),
    "natural_tie": (0, 2, 0, 0, 0),
}
"""§ 627b.5(f): what each row pays to one under A to E; 0 is a push."""
HANDS = {
    "win_by_9": ("2c 3d 4h", "Kc Qd Kh", "2c 3d 4h", "Kc Ad Kh"),
    "win_by_8": ("2c 3d 4h", "Kc Ad Kh", "2c 3d 4h", "Ac Ad Kh"),
    "win_by_7": ("2c 3d 4h", "Ac Ad Kh", "2c 3d 3h", "Ac Ad Kh"),
    "win_by_6": ("2c 3d 3h", "Ac Ad Kh", "2c 3d 2h", "Ac Ad Kh"),
    "win_by_5": ("2c 3d 2h", "Ac Ad Kh", "2c 3d Ah", "Ac Ad Kh"),
    "win_by_4": ("2c 3d Ah", "Ac Ad Kh", "2c 3d Ah", "Ac Ad Ah"),
    "natural_win": ("8c Kd", "7c Kd", "7c Kd", "6c Kd"),
    "natural_tie": ("8c Kd", "8d Kc", "7c Kd", "7d Kc"),
}
"""Player's and Banker's Hand with which the row is won on the Player's, and with which it just is not."""
NEXT = {"win_by_9": "win_by_8", "win_by_8": "win_by_7", "win_by_7": "win_by_6", "win_by_6": "win_by_5",
        "win_by_5": "win_by_4", "win_by_4": "win_by_less_than_4", "natural_win": "win_by_less_than_4",
        "natural_tie": "tie_not_natural"}  # fmt: skip


def settled(player: str, banker: str, letter: str) -> tuple[str, str, int]:
    """Return outcome, odds and profit of the wager on the Player's Hand."""
    submission = a_baccarat_submission(letters={FixedOddsWager.GOLDEN_TALONS: letter})
    coup = Coup(player=player, banker=banker, wagers={1: {"tie": 100, "golden_talons_player": 100}})
    (end,) = [one for (_, kind), one in ends(coup.settled(submission)).items() if kind != "tie"]
    assert isinstance(end.paid, int)
    return end.outcome, end.result.value if end.result != "win" else str(end.odds), end.paid


@pytest.mark.parametrize(("row", "letter"), list(product(PRINTED, "ABCDE")))
def test_627b_5_f_every_cell_is_paid_and_just_not_paid(row: str, letter: str) -> None:
    pays = PRINTED[row]["ABCDE".index(letter)]
    player, banker, near_player, near_banker = HANDS[row]
    words = f"{pays} to 1" if pays else "push"
    assert settled(player, banker, letter) == (row, words, 100 * pays)
    outcome, _, paid = settled(near_player, near_banker, letter)
    assert outcome == NEXT[row]
    assert paid == 100 * PRINTED.get(outcome, (0,) * 5)["ABCDE".index(letter)]


@pytest.mark.parametrize("margin", range(1, 10))
def test_627b_5_e_1_wins_by_four_or_more_on_either_hand(margin: int) -> None:
    name = f"win_by_{margin}" if margin >= 4 else "win_by_less_than_4"
    assert evaluate(House.PLAYER, FinalHands(margin, 3, 0, 3), NO_DRAGON) == name
    assert evaluate(House.BANKER, FinalHands(0, 3, margin, 3), NO_DRAGON) == name
    assert evaluate(House.PLAYER, FinalHands(0, 3, margin, 3), NO_DRAGON) == "hand_lost"
    assert evaluate(House.BANKER, FinalHands(margin, 3, 0, 3), NO_DRAGON) == "hand_lost"


@pytest.mark.parametrize("other", range(8))
def test_627b_5_g_t30_a_natural_win_pays_one_to_one_whatever_the_margin(other: int) -> None:
    assert evaluate(House.PLAYER, FinalHands(9, 2, other, 2), NO_DRAGON) is GoldenTalonsOutcome.NATURAL_WIN
    assert evaluate(House.BANKER, FinalHands(other, 2, 8, 2), NO_DRAGON) is GoldenTalonsOutcome.NATURAL_WIN


def test_t31_nine_against_eight_is_a_natural_win_and_a_lost_hand() -> None:
    hands = FinalHands(9, 2, 8, 2)
    assert evaluate(House.PLAYER, hands, NO_DRAGON) is GoldenTalonsOutcome.NATURAL_WIN
    assert evaluate(House.BANKER, hands, NO_DRAGON) is GoldenTalonsOutcome.HAND_LOST


@pytest.mark.parametrize("hand", [House.PLAYER, House.BANKER])
def test_t32_t33_equal_counts_win_nothing_unless_both_hands_are_naturals(hand: House) -> None:
    assert evaluate(hand, FinalHands(9, 2, 9, 2), NO_DRAGON) is GoldenTalonsOutcome.NATURAL_TIE
    assert evaluate(hand, FinalHands(9, 3, 9, 3), NO_DRAGON) is GoldenTalonsOutcome.TIE_NOT_NATURAL
    assert evaluate(hand, FinalHands(6, 2, 6, 2), NO_DRAGON) is GoldenTalonsOutcome.TIE_NOT_NATURAL


@pytest.mark.parametrize(
    ("on_dragon_7", "found"),
    [
        (TalonsOnDragon7.WINS, "win_by_7"),
        (TalonsOnDragon7.NOT_ANNOUNCED, "win_by_7"),
        (TalonsOnDragon7.LOSES, "dragon_7_not_a_win"),
    ],
)
def test_t35_what_a_dragon_7_is_to_the_bankers_hand_is_filed(on_dragon_7: TalonsOnDragon7, found: str) -> None:
    assert evaluate(House.BANKER, FinalHands(0, 3, 7, 3), on_dragon_7) == found
    assert evaluate(House.BANKER, FinalHands(0, 3, 7, 2), on_dragon_7) == "win_by_7"
    assert evaluate(House.PLAYER, FinalHands(0, 3, 7, 3), on_dragon_7) == "hand_lost"


@pytest.mark.parametrize("case", baccarat_cases("golden_talons"), ids=str)
def test_627b_5_e_f_g_a_case(case: BaccaratCase) -> None:
    letters = {FixedOddsWager.GOLDEN_TALONS: case.given["paytable"]}
    beside = {"position": 1, "wagers": {**case.given["wagers"], "tie": 100}}
    coup = round_of(case.given, [beside])
    found = ends(coup.settled(a_baccarat_submission(letters=letters))).values()
    told = {entry["wager"]: entry for entry in map(wager_in_the_terms_of_a_case, found)}
    assert {name: told[name] for name in case.given["wagers"]} == as_fractions(case.expected["wagers"])
