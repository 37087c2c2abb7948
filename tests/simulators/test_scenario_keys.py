from collections.abc import Iterator
from pathlib import Path

import pytest

from simulators.scenario import Readability, ScenarioError, UnreadableCard
from simulators.scenario_keys import (
    BadValueError,
    Keys,
    a_flag,
    a_place,
    a_printed_text,
    a_table,
    a_text,
    an_integer,
    read_file,
    read_rounds,
    shipped_in,
    some_cards,
    some_positions,
    some_tables,
    unreadable_card,
)


def test_a_key_is_taken_once_and_what_is_left_is_a_fault_with_the_nearest_that_exists() -> None:
    faults: list[str] = []
    keys = Keys({"count": 3, "cuont": 4, "zzz": 5}, "s.toml", faults)
    assert keys.take("count", a_place, otherwise=0) == 3
    assert keys.take("more", a_place, otherwise=7) == 7
    keys.refuse_others()
    assert faults == [
        "s.toml: cuont: no such key; did you mean count?",
        "s.toml: zzz: no such key; keys are count, more",
    ]
    assert not keys.sound


def test_a_value_that_cannot_be_parsed_is_a_fault_and_the_other_value_is_returned() -> None:
    faults: list[str] = []
    keys = Keys({"inner": {"count": "x"}}, "s.toml", faults)
    inner = keys.below("inner", keys.take("inner", a_table, otherwise={}))
    assert inner.take("count", a_place, otherwise=0) == 0
    assert faults == ["s.toml: inner: count: takes a whole number, 1 or more, not 'x'"]
    assert (inner.sound, keys.sound) == (False, True)


def test_what_is_no_value_of_its_kind_says_what_it_takes() -> None:
    for parse, value, message in (
        (a_text, 7, "takes a text, not 7"),
        (a_printed_text, "", "takes printable ASCII characters"),
        (a_flag, 1, "takes true or false, not 1"),
        (a_place, True, "takes a whole number, 1 or more, not True"),
        (lambda given: an_integer(given, least=0), -1, "0 or more, not -1"),
        (a_table, [], "takes a table in braces"),
        (some_tables, {}, "rounds are written under"),
        (some_positions, [1, 1], "names a position twice: 1, 1"),
        (some_cards, "Kx", "'Kx' is not a card"),
    ):
        with pytest.raises(BadValueError, match=message):
            parse(value)


def test_a_card_that_cannot_be_read_is_named_unless_it_says_otherwise() -> None:
    faults: list[str] = []
    assert unreadable_card(Keys({}, "s", faults)) is Readability.EVERY_CARD_READ
    table = {"unreadable": {"order": 2, "text": "?"}, "identify": False}
    assert unreadable_card(Keys(table, "s", faults)) == UnreadableCard(order=2, text="?", identified=False)
    assert faults == []


def titles(keys: Keys) -> Iterator[str]:
    text = keys.take("name", a_text, otherwise="")
    keys.refuse_others()
    if keys.sound:
        yield text


def test_rounds_are_read_in_order_and_every_fault_is_told() -> None:
    text = 'title = "t"\n[[round]]\nname = "a"\n[[round]]\nname = "b"\n'
    assert read_rounds(text, name="s.toml", read_round=titles) == ("t", ("a", "b"))
    assert read_rounds('[[round]]\nname = "a"\n', name="x/quiet.toml", read_round=titles)[0] == "quiet"
    broken = '[[round]]\nnme = "a"\n[[round]]\nname = 3\n'
    with pytest.raises(ScenarioError) as caught:
        read_rounds(broken, name="s.toml", read_round=titles)
    assert str(caught.value).splitlines() == [
        "s.toml: round 1: nme: no such key; did you mean name?",
        "s.toml: round 2: name: takes a text, not 3",
    ]
    for empty, message in (('title = "t"', "write at least one"), ("[[round", "not TOML")):
        with pytest.raises(ScenarioError, match=message):
            read_rounds(empty, name="s.toml", read_round=titles)


def test_a_file_that_cannot_be_read_names_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text("b")
    (tmp_path / "a.toml").write_text("a")
    assert [path.stem for path in shipped_in(tmp_path)] == ["a", "b"]
    assert read_file(tmp_path / "a.toml", tmp_path) == "a"
    with pytest.raises(ScenarioError, match="there are a, b"):
        read_file(tmp_path / "c.toml", tmp_path)
