import asyncio
import logging
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.events import GamingDayBegan, TableEvent
from bridge.domain.identity import Sequence, Timestamp
from bridge.domain.money import Cents
from bridge.stores import fold, sqlite_journal, state_keeper
from bridge.stores.fold import table_fold
from bridge.stores.journal import JournalError
from bridge.stores.journal_files import finished_files
from bridge.stores.journal_sql import snapshots_down_from
from bridge.stores.snapshots import make_snapshot
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.state_keeper import StateDiffersError, StateKeeper
from bridge.table.gaming_day import is_at_rest
from tests.stores.days import Writing, days_of_play, folded, lay_out, unguarded, write
from tests.table.tables import position


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bj.journal"


EVENTS = days_of_play(2)
LATE = GamingDayBegan(at=Timestamp(9), day="2026-01-06")


def kept(path: Path) -> list[Sequence]:
    with closing(sqlite3.connect(path)) as connection:
        return [one.sequence for one in snapshots_down_from(connection)][::-1]


def days(path: Path) -> list[str]:
    return [file.name[:10] for file in finished_files(path)]


async def test_a_start_folds_only_what_came_after_the_state_was_kept(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen(EVENTS[:50])
        await writing.keep()
        await writing.happen(EVENTS[50:60])
    with caplog.at_level(logging.INFO):
        async with SqliteJournal.open(path) as journal:
            assert (await Writing(journal).resume()).state == folded(EVENTS[:60])
    assert "journal read: 10 events, folded from record 51 on" in caplog.text


async def test_an_empty_journal_has_no_state(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        assert await StateKeeper(journal, table_fold()).resume() is None


async def test_a_state_is_due_to_be_kept_every_so_many_records(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_keeper, "KEEP_EVERY_RECORDS", 100)
    events = days_of_play(1, rounds_a_day=8)
    await write(path, events)
    assert len(kept(path)) == len(events) // 128 + 1, "looked at after every commit of 64"
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        assert not writing.keeper.is_due(writing.state)


async def test_a_state_that_is_not_the_fold_is_not_kept_and_says_that_memory_is_at_fault(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen(EVENTS[:50])
        before = await journal.newest_snapshot(table_fold().code, Sequence(1000))
        flipped = replace(writing.state, vigorish=((position(1), Cents(1)),))
        with pytest.raises(StateDiffersError, match="after record 50 is not the fold of the journal"):
            await writing.keeper.keep(flipped)
        assert await journal.newest_snapshot(table_fold().code, Sequence(1000)) == before
        await writing.keep()


async def test_a_state_that_falls_over_on_its_way_to_the_file_is_not_kept(path: Path) -> None:
    other = table_fold().encode(folded(EVENTS[:40]))
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        writing.keeper = StateKeeper(journal, replace(table_fold(), encode=lambda _state: other))
        await writing.happen(EVENTS[:1])
        with pytest.raises(StateDiffersError):
            await writing.happen(EVENTS[1:50])


async def test_a_difference_is_seen_before_a_new_day_stands_on_it(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        turn = next(n for n, event in enumerate(EVENTS[5:], 5) if isinstance(event, GamingDayBegan) and n > 10)
        await writing.happen(EVENTS[:turn])
        writing.state = replace(writing.state, vigorish=((position(1), Cents(1)),))
        with pytest.raises(StateDiffersError):
            await writing.happen(EVENTS[turn:])
    assert finished_files(path) == []


async def test_others_work_while_the_state_is_compared(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen(EVENTS)
        turns = 0
        keeping = asyncio.ensure_future(writing.keep())
        while not keeping.done():
            await asyncio.sleep(0)
            turns += 1
        await keeping
    assert turns > 3


async def test_whoever_keeps_the_same_state_twice_keeps_it_once(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen(EVENTS[:50])
        await asyncio.gather(writing.keep(), writing.keep())
    assert kept(path)[-1] == 50
    assert len(kept(path)) == len(set(kept(path)))


async def test_a_state_of_this_code_that_cannot_be_read_is_passed_over(path: Path) -> None:
    await write(path, EVENTS[:50])
    async with SqliteJournal.open(path) as journal:
        hash_ = await journal.hash_at(Sequence(40))
        await journal.keep(
            make_snapshot(
                sequence=Sequence(40), hash_=hash_, software="1", code=table_fold().code, body=b'{"state":1}'
            )
        )
        assert (await Writing(journal).resume()).state == folded(EVENTS[:50])


async def test_states_kept_by_other_code_are_passed_over_and_kept_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lay_out(path, 2)
    monkeypatch.setattr(fold, "core_digest", lambda: b"\x01" * 32)
    with caplog.at_level(logging.INFO):
        async with SqliteJournal.open(path) as journal:
            writing = await Writing(journal).resume()
            assert writing.state == folded(EVENTS)
            await writing.keep()
    assert f"journal read: {len(EVENTS)} events, folded from record 1 on" in caplog.text
    async with SqliteJournal.open(path) as journal:
        assert (await Writing(journal).resume()).state == folded(EVENTS)


async def test_after_an_update_an_archived_past_is_what_the_oldest_file_was_begun_with(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lay_out(path, 3, rounds_a_day=1)
    finished_files(path)[0].unlink()
    monkeypatch.setattr(fold, "core_digest", lambda: b"\x01" * 32)
    with caplog.at_level(logging.INFO):
        async with SqliteJournal.open(path) as journal:
            writing = await Writing(journal).resume()
            assert writing.state == folded(days_of_play(3, rounds_a_day=1))
            await writing.keep()
    first = int(finished_files(path)[0].stem.rpartition("-")[2])
    assert f"folded from record {first} on" in caplog.text


async def test_an_archived_past_that_cannot_be_read_has_to_be_brought_back(path: Path) -> None:
    lay_out(path, 3, rounds_a_day=1)
    finished_files(path)[0].unlink()
    for file in (*finished_files(path), path):
        unguarded(file, "DELETE FROM snapshots")
    async with SqliteJournal.open(path) as journal:
        with pytest.raises(JournalError, match="bring the finished files back that were archived"):
            await Writing(journal).resume()


# --- gaming days --------------------------------------------------------------------------------------


async def test_a_round_belongs_to_the_day_on_which_it_was_opened_however_late_it_ends(path: Path) -> None:
    locked = next(n for n in range(20, len(EVENTS)) if not is_at_rest(folded(EVENTS[:n])))
    over = next(n for n in range(locked, len(EVENTS)) if is_at_rest(folded(EVENTS[:n])))
    assert not isinstance(EVENTS[over], GamingDayBegan)
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen([*EVENTS[: locked + 3], LATE])
        assert days(path) == []
        await writing.happen(EVENTS[locked + 3 : over])
        assert days(path) == []
        await writing.happen(EVENTS[over : over + 5])
        assert days(path) == ["2026-01-05"]
        assert journal._writer.head.first == over + 2, "the day begins with what came after the round"


async def test_a_table_at_rest_begins_its_day_with_the_word_for_it(path: Path) -> None:
    lay_out(path, 2)
    async with SqliteJournal.open(path) as journal:
        first, *_ = await journal.read(Sequence(journal._writer.head.before.sequence))
    assert isinstance(first.event, GamingDayBegan)
    assert days(path) == ["2026-01-05"]


async def test_around_the_turn_of_a_day_every_event_is_a_commit_of_its_own(path: Path) -> None:
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        await writing.happen(EVENTS[:10])
        state, keeper = writing.state, writing.keeper
        assert list(keeper.parts(state, EVENTS[10:13])) == [EVENTS[10:13]]
        assert list(keeper.parts(state, [LATE, EVENTS[10]])) == [(LATE,), (EVENTS[10],)]
        assert list(keeper.parts(state, [])) == []


async def test_a_long_day_is_filed_in_parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_journal, "LONG_FILE_RECORDS", 100)
    events: list[TableEvent] = days_of_play(1, rounds_a_day=8)
    for start in range(0, len(events), 150):
        async with SqliteJournal.open(path) as journal:
            writing = await Writing(journal).resume()
            for part in range(start, min(start + 150, len(events)), 5):
                await writing.happen(events[part : min(part + 5, len(events))])
    assert set(days(path)) == {"2026-01-05"}
    assert len(days(path)) >= 2
    async with SqliteJournal.open(path) as journal:
        assert [record.event for record in await journal.read(Sequence(0))] == events


async def test_a_day_begins_later_when_its_state_would_take_long_to_compare(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await write(path, EVENTS[:60])
    unguarded(path, "DELETE FROM snapshots")
    monkeypatch.setattr(state_keeper, "KEEP_EVERY_RECORDS", 20)
    async with SqliteJournal.open(path) as journal:
        writing = await Writing(journal).resume()
        assert writing.keeper.is_due(writing.state)
        at_rest = next(n for n in range(60, len(EVENTS)) if is_at_rest(folded(EVENTS[:n])))
        for event in EVENTS[60:at_rest]:
            await journal.append([event])
        writing.state = folded(EVENTS[:at_rest])
        await writing.keeper.file(writing.state, LATE)
        assert days(path) == []
        await writing.keep()
        await writing.keeper.file(writing.state, LATE)
        assert days(path) == ["2026-01-05"]
