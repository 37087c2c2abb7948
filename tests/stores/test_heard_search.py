import sqlite3
from collections.abc import Iterator

import pytest

from bridge.domain.identity import ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.odds import Odds
from bridge.domain.settlements import EzResult, FinalResult, MeterShare, Result, Winner
from bridge.domain.table_view import Irregularity, IrregularityKind
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.stores.heard import PAGE_ROUNDS, Ended, Search
from bridge.stores.heard_search import find, won_as
from bridge.stores.heard_writer import BY_HAND
from tests.rules.rounds import override
from tests.stores.hearing import OPENED, ROUND_US, Telling, Written, ended, in_memory, wager

TABLE = TableId("bj-1")
ROYAL, RM_21 = WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.ROYAL_MATCH_21
LATE = Irregularity(kind=IrregularityKind.LATE_WAGER, at=Timestamp(OPENED), detail="position 5")
SHARE = MeterShare(progressive=ProgressiveId("royal"), odds=Odds.for_one(1), among=1)


@pytest.fixture(scope="module")
def played() -> Iterator[sqlite3.Connection]:
    """Seven rounds at one table, each found by something else, and a round at another.

    1: nobody wagered. 2: position 3 lost Royal Match, won Royal Match 21. 3: position 3 won Royal Match, position
    4 a Crown Treasure. 4: voided. 5: late wager, position 3 pushed. 6: overridden, rejected. 7: on, undecided.
    """
    with in_memory() as connection:
        writer, table = Written(connection), Telling("bj-1")
        writer.hear(table.played(1))
        writer.hear(table.open(2))
        writer.hear(
            [
                table.round(accepted=(wager(3), wager(3, RM_21), wager(3, WagerKind.BLACKJACK))),
                table.settlement(ended(3, Result.LOSE), ended(3, Result.WIN, RM_21, outcome="suited_match")),
            ]
        )
        writer.hear(table.open(3))
        crown = ended(4, Result.WIN, outcome="crown_treasure", paid=SHARE)
        writer.hear([table.round(accepted=(wager(3), wager(4))), table.settlement(ended(3, Result.WIN), crown)])
        writer.hear([*table.open(4), table.round(voided=True)])
        writer.hear(table.open(5))
        writer.hear(
            [
                table.round(accepted=(wager(3),)),
                table.settlement(
                    ended(3, Result.PUSH),
                    announcements=(FinalResult(player=6, banker=6, winner=Winner.TIE_HAND, ez=EzResult.NONE),),
                ),
                table.state(irregularities=(LATE,)),
            ]
        )
        writer.hear(table.open(6))
        misread = override(3, Result.WIN, paid=1, at=OPENED)
        writer.hear(
            [
                table.round(accepted=(wager(3), wager(5))),
                table.settlement(ended(3, Result.LOSE), overrides=(misread,), rejected=(BettingPosition(5),)),
            ]
        )
        writer.hear(table.open(7))
        writer.hear([table.round(accepted=(wager(3),))])
        writer.hear(Telling("bj-2").played(3))
        yield connection


def numbers(played: sqlite3.Connection, search: Search) -> list[int]:
    return [one.place.number for one in find(played, TABLE, search).rounds]


