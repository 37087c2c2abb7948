import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from bridge.contracts.envelopes import RoundEnvelope, SettlementEnvelope
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.odds import Odds
from bridge.domain.settlements import (
    EzResult,
    FinalResult,
    MeterShare,
    Result,
    UndecidedWager,
    Winner,
)
from bridge.domain.table_view import Irregularity, IrregularityKind
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.stores.heard import HeardStoreError
from bridge.stores.heard_writer import BY_HAND, decoded, newest_messages, read_back
from tests.rules.rounds import override
from tests.stores.hearing import OPENED, Telling, Written, ended, in_memory, wager

ROYAL = WagerKind.ROYAL_MATCH_PROGRESSIVE
ONE = RoundNumber(1)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with in_memory() as connection:
        yield connection


@pytest.fixture
def writer(connection: sqlite3.Connection) -> Written:
    return Written(connection)


def count(connection: sqlite3.Connection, what: str) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {what}").fetchone()[0])  # noqa: S608 - a table's name


def kept_round(connection: sqlite3.Connection, number: int = 1) -> RoundEnvelope:
    kept = decoded(RoundEnvelope, TableId("bj-1"), newest_messages(connection, 1, RoundNumber(number)))
    assert kept is not None
    return kept


def wagers(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return connection.execute(
        "SELECT position, kind, ending, won_as, award, overridden FROM wagers ORDER BY position, kind"
    ).fetchall()


def test_T54_whatever_is_said_twice_is_kept_once(writer: Written, connection: sqlite3.Connection) -> None:
    said = Telling().played(1)
    writer.hear(said)
    before = list(connection.iterdump())
    writer.hear([*said, *reversed(said)])
    writer.hear(said)

    assert list(connection.iterdump()) == before
    assert (count(connection, "events"), count(connection, "rounds")) == (4, 1)


@pytest.mark.parametrize("together", [True, False])
def test_T54_an_older_word_on_a_round_never_undoes_a_newer(
    writer: Written, connection: sqlite3.Connection, *, together: bool
) -> None:
    table = Telling()
    opened, _ = table.open(1)
    table.event()
    newer = table.round(voided=True)
    for batch in [[newer, opened]] if together else [[newer], [opened]]:
        writer.hear(batch)

    assert kept_round(connection) == newer
    assert connection.execute("SELECT voided FROM rounds").fetchall() == [(1,)]


def test_T54_of_one_record_the_later_word_counts_and_another_senders_in_any_case(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    first, _ = table.open(1)
    second = table.round(locked=False)
    writer.hear([second, first])
    assert kept_round(connection) == second

    again = table.started_again(later_us=-7)
    repeated = again.round()
    again.event()
    writer.hear([again.round()])
    writer.hear([second, repeated])

    assert kept_round(connection).sequence == again.sequence


def test_a_round_that_is_new_is_told_and_one_that_is_known_is_not(writer: Written) -> None:
    table = Telling()
    assert writer.hear(table.played(1)) == {"bj-1"}
    assert writer.hear([table.event(), table.round(voided=True)]) == set()
    assert writer.hear(table.played(2)) == {"bj-1"}


def test_a_settlement_that_comes_before_its_round_is_kept_for_it(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    table.open(1)
    event, round_ = table.event(), table.round(accepted=(wager(3),))
    writer.hear([event, table.settlement(ended(3, Result.LOSE))])
    assert count(connection, "rounds") == 0

    writer.hear([round_])

    assert wagers(connection) == [(3, ROYAL.value, "lost", "", 0, 0)]


def test_how_every_wager_ended_is_what_rounds_are_found_by(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    writer.hear(table.open(1))
    share = MeterShare(progressive=ProgressiveId("royal"), odds=Odds.for_one(1), among=1)
    misread = override(3, Result.LOSE, at=OPENED)
    accepted = (wager(1, WagerKind.BLACKJACK), *(wager(position) for position in range(1, 8)))
    settled = table.settlement(
        ended(1, Result.WIN),
        ended(2, Result.WIN, outcome="crown_treasure", paid=share),
        ended(3, Result.WIN),
        ended(4, Result.LOSE),
        ended(5, Result.PUSH),
        ended(6, Result.WIN, outcome="crown_treasure", paid=share),
        overrides=(misread,),
        rejected=(BettingPosition(6),),
    )
    writer.hear([table.round(accepted=accepted), settled])

    assert wagers(connection) == [
        (1, "blackjack", BY_HAND, "", 0, 0),
        (1, ROYAL.value, "won", "royal_match", 0, 0),
        (2, ROYAL.value, "won", "crown_treasure", 1, 0),
        (3, ROYAL.value, "lost", "", 0, 1),
        (4, ROYAL.value, "lost", "", 0, 0),
        (5, ROYAL.value, "returned", "", 0, 0),
        (6, ROYAL.value, "rejected", "", 0, 0),
        (7, ROYAL.value, "", "", 0, 0),
    ]
    undecided = UndecidedWager(position=BettingPosition(7), kind=ROYAL, reason="card 4 is not read")
    table.event()
    writer.hear([table.round(accepted=accepted), table.settlement(undecided=(undecided,))])

    assert wagers(connection)[-1] == (7, ROYAL.value, "undecided", "", 0, 0)


def test_a_round_of_baccarat_is_found_by_the_hand_that_won_and_any_by_what_was_irregular(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    late = Irregularity(kind=IrregularityKind.LATE_WAGER, at=Timestamp(OPENED), detail="position 5")
    result = FinalResult(player=3, banker=7, winner=Winner.BANKER, ez=EzResult.DRAGON_7)
    writer.hear(
        [*table.open(1), table.state(irregularities=(late, late)), table.settlement(announcements=(result,))]
    )

    assert connection.execute("SELECT irregularities, winner FROM rounds").fetchall() == [(2, "banker")]


def removed(writer: Written, before: int = OPENED, rounds_max: int | None = None) -> None:
    writer.remove(TableId("bj-1"), before=Timestamp(before), rounds_max=rounds_max)


def numbers(connection: sqlite3.Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT number FROM rounds ORDER BY journal, number")]


def test_old_rounds_are_removed_with_all_that_was_heard_of_them(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    for number in range(1, 5):
        writer.hear(table.played(number), at=OPENED + number)
    table.event()
    writer.hear([table.round(accepted=(wager(1),)), table.settlement(ended(1, Result.WIN))])
    removed(writer, before=OPENED + 3)

    assert numbers(connection) == [3, 4]
    assert connection.execute("SELECT DISTINCT round_number FROM events").fetchall() == [(3,), (4,)]
    assert connection.execute("SELECT removed_to FROM journals").fetchall() == [(9,)]
    assert count(connection, "messages") == 3
    removed(writer, before=OPENED + 99)
    assert numbers(connection) == [4]
    assert count(connection, "wagers") == 1


def test_rounds_that_are_too_many_are_removed_whatever_their_age(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    for number in range(1, 6):
        writer.hear(table.played(number))
    removed(writer, before=0, rounds_max=6)
    assert numbers(connection) == [1, 2, 3, 4, 5]

    removed(writer, before=0, rounds_max=2)

    assert numbers(connection) == [4, 5]


def test_a_journal_of_which_no_round_is_left_is_removed_and_what_comes_then_is_kept(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    writer.hear([*table.played(1), *table.played(2)])
    anew = Telling(epoch=OPENED + 5)
    writer.hear(anew.played(40), at=OPENED + 40)
    removed(writer, before=OPENED + 40)
    assert (numbers(connection), count(connection, "journals"), count(connection, "epochs")) == ([40], 1, 1)

    writer.hear(anew.played(41))
    writer.hear([Telling(table.table, epoch=OPENED + 9, sequence=99, number=41).event()])

    assert numbers(connection) == [40, 41]


def test_of_a_table_that_was_not_heard_nothing_is_removed_and_of_others_neither(
    writer: Written, connection: sqlite3.Connection
) -> None:
    removed(writer, rounds_max=1)
    table = Telling()
    writer.hear([*table.played(1), *table.played(2)])

    writer.remove(TableId("bj-2"), before=Timestamp(2**53), rounds_max=1)

    assert numbers(connection) == [1, 2]


def test_a_message_of_another_release_is_said_to_be_one_and_does_not_stop_what_comes(
    writer: Written, connection: sqlite3.Connection
) -> None:
    table = Telling()
    writer.hear([*table.open(1), table.settlement(ended(3, Result.WIN))])
    connection.execute(
        """UPDATE messages SET body = CAST(replace(CAST(body AS TEXT), '"settlement"', '"settled"') AS BLOB)"""
    )
    bodies = newest_messages(connection, 1, ONE)

    with pytest.raises(HeardStoreError, match=r"by another release .* table-bridge round"):
        read_back(SettlementEnvelope, table.table, bodies["settlement"])
    table.event()
    voided = table.round(voided=True)
    assert writer.hear([voided, *table.played(2)]) == {"bj-1"}
    assert kept_round(connection) == voided
