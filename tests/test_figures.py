"""The figures an operator checks a paytable by."""

from fractions import Fraction
from pathlib import Path

import pytest

from bridge import figures
from bridge.domain.rounds import House
from bridge.domain.wagers import WagerKind
from bridge.figures import NoSuchPaytableError, Question, answers, decimal

PUBLISHED = [
    (Question(wager="golden_talons", paytable="A", hand=House.PLAYER), "0.026516745320"),
    (Question(wager="golden_talons", paytable="A", hand=House.BANKER), "0.093730740125"),
    (Question(wager="dragon_7"), "0.076113344724"),
    (Question(wager="panda_8"), "0.101876321693"),
    (Question(wager="majestic_match", hand=House.PLAYER), "0.064596848934"),
    (Question(wager="player"), "0.012350813289"),
    (Question(wager="banker"), "0.010579057842"),
    (Question(wager="banker", vigorish=Fraction(4, 100)), "0.00599"),
    (Question(wager="banker", ez=True), "0.01018"),
    (Question(wager="tie", paytable="A"), "0.143596287787"),
]


@pytest.mark.parametrize(("question", "expected"), PUBLISHED, ids=lambda value: getattr(value, "wager", value))
def test_the_figures_are_the_published_ones(question: Question, expected: str) -> None:
    (answer,) = answers(question)

    assert decimal(answer.house_advantage).startswith(expected)
    assert sum(answer.outcomes.values()) == 1


def test_627b_5_f_every_paytable_is_told_on_both_hands() -> None:
    found = list(answers(Question(wager="golden_talons")))

    assert [(answer.paytable, answer.hand) for answer in found] == [
        (letter, hand) for letter in "ABCDE" for hand in ("player", "banker")
    ]


def test_633b_18_the_progressive_has_a_break_even_meter_by_number_of_players() -> None:
    one, seven = (next(answers(Question(wager="royal_match_progressive", players=number))) for number in (1, 7))

    assert decimal(one.house_advantage) == "0.233816580590"
    assert one.more["break_even_meter"] > seven.more["break_even_meter"] > 10_000
    assert set(one.outcomes) == {"crown_treasure", "royal_match", "straight_flush", "no_match"}
    assert sum(one.outcomes.values()) == 1


def test_what_a_program_reads_is_text_so_that_nothing_is_rounded() -> None:
    (answer,) = answers(Question(wager="tie", paytable="A", decks=2))
    data = answer.as_data()

    assert data["house_advantage"] == "18996096/126448465"
    assert list(data)[:7] == ["wager", "paytable", "hand", "decks", "outcomes", "house_advantage", "decimal"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (Question(wager="golden_talon"), "golden_talons"),
        (Question(wager="golden_talons", paytable="F"), "has no paytable 'F'"),
        (Question(wager="royal_match_progressive", paytable="B"), "has no paytable 'B'"),
    ],
)
def test_a_wager_or_paytable_that_is_not_there_is_told_with_those_that_are(question: Question, told: str) -> None:
    with pytest.raises(NoSuchPaytableError, match=told):
        list(answers(question))


def test_a_paytable_that_leaves_its_meter_to_the_tables_has_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    paytables = Path(__file__).parent / "rulebook" / "open_paytables.toml"
    monkeypatch.setattr(figures, "installed_paytables", lambda: {WagerKind.ROYAL_MATCH_PROGRESSIVE: paytables})
    with pytest.raises(
        NoSuchPaytableError, match="paytable Y of royal_match_progressive leaves its meter to each"
    ):
        list(answers(Question(wager="royal_match_progressive", paytable="Y")))


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(1, 3), "0.333333333333"), (Fraction(-1, 8), "-0.125000000000"), (Fraction(5), "5.000000000000")],
)
def test_decimals_are_printed_to_twelve_places(value: Fraction, text: str) -> None:
    assert decimal(value) == text