def at(number: int) -> Timestamp:
    return Timestamp(OPENED + number * ROUND_US)


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        (Search(), [7, 6, 5, 4, 3, 2, 1]),
        (Search(number=RoundNumber(3)), [3]),
        (Search(number=RoundNumber(99)), []),
        (Search(opened_from=at(3), opened_until=at(5)), [4, 3]),
        (Search(opened_from=at(6)), [7, 6]),
        (Search(position=BettingPosition(4)), [3]),
        (Search(wager=RM_21), [2]),
        (Search(ended=Ended.WON), [6, 3, 2]),
        (Search(ended=Ended.WON, position=BettingPosition(4)), [3]),
        (Search(ended=Ended.WON, wager=ROYAL), [6, 3]),
        (Search(ended=Ended.LOST), [2]),
        (Search(ended=Ended.RETURNED), [5]),
        (Search(ended=Ended.UNDECIDED), [7]),
        (Search(ended=Ended.AWARD), [3]),
        (Search(ended=Ended.REJECTED), [6]),
        (Search(ended=Ended.OVERRIDDEN), [6]),
        (Search(ended=Ended.VOIDED), [4]),
        (Search(ended=Ended.IRREGULAR), [5]),
        (Search(ended=Ended.IRREGULAR, position=BettingPosition(4)), []),
        (Search(ended=Ended.TIE_HAND), [5]),
        (Search(ended=Ended.PLAYER), []),
        (Search(ended=Ended.BANKER), []),
        (Search(won_as="suited_match"), [2]),
        (Search(won_as="suited_match", wager=ROYAL), []),
        (Search(won_as="'; DROP TABLE rounds; --"), []),
    ],
    ids=str,
)
def test_rounds_are_found_newest_first_by_what_happened_in_them(
    played: sqlite3.Connection, search: Search, expected: list[int]
) -> None:
    found = find(played, TABLE, search)

    assert [one.place.number for one in found.rounds] == expected
    assert found.count == len(expected)


def test_every_end_can_be_looked_for(played: sqlite3.Connection) -> None:
    everything = numbers(played, Search())
    assert all(numbers(played, Search(ended=end)) != everything for end in Ended)


def test_what_is_found_tells_the_round(played: sqlite3.Connection) -> None:
    on, _, fifth, voided, *_, second, _ = find(played, TABLE, Search()).rounds

    assert (on.over, second.over) == (False, True)
    assert (voided.voided, fifth.irregularities, fifth.winner, second.opened_at) == (True, 1, "tie_hand", at(2))
    assert [(one.position, one.kind, one.ending, one.won_as) for one in second.wagers] == [
        (3, "blackjack", BY_HAND, ""),
        (3, "royal_match_21", "won", "suited_match"),
        (3, "royal_match_progressive", "lost", ""),
    ]


def test_how_much_is_kept_is_told_beside_what_is_found(played: sqlite3.Connection) -> None:
    found = find(played, TABLE, Search(ended=Ended.VOIDED))

    assert (found.count, found.kept, found.oldest) == (1, 7, at(1))
    nothing = find(played, TableId("bj-9"), Search())
    assert (nothing.rounds, nothing.count, nothing.kept, nothing.oldest) == ((), 0, 0, None)


def test_rows_of_paytables_are_those_that_were_won(played: sqlite3.Connection) -> None:
    assert won_as(played, TABLE) == ("crown_treasure", "royal_match", "suited_match")
    assert won_as(played, TableId("bj-2")) == ()


def test_a_page_has_so_many_rounds_and_the_last_one_the_rest() -> None:
    with in_memory() as connection:
        writer, table = Written(connection), Telling()
        for number in range(1, PAGE_ROUNDS + 3):
            writer.hear(table.played(number, 0))

        assert [len(numbers(connection, Search(page=page))) for page in (1, 2, 3)] == [PAGE_ROUNDS, 2, 0]
        assert numbers(connection, Search(page=2)) == [2, 1]
        assert find(connection, TABLE, Search(page=3)).count == PAGE_ROUNDS + 2
        before = [find(connection, TABLE, Search(page=page)).before for page in (1, 2, 3, 9)]
        assert [None if place is None else place.number for place in before] == [None, 3, None, None]


def test_rounds_of_a_later_journal_come_first_and_a_number_that_both_have_is_told_apart() -> None:
    with in_memory() as connection:
        writer, table = Written(connection), Telling()
        writer.hear([*table.played(1), *table.played(2), *table.played(3)])
        restored = Telling(epoch=OPENED + 5)
        writer.hear(restored.open(2, opened_at=OPENED + 7))
        found = find(connection, TABLE, Search()).rounds

    assert [(one.place.number, one.place.journal, one.place.newest) for one in found] == [
        (2, 2, True),
        (3, 1, True),
        (2, 1, False),
        (1, 1, True),
    ]
    assert [one.over for one in found] == [False, True, True, True]
