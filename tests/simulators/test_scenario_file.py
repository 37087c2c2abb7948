from pathlib import Path

import pytest

from bridge.domain.cards import Card
from bridge.domain.wagers import BettingPosition
from simulators.scenario import ChipCount, HoleCardReaderUse, Readability, ScenarioError, UnreadableCard
from simulators.scenario_file import load_scenario, parse_scenario, shipped_scenarios
from simulators.scenario_keys import SCENARIOS

LAYOUT = tuple(BettingPosition(number) for number in range(1, 8))
EVERYTHING = """
title = "Everything at once"

[[round]]
blackjack = [1, 3]
progressive = [1]
hands = { 1 = "Ks Qs", 3 = "7h 2d" }
dealer = "9d 8c"
hits = "5c 9h"
dealer_hits = "4s"
late = [3]
count = 2
unreadable = { order = 4, text = "2?30" }
identify = false
hole_card_reader = "before_settlement"
"""
LEAST = """
[[round]]
blackjack = [2]
hands = { 2 = "Ks Qs" }
dealer = "9d 8c"
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, name="s.toml")
    return str(caught.value).splitlines()


def changed(old: str, new: str) -> str:
    assert old in EVERYTHING
    return EVERYTHING.replace(old, new)


def test_everything_that_a_round_can_say_is_read() -> None:
    scenario = parse_scenario(EVERYTHING, name="s.toml")
    (round_,) = scenario.rounds
    assert scenario.title == "Everything at once"
    assert (round_.blackjack, round_.progressive, round_.late) == ((1, 3), (1,), (3,))
    assert dict(round_.hands) == {
        1: (Card.parse("Ks"), Card.parse("Qs")),
        3: (Card.parse("7h"), Card.parse("2d")),
    }
    assert (str(round_.up_card), str(round_.hole_card)) == ("9d", "8c")
    assert ([str(card) for card in round_.hits], [str(card) for card in round_.dealer_hits]) == (
        ["5c", "9h"],
        ["4s"],
    )
    assert round_.counted == 2
    assert round_.unreadable == UnreadableCard(order=4, text="2?30", identified=False)
    assert round_.hole_card_reader is HoleCardReaderUse.BEFORE_SETTLEMENT


def test_what_is_left_out_has_its_ordinary_meaning() -> None:
    scenario = parse_scenario(LEAST, name="folder/quiet_round.toml")
    (round_,) = scenario.rounds
    assert scenario.title == "quiet_round"
    assert (round_.progressive, round_.late, round_.hits, round_.dealer_hits) == ((), (), (), ())
    assert round_.counted is ChipCount.AS_ACCEPTED
    assert round_.unreadable is Readability.EVERY_CARD_READ
    assert round_.hole_card_reader is HoleCardReaderUse.UNUSED


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("title = ", "titel = ", "s.toml: titel: no such key; did you mean title?"),
        ('"Everything at once"', "7", "s.toml: title: takes a text, not 7"),
        ("progressive = ", "progresive = ", "s.toml: round 1: progresive: no such key; did you mean progressive?"),
        ("progressive = [1]", "progressive = [1]\nxyz = 1", "round 1: xyz: no such key; keys are blackjack,"),
        ("blackjack = [1, 3]", "blackjack = [1, 1]", "round 1: blackjack: names a position twice: 1, 1"),
        ("blackjack = [1, 3]", "blackjack = [0]", "blackjack: takes a whole number, 1 or more, not 0"),
        ("blackjack = [1, 3]", "blackjack = [true]", "blackjack: takes a whole number, 1 or more, not True"),
        ("blackjack = [1, 3]", "blackjack = 1", "blackjack: takes positions in brackets, as in [1, 3], not 1"),
        ("blackjack = [1, 3]", "blackjack = []", "blackjack: nobody wagers; give at least one position"),
        (
            "blackjack = [1, 3]",
            "blackjack = [1]",
            "hands: there has to be a hand for each of the positions 1, and",
        ),
        ("Ks Qs", "Ks Qs Js", 'hands: position 1 takes its two initial cards, as in "Ks Qs"'),
        ("Ks Qs", "Kx Qs", "hands: 'Kx' is not a card; write rank A 2-9 T J Q K, then suit c d h s"),
        ("1 = ", "one = ", "hands: takes hands by position, as in 1 = \"Ks Qs\"; 'one' is no position"),
        ('{ 1 = "Ks Qs", 3 = "7h 2d" }', '"Ks Qs"', "hands: takes a table in braces, not 'Ks Qs'"),
        ("9d 8c", "9d", 'dealer: takes the up card and the hole card, as in "9d 8c"'),
        ('dealer = "9d 8c"', "", 'dealer: takes the up card and the hole card, as in "9d 8c"'),
        ("5c 9h", "5c 5c 5c 5c 5c 5c 5c", "hands: 5c is dealt 7 times; a shoe of 6 decks has it 6 times"),
        ("late = [3]", "reject = [3]", "reject: position 3 has no progressive wager, and so no claim"),
        ("late = [3]", "late = [1]", "late: position 1 cannot wager in time and too late in one round"),
        ("count = 2", "count = -1", "count: takes a whole number, 0 or more, not -1"),
        ("progressive = [1]", "progressive = []", "count: nothing is accepted, so there is nothing to count"),
        ("order = 4", "order = 7", "unreadable: order is the place among the 6 initial cards"),
        ("order = 4, ", "", "unreadable: takes { order = 4 }, and text if"),
        ("order = 4", "oder = 4", "unreadable: oder: no such key; did you mean order?"),
        ("2?30", "é", "unreadable: text: takes printable ASCII characters, at least one, not 'é'"),
        ("2?30", "", "unreadable: text: takes printable ASCII characters, at least one, not ''"),
        ("identify = false", 'identify = "no"', "identify: takes true or false, not 'no'"),
        (
            "before_settlement",
            "early",
            "hole_card_reader: takes one of unused, before_settlement, after_settlement",
        ),
        ("[[round]]", "[round]", "s.toml: round: rounds are written under [[round]], with two brackets"),
        ("[[round]]", "[[rounds]]", "s.toml: rounds: no such key; did you mean round?"),
    ],
)
def test_a_fault_is_reported_with_file_key_and_what_it_takes(old: str, new: str, fault: str) -> None:
    found = faults(changed(old, new))
    assert any(fault in line for line in found), found
    assert all(line.startswith("s.toml: ") for line in found)


def test_every_fault_is_reported_in_one_go() -> None:
    text = changed("late = [3]", "late = 3") + "\n[[round]]\nblackjack = []\n"
    assert [line.split(": ")[1:3] for line in faults(text)] == [
        ["round 1", "late"],
        ["round 2", "blackjack"],
        ["round 2", "dealer"],
    ]


def test_a_file_without_rounds_is_refused() -> None:
    assert faults('title = "nothing"') == ["s.toml: round: there is none; write at least one [[round]]"]


def test_what_is_not_toml_is_refused_with_its_place() -> None:
    (fault,) = faults("[[round]]\nblackjack = [1\nprogressive = 1\n")
    assert fault.startswith("s.toml: not TOML: ")
    assert "line 3" in fault


def test_a_file_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(
        ScenarioError, match=r"none\.toml: got 'No such file .*there are count_differs, crown_treasure"
    ):
        load_scenario(tmp_path / "none.toml")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match=r"s\.toml:1: got byte 0xff, which is not UTF-8"):
        load_scenario(tmp_path / "s.toml")


@pytest.mark.parametrize("path", shipped_scenarios(), ids=lambda path: path.stem)
def test_each_shipped_scenario_is_coherent_with_the_shipped_layout(path: Path) -> None:
    scenario = load_scenario(path)
    scenario.check_layout(LAYOUT)
    assert scenario.title != path.stem, "it has a title of its own"


def test_the_shipped_scenarios_are_those_of_the_demonstration() -> None:
    assert [path.stem for path in shipped_scenarios()] == [
        "count_differs",
        "crown_treasure",
        "late_wager",
        "lost",
        "rejected_claim",
        "royal_match_at_once",
        "royal_match_deferred",
        "straight_flush",
        "two_crown_treasures",
        "unreadable_card",
    ]
    assert all(path.parent == SCENARIOS for path in shipped_scenarios())
