from pathlib import Path

import pytest

from bridge.config.load import load_table
from bridge.domain.cards import Card
from bridge.domain.shoe import ShoeResult
from bridge.domain.wagers import WagerKind
from simulators.baccarat_scenario import Drawn, ExtraCard, NoCard, ShoeSays
from simulators.baccarat_scenario_file import (
    load_baccarat_scenario,
    parse_baccarat_scenario,
    shipped_baccarat_scenarios,
)
from simulators.scenario import Readability, ScenarioError, UnreadableCard

TABLES = Path(__file__).parents[2] / "simulators" / "tables"
NAMES = ("minibaccarat", "minibaccarat_ez", "baccarat")
EVERYTHING = """
title = "Everything at once"

[[round]]
wagers = { 1 = ["player"], 3 = ["banker", "golden_talons_banker"] }
amounts = { 1 = { player = 2500 }, 3 = { banker = 1000 } }
player = "Ks Kd Tc"
banker = "Kh 3s 4d"
burned = "3c 9h 9d 2s"
late = { 2 = ["tie"] }
card_before_lock_out = true
unreadable = { order = 5 }
identify = false
wrong_hand = true
extra_card = "5h"
shoe_says = "banker"
cut_card = true
void = "misdeal"
"""
LEAST = """
[[round]]
wagers = { 2 = ["player"] }
shoe = "9s 5c Kd 3d"
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        parse_baccarat_scenario(text, name="s.toml")
    return str(caught.value).splitlines()


def test_everything_that_a_round_can_say_is_read() -> None:
    scenario = parse_baccarat_scenario(EVERYTHING, name="s.toml")
    (round_,) = scenario.rounds
    assert scenario.title == "Everything at once"
    assert round_.wagers == (
        (1, WagerKind.PLAYER),
        (3, WagerKind.BANKER),
        (3, WagerKind.GOLDEN_TALONS_BANKER),
    )
    assert round_.amounts == {(1, WagerKind.PLAYER): 2500, (3, WagerKind.BANKER): 1000}
    assert [str(card) for card in (*round_.player, *round_.banker)] == ["Ks", "Kd", "Tc", "Kh", "3s", "4d"]
    assert [str(card) for card in round_.burned] == ["3c", "9h", "9d", "2s"]
    assert round_.late == ((2, WagerKind.TIE),)
    assert round_.unreadable == UnreadableCard(order=5, identified=False)
    assert round_.extra_card == ExtraCard(card=Card.parse("5h"), drawn=Drawn.DEALT)
    assert round_.shoe_says is ShoeResult.BANKER
    assert round_.void == "misdeal"
    assert all((round_.card_before_lock_out, round_.wrong_hand, round_.cut_card))


def test_what_is_left_out_has_its_ordinary_meaning() -> None:
    scenario = parse_baccarat_scenario(LEAST, name="folder/quiet_round.toml")
    (round_,) = scenario.rounds
    assert scenario.title == "quiet_round"
    assert ([str(card) for card in round_.player], [str(card) for card in round_.banker]) == (
        ["9s", "Kd"],
        ["5c", "3d"],
    )
    assert (round_.late, round_.burned, round_.void, round_.amounts) == ((), (), "", {})
    assert round_.extra_card is NoCard.NONE
    assert round_.unreadable is Readability.EVERY_CARD_READ
    assert round_.shoe_says is ShoeSays.WHAT_THE_CARDS_COME_TO
    assert (round_.cut_card, round_.wrong_hand, round_.card_before_lock_out) == (False, False, False)


def test_a_card_too_many_may_be_an_overdraw() -> None:
    text = LEAST + 'overdrawn_card = "5h"\n'
    (round_,) = parse_baccarat_scenario(text, name="s.toml").rounds
    assert round_.extra_card == ExtraCard(card=Card.parse("5h"), drawn=Drawn.OVERDRAWN)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("wagers = ", "wager = ", "s.toml: round 1: wager: no such key; did you mean wagers?"),
        ('1 = ["player"]', '1 = "player"', 'wagers: position 1 takes wagers in brackets, as in ["player"]'),
        ('1 = ["player"]', '1 = ["playr"]', "wagers: takes one of blackjack, royal_match_progressive,"),
        ('1 = ["player"]', '1 = ["player", "player"]', "wagers: names a wager of a position twice"),
        ('1 = ["player"]', 'one = ["player"]', "wagers: goes by position, as in 1 = ...; 'one' is no position"),
        ("player = 2500", "player = 0", "amounts: takes a whole number, 1 or more, not 0"),
        ("player = 2500", "tie = 2500", "amounts: tie at position 1: no such wager is in wagers"),
        ('2 = ["tie"]', '1 = ["player"]', "late: player at position 1: in time and too late in one round"),
        ("Ks Kd Tc", "Ks Kx Tc", "player: 'Kx' is not a card"),
        (
            '"Ks Kd Tc"\nbanker = "Kh 3s 4d"',
            '"Ks Kd"\nbanker = "Kh 3s"',
            "wrong_hand: no third card is dealt",
        ),
        ('void = "misdeal"', "", "void: the hands are not as the rules have them; say why"),
        ("order = 5", "order = 6", "unreadable: order is the place among the 5 cards that are dealt"),
        ("3c 9h 9d 2s", "3c 3c 3c 3c 3c 3c 3c 3c 3c", "player: 3c is dealt 9 times; a shoe of 8 decks has it 8"),
        ('extra_card = "5h"', 'extra_card = "5h 6h"', "extra_card: takes one card, not '5h 6h'"),
        ('extra_card = "5h"', 'extra_card = "5h"\noverdrawn_card = "5h"', "overdrawn_card: one card too many is"),
        (
            'shoe_says = "banker"',
            'shoe_says = "nobody"',
            "shoe_says: takes one of player, tie, banker, forced_end",
        ),
        ('player = "Ks Kd Tc"', 'shoe = "9s 5c Kd 3d"', "player: give the hands in player and banker, or the"),
        ("cut_card = true", 'cut_card = "yes"', "cut_card: takes true or false, not 'yes'"),
    ],
)
def test_a_fault_is_reported_with_file_key_and_what_it_takes(old: str, new: str, fault: str) -> None:
    assert old in EVERYTHING
    found = faults(EVERYTHING.replace(old, new))
    assert any(fault in line for line in found), found
    assert all(line.startswith("s.toml: ") for line in found)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (LEAST.replace('wagers = { 2 = ["player"] }', "wagers = {}"), "wagers: nobody wagers; give at least one"),
        (LEAST.replace("9s 5c Kd 3d", "9s 5c Kd"), "shoe: 3 cards do not finish the hands"),
        (LEAST.replace("9s 5c Kd 3d", "9s 5c Kd 3d 4d"), "shoe: the hands take 4 cards; write one too many as"),
        (LEAST.replace('shoe = "9s 5c Kd 3d"', ""), "player: give the hands in player and banker, or the cards"),
        (
            LEAST.replace('shoe = "9s 5c Kd 3d"', 'player = "9s Kd 2c"\nbanker = "5c 3d"'),
            "void: the hands are not",
        ),
        (LEAST.replace('shoe = "9s 5c Kd 3d"', 'player = "2s 3d"\nbanker = "5c"'), "void: the hands are not"),
    ],
)
def test_cards_that_cannot_be_played_are_refused(text: str, fault: str) -> None:
    assert [line for line in faults(text) if fault in line]


@pytest.mark.parametrize("table", NAMES)
def test_each_shipped_scenario_is_coherent_with_its_table(table: str) -> None:
    setup = load_table(TABLES / f"{table}.toml").setup
    shipped = shipped_baccarat_scenarios(table)
    assert shipped
    for path in shipped:
        scenario = load_baccarat_scenario(path)
        scenario.check_layout(setup.deal_order, [offered.kind for offered in setup.offered])
        assert scenario.title != path.stem, "it has a title of its own"


def test_a_file_that_is_not_there_is_refused_with_those_beside_it(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(LEAST)
    with pytest.raises(ScenarioError, match=r"none\.toml: got 'No such file .*there are one"):
        load_baccarat_scenario(tmp_path / "none.toml")
