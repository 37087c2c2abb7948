from dataclasses import replace
from pathlib import Path

import pytest

from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.contracts.author import Author
from bridge.contracts.envelopes import RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.dashboard.shoe import ROUNDS_MAX, HeardShoe
from bridge.domain.identity import RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.rounds import Round
from bridge.scoreboard.rounds import scored_rounds
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.scenario_keys import SCENARIOS
from tests.contracts.samples import VIEW
from tests.dashboard.baccarat import a_settled_round
from tests.simulators.little_bridge import DEMONSTRATION
from tests.whole_table import whole


class Table:
    """The voice of a table, and the shoe as it was heard."""

    def __init__(self, shoe: HeardShoe | None = None) -> None:
        self.shoe = shoe or HeardShoe()
        self._author = Author("table", SystemClock())
        self._named = {"table": TableId("mb-1"), "sequence": Sequence(1)}

    def started_again(self) -> "Table":
        """Return the table as a daemon tells it that started later; the shoe was heard by the same."""
        again = Table(self.shoe)
        again._author.epoch = Timestamp(self._author.epoch + 1)
        return again

    def open(self, number: int) -> None:
        round_, _ = a_settled_round("B", number)
        self.say_round(replace(round_, hands=()))

    def say_round(self, round_: Round) -> None:
        self.shoe.take(self._author.stamp(RoundEnvelope, **self._named, round=round_))

    def play(self, letters: str, first: int) -> None:
        for number, letter in enumerate(letters, start=first):
            round_, settlement = a_settled_round(letter, number)
            self.say_round(round_)
            self.shoe.take(
                self._author.stamp(
                    SettlementEnvelope, **self._named, settlement=settlement, awards=(), complete=False
                )
            )

    def say_shoe(self, number: int, *, in_round: int) -> None:
        view = replace(VIEW, shoe_number=number, round_number=RoundNumber(in_round))
        self.shoe.take(self._author.stamp(TableEnvelope, **self._named, view=view))

    def numbers(self) -> list[int]:
        return [round_.number for round_, _ in self.shoe.shoe()]


def test_a_round_is_kept_as_soon_as_the_next_one_begins() -> None:
    table = Table()
    table.play("BPT", first=4)
    assert table.numbers() == [4, 5]

    table.open(7)

    assert table.numbers() == [4, 5, 6]
    assert table.shoe.since() == 4


def test_another_shoe_begins_empty_and_is_known_from_its_beginning() -> None:
    table = Table()
    table.say_shoe(1, in_round=4)
    table.play("BP", first=4)
    table.open(6)
    table.say_shoe(2, in_round=6)
    assert table.numbers() == []
    assert table.shoe.since() is None

    table.play("PP", first=6)

    assert table.numbers() == [6]
    assert table.shoe.since() is None


def test_the_last_round_of_a_shoe_is_not_counted_to_the_next_whichever_is_heard_first() -> None:
    table = Table()
    table.say_shoe(1, in_round=4)
    table.play("BP", first=4)
    table.say_shoe(2, in_round=6)
    table.open(6)

    assert table.numbers() == []


@pytest.mark.parametrize("missed", [6, 9])
def test_T54_rounds_that_were_missed_take_away_those_before_them(missed: int) -> None:
    table = Table()
    table.play("BP", first=4)
    table.play("PPB", first=missed + 1)

    assert table.numbers() == [missed + 1, missed + 2]
    assert table.shoe.since() == missed + 1


def test_T54_a_round_whose_result_was_missed_takes_away_those_before_it() -> None:
    table = Table()
    table.play("BP", first=4)
    round_, _ = a_settled_round("B", 6)
    table.say_round(round_)
    table.play("BB", first=7)

    assert table.numbers() == [7]
    assert table.shoe.since() == 7


def test_rounds_that_were_voided_or_never_dealt_are_no_gap() -> None:
    table = Table()
    table.play("B", first=4)
    round_, _ = a_settled_round("P", 5)
    table.say_round(replace(round_, voided=True))
    table.open(6)
    table.play("TB", first=7)

    assert table.numbers() == [4, 7]
    assert table.shoe.since() == 4


def test_a_late_word_about_an_earlier_round_changes_nothing() -> None:
    table = Table()
    table.play("BPT", first=4)
    table.open(4)
    table.open(7)

    assert table.numbers() == [4, 5, 6]


def test_a_table_that_never_changes_its_shoe_is_not_kept_for_ever() -> None:
    table = Table()
    table.play("B" * (ROUNDS_MAX + 5), first=1)

    assert len(table.shoe.shoe()) == ROUNDS_MAX


async def test_a_shoe_is_followed_over_its_change_at_a_table_of_real_parts(tmp_path: Path) -> None:
    """The first of three rounds ends its shoe; before the next one the key of a new shoe is pressed."""
    rounds = [
        script
        for name in ("vigorish", "tie_hand")
        for script in load_baccarat_scenario(SCENARIOS / "minibaccarat" / f"{name}.toml").rounds
    ]
    shoe = HeardShoe()
    async with whole(tmp_path, load_table(DEMONSTRATION.parent / "minibaccarat.toml")) as there:
        for script in rounds:
            await there.baccarat_people.play(script)
        said = there.envelopes()
    for envelope in said:
        shoe.take(envelope)

    first = next(envelope.round.number for envelope in said if isinstance(envelope, RoundEnvelope))
    assert [one.number for one in scored_rounds(shoe.shoe())] == [first + 1, first + 2]
    assert shoe.since() is None


def test_T54_a_journal_that_fell_back_plays_numbers_again_and_its_shoe_is_another() -> None:
    table = Table()
    table.play("BPT", first=4)
    late = table.started_again()
    late.play("B", first=3)
    late.play("PP", first=4)

    assert late.numbers() == [3, 4]
    assert late.shoe.since() == 3


def test_T54_an_old_word_of_an_earlier_daemon_takes_no_round_away() -> None:
    table = Table()
    earlier, _ = a_settled_round("B", 2)
    late = table.started_again()
    late.play("BP", first=4)
    table.say_round(earlier)

    assert late.numbers() == [4]
