"""Whose journal a message tells of: as it is decided while it comes, and again from the file after a restart."""

import sqlite3
from collections.abc import Iterable, Iterator

import pytest

from bridge.domain.identity import TableId
from bridge.stores.heard import Heard
from bridge.stores.heard_journals import HeardJournals, round_number
from tests.stores.hearing import OPENED, Telling, Written, in_memory


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with in_memory() as connection:
        yield connection


class Restarting(Written):
    """A history whose process ends after everything it has written."""

    def hear(self, heard: Iterable[Heard], *, at: int | None = None) -> set[TableId]:
        written = super().hear(heard, at=at)
        self.forget()
        return written


@pytest.fixture(params=[Written, Restarting])
def heard(request: pytest.FixtureRequest, connection: sqlite3.Connection) -> Written:
    """Written by one process, or by one after the other."""
    made: Written = request.param(connection)
    return made


def rounds(connection: sqlite3.Connection) -> list[tuple[int, int, int]]:
    """Return every round that is kept: journal, number, and how many events of it."""
    return connection.execute(
        "SELECT journal, number, (SELECT COUNT(*) FROM events WHERE events.journal = rounds.journal"
        " AND round_number = number) FROM rounds ORDER BY journal, number"
    ).fetchall()


def test_a_daemon_that_is_started_again_goes_on_with_its_journal(
    heard: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    heard.hear(table.played(1))
    again = table.started_again()
    heard.hear([again.event(), again.round()])
    heard.hear(again.played(2))

    assert rounds(connection) == [(1, 1, 5), (1, 2, 3)]


def test_T54_a_journal_that_was_begun_anew_is_another_one_and_both_keep_their_rounds(
    heard: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    heard.hear([*table.played(1), *table.played(2)])
    anew = Telling(epoch=OPENED + 5)
    heard.hear(anew.played(40))

    assert rounds(connection) == [(1, 1, 4), (1, 2, 3), (2, 40, 3)]


def test_T54_a_journal_that_fell_back_to_a_copy_plays_the_same_numbers_without_mixing_them(
    heard: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    first = table.played(1)
    copied = table.sequence
    heard.hear([*first, *table.played(2), *table.played(3)])
    restored = table.started_again(sequence=copied)
    restored.number = 1
    heard.hear([restored.event()])
    heard.hear([*restored.open(2, opened_at=OPENED + 999), restored.event()])

    assert rounds(connection) == [(1, 1, 4), (1, 2, 4), (1, 3, 3), (2, 2, 1)]


def test_T54_a_round_of_the_same_number_opened_at_another_time_is_another_round_whatever_its_record(
    heard: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    heard.hear(table.played(1))
    other = table.started_again(sequence=500)
    other.opened_at = OPENED + 999
    heard.hear([other.round(), other.event()])
    heard.hear([table.round()])

    assert rounds(connection) == [(1, 1, 3), (2, 1, 1)]


def test_T54_a_late_message_of_the_journal_before_goes_where_it_belongs(
    heard: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    heard.hear(table.played(1))
    late = table.event()
    anew = Telling(epoch=OPENED + 5)
    heard.hear(anew.played(40))
    heard.hear([late])

    assert rounds(connection) == [(1, 1, 4), (2, 40, 3)]


def test_T54_a_daemon_that_was_not_heard_for_long_goes_on_where_its_journal_has_come(
    heard: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    heard.hear(table.played(1))
    for number in range(2, 9):
        table.played(number)
    again = table.started_again()
    heard.hear(again.played(9))

    assert rounds(connection) == [(1, 1, 3), (1, 9, 3)]


def test_two_tables_have_journals_of_their_own(heard: Written, connection: sqlite3.Connection) -> None:
    one, other = Telling("bj-1"), Telling("bj-2")
    heard.hear([*one.played(1), *other.played(1)])

    assert connection.execute("SELECT table_id, journal, number FROM rounds").fetchall() == [
        ("bj-1", 1, 1),
        ("bj-2", 2, 1),
    ]


def test_a_settlement_is_of_the_newest_journal_and_of_none_before_anything_was_heard(
    connection: sqlite3.Connection,
) -> None:
    journals, table = HeardJournals(connection), Telling()
    assert journals.of(table.settlement()) is None

    opened, before = table.open(1)
    assert journals.of(opened) == journals.of(before) == journals.of(table.settlement()) == 1
    anew = Telling(epoch=OPENED + 5)
    assert journals.of(anew.open(40)[0]) == journals.of(table.settlement()) == 2


def test_every_message_says_of_which_round_it_is() -> None:
    table = Telling(number=7)
    assert {round_number(said) for said in (table.event(), table.round(), table.state(), table.settlement())} == {
        7
    }
