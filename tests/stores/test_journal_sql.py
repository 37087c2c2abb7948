import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.domain.identity import Sequence
from bridge.stores import chain, journal_sql
from bridge.stores.file_errors import DamagedFileError
from bridge.stores.migrate import JOURNAL, prepare
from bridge.stores.snapshots import Snapshot, make_snapshot
from tests.stores.test_migrate import restore

GENESIS = b"\x07" * 32


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A file that begins with record 5, and has 2,500 of them."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare(connection, JOURNAL)
        connection.execute("UPDATE about SET first_sequence = 5, genesis = ?, day = '2026-11-29'", (GENESIS,))
        link = chain.Link(4, GENESIS)
        for sequence in range(5, 2_505):
            kind = b"gaming_day_began" if sequence % 1000 == 0 else b"card_drawn"
            link = chain.Link(sequence, chain.link_hash(link.hash, sequence, 1, kind, b"%d" % sequence))
            row = (sequence, 1, kind, b"%d" % sequence, link.hash)
            connection.execute("INSERT INTO records VALUES (?, ?, CAST(? AS TEXT), ?, ?)", row)
        yield connection


def snapshot(sequence: int, code: bytes = b"\x01" * 32, body: bytes = b"{}") -> Snapshot:
    return make_snapshot(sequence=Sequence(sequence), hash_=GENESIS, software="1", code=code, body=body)


def test_a_file_says_what_it_stands_on_and_where_it_ends(connection: sqlite3.Connection) -> None:
    head = journal_sql.head_of(connection)
    assert (head.before, head.first, head.day) == (chain.Link(4, GENESIS), 5, "2026-11-29")
    assert (head.finished, head.incomplete) == (False, False)
    assert journal_sql.end_of(connection, head).sequence == 2_504


def test_a_file_without_records_ends_where_it_begins() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare(connection, JOURNAL)
        head = journal_sql.head_of(connection)
        assert journal_sql.end_of(connection, head) == head.before
        connection.execute("DELETE FROM about")
        with pytest.raises(DamagedFileError, match="what it says about itself is gone"):
            journal_sql.head_of(connection)


def test_a_file_of_the_first_release_is_read_as_it_is(tmp_path: Path) -> None:
    path = restore("journal_1", tmp_path / "a.journal")
    with closing(sqlite3.connect(path)) as connection:
        head = journal_sql.head_of(connection)
        assert (head.first, head.day, head.finished) == (1, "", False)
        assert list(journal_sql.snapshots_down_from(connection)) == []


def test_a_place_to_go_on_from_is_a_record_or_what_the_first_stands_on(connection: sqlite3.Connection) -> None:
    head = journal_sql.head_of(connection)
    assert journal_sql.link_at(connection, head, 4) == head.before
    assert journal_sql.link_at(connection, head, 2_504) == journal_sql.end_of(connection, head)
    assert journal_sql.link_at(connection, head, 3) is None
    assert journal_sql.link_at(connection, head, 2_505) is None


def test_records_are_fetched_some_at_a_time_and_none_is_left_out(connection: sqlite3.Connection) -> None:
    assert [row[0] for row in journal_sql.rows_after(connection, 7)] == list(range(8, 1_008))
    assert [row[0] for row in journal_sql.rows_after(connection, 7, up_to=9)] == [8, 9]
    assert [row[0] for row in journal_sql.rows_from(connection, 4)] == list(range(5, 2_505))
    assert journal_sql.bodies_of_kind(connection, "gaming_day_began") == [(1000, b"1000"), (2000, b"2000")]


def test_snapshots_come_newest_first_and_one_of_each_code_is_kept(connection: sqlite3.Connection) -> None:
    for one in (
        snapshot(7),
        snapshot(90),
        snapshot(90, body=b"[]"),
        snapshot(90, code=b"\x02" * 32),
        snapshot(30),
    ):
        journal_sql.insert_snapshot(connection, one)
    found = list(journal_sql.snapshots_down_from(connection))
    assert [one.sequence for one in found] == [90, 90, 30, 7]
    assert all(one.is_whole and one.body == b"{}" for one in found)
    assert [one.sequence for one in journal_sql.snapshots_down_from(connection, 89)] == [30, 7]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshots SET body = x'00'",
        "DELETE FROM snapshots",
        "INSERT INTO records SELECT sequence + 2, at, kind, body, hash FROM records WHERE sequence = 2504",
    ],
)
def test_the_database_itself_forbids_changes_and_gaps(connection: sqlite3.Connection, statement: str) -> None:
    journal_sql.insert_snapshot(connection, snapshot(7))
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)


def test_a_finished_file_takes_no_more_records(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE about SET finished = 1")
    with pytest.raises(sqlite3.IntegrityError, match="a finished file has no more records"):
        connection.execute("INSERT INTO records SELECT 2505, at, kind, body, hash FROM records WHERE sequence = 9")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE about SET genesis = 'text'", "what it says about itself does not make sense"),
        ("UPDATE about SET first_sequence = x'05'", "what it says about itself does not make sense"),
        ("UPDATE records SET hash = 'text' WHERE sequence = 2504", "its last record does not make sense"),
    ],
)
def test_what_is_of_another_kind_than_was_written_is_damage(
    connection: sqlite3.Connection, statement: str, message: str
) -> None:
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute("DROP TRIGGER records_are_never_changed")
    connection.execute(statement)
    with pytest.raises(DamagedFileError, match=message):
        journal_sql.end_of(connection, journal_sql.head_of(connection))


def test_a_snapshot_of_another_kind_than_was_written_is_not_whole(connection: sqlite3.Connection) -> None:
    journal_sql.insert_snapshot(connection, snapshot(7))
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute("DROP TRIGGER snapshots_are_never_changed")
    connection.execute("UPDATE snapshots SET body = 'text'")
    assert [one.is_whole for one in journal_sql.snapshots_down_from(connection)] == [False]
