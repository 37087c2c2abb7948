import sqlite3
from collections.abc import Iterator

import pytest

from bridge.domain.identity import RoundNumber, TableId, Timestamp
from bridge.domain.settlements import Result
from bridge.stores.heard import PAGE_EVENTS, Heard, HeardRound, HeardStoreError, NotHeardError
from bridge.stores.heard_reader import last_rounds, read
from tests.stores.hearing import OPENED, Telling, Written, ended, in_memory, wager

TABLE = TableId("bj-1")


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with in_memory() as connection:
        yield connection


@pytest.fixture
def writer(connection: sqlite3.Connection) -> Written:
    return Written(connection)


def the(connection: sqlite3.Connection, number: int, journal: int | None = None) -> HeardRound:
    return read(connection, TABLE, RoundNumber(number), journal)


def gaps(connection: sqlite3.Connection, number: int) -> list[tuple[int | None, int]]:
    return [(gap.first, gap.last) for gap in the(connection, number).gaps]


def test_a_round_is_read_as_it_was_said(writer: Written, connection: sqlite3.Connection) -> None:
    table = Telling()
    writer.hear(table.open(1))
    events = [table.event(), table.event()]
    said = table.round(accepted=(wager(3),))
    state, settled = table.state(), table.settlement(ended(3, Result.WIN))
    writer.hear([*events, said, state, settled, *table.open(2)])
    round_ = the(connection, 1)

    assert (round_.round, round_.state, round_.settlement) == (said, state, settled)
    assert list(round_.events[:2]) == events
    assert [event.sequence for event in round_.events] == [2, 3, 4]
    assert (round_.over, round_.ends_at, round_.gaps) == (True, 4, ())


def test_a_round_that_is_on_is_not_over_and_lacks_nothing(writer: Written, connection: sqlite3.Connection) -> None:
    table = Telling()
    writer.hear([*table.played(1), table.event(), table.state()])
    round_ = the(connection, 1)

    assert (round_.over, round_.gaps, round_.settlement) == (False, (), None)


def test_a_round_that_is_told_just_before_its_event_lacks_nothing(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    writer.hear(table.played(1))
    table.event()
    writer.hear([table.round()])

    assert the(connection, 1).gaps == ()


def test_T54_records_that_were_not_heard_are_gaps_wherever_they_are(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    said = [*table.played(1), *table.played(2, 6), *table.played(3)]
    lost = {7, 8, 10}
    writer.hear(one for one in said if one.sequence not in lost)

    assert gaps(connection, 2) == [(7, 8), (10, 10)]
    assert gaps(connection, 1) == gaps(connection, 3) == []


def test_T54_what_was_missed_between_two_rounds_is_a_gap_of_both(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    said = [*table.played(1), *table.played(2)]
    writer.hear(one for one in said if one.sequence not in {4, 5, 6})

    assert gaps(connection, 1) == [(4, 6)]
    assert gaps(connection, 2) == [(4, 6)]
    assert the(connection, 1).ends_at == 6


def test_T54_of_a_round_that_was_on_when_listening_began_nobody_knows_where_it_began(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    table.played(1)
    writer.hear([table.round(), table.state()])
    assert gaps(connection, 1) == [(None, 4)]

    writer.hear([table.event()])

    assert gaps(connection, 1) == [(None, 4)]


def test_T54_a_round_that_was_told_further_than_its_events_has_a_gap_at_its_end(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    writer.hear(table.played(1))
    for _ in range(3):
        table.event()
    writer.hear([table.round()])

    assert gaps(connection, 1) == [(5, 7)]


def test_rounds_removed_because_of_their_age_leave_no_gap(writer: Written, connection: sqlite3.Connection) -> None:
    table = Telling()
    for number in (1, 2, 3):
        writer.hear(table.played(number), at=OPENED + number)
    writer.remove(TABLE, before=Timestamp(OPENED + 2), rounds_max=None)

    assert gaps(connection, 2) == []
    assert the(connection, 2).older is None


def test_the_rounds_beside_a_round_are_found_over_journals(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    writer.hear([*table.played(1), *table.played(4)])
    restored = Telling(epoch=OPENED + 5)
    writer.hear([*restored.open(4, opened_at=OPENED + 7), *restored.open(5)])

    def beside(number: int, journal: int | None = None) -> list[tuple[int, int] | None]:
        round_ = the(connection, number, journal)
        return [None if one is None else (one.number, one.journal) for one in (round_.older, round_.newer)]

    assert beside(1) == [None, (4, 1)]
    assert beside(4) == [(4, 1), (5, 2)]
    assert beside(4, journal=1) == [(1, 1), (4, 2)]
    assert beside(5) == [(4, 2), None]
    newest, older = the(connection, 4), the(connection, 4, journal=1)
    assert [place.journal for place in newest.namesakes] == [1]
    assert (newest.place.newest, older.place.newest, older.over) == (True, False, True)


def test_a_round_that_went_on_for_long_is_read_in_pages(writer: Written, connection: sqlite3.Connection) -> None:
    table = Telling()
    said: list[Heard] = [*table.open(1), *(table.event() for _ in range(PAGE_EVENTS + 2)), table.round()]
    lost = PAGE_EVENTS // 2
    writer.hear(one for one in said if one.sequence != lost)
    first, second = (read(connection, TABLE, RoundNumber(1), page=page) for page in (1, 2))

    assert [(one.page, one.pages, len(one.events)) for one in (first, second)] == [
        (1, 2, PAGE_EVENTS),
        (2, 2, 1),
    ]
    assert first.records == second.records == (2, PAGE_EVENTS + 3)
    assert [(gap.first, gap.last) for gap in second.gaps] == [(lost, lost)]
    assert read(connection, TABLE, RoundNumber(1), page=9).page == 2


def test_a_round_of_which_nothing_was_heard_is_said_to_be_none(
    writer: Written, connection: sqlite3.Connection
) -> None:
    writer.hear(Telling().played(1))
    for number, journal in ((2, None), (1, 7)):
        with pytest.raises(NotHeardError, match=f"nothing was heard of round {number}"):
            the(connection, number, journal)


def test_an_event_of_another_release_is_not_read_as_something_else(
    writer: Written, connection: sqlite3.Connection
) -> None:
    writer.hear(Telling().played(1))
    connection.execute("UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'round_complete', 'x') AS BLOB)")

    with pytest.raises(HeardStoreError, match="another release"):
        the(connection, 1)


def test_the_last_rounds_are_those_of_the_journal_heard_last_and_in_order(
    writer: Written, connection: sqlite3.Connection
) -> None:
    assert last_rounds(connection, TABLE, 5) == ()
    writer.hear(Telling().played(1))
    table = Telling(epoch=OPENED + 5)
    table.open(40)
    first = table.round()
    settled, state = table.settlement(), table.state()
    table.open(41)
    second = table.round()
    writer.hear([first, settled, state, second])

    assert last_rounds(connection, TABLE, 5) == (first, settled, state, second)
    assert last_rounds(connection, TABLE, 1) == (second,)
