# ruff: noqa: ASYNC240 - nothing else waits on the event loop of a test
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge import __version__
from bridge.domain.identity import RoundNumber, Sequence, TableId
from bridge.stores import heard_store
from bridge.stores.heard import Heard, HeardStoreError, Search
from bridge.stores.heard_store import HeardStore
from tests.stores.hearing import OPENED, StoodClock, Telling
from tests.transports.ports import eventually

TABLE = TableId("bj-1")
DAY_US = 86_400_000_000
EVERYTHING = Search()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


def hear(store: HeardStore, *numbers: int, table: Telling | None = None) -> Telling:
    table = table or Telling()
    for number in numbers:
        for envelope in table.played(number):
            store.take(envelope)
    return table


async def numbers(store: HeardStore) -> list[int]:
    return [one.place.number for one in (await store.find(TABLE, EVERYTHING)).rounds]


def opened(path: Path | None, clock: StoodClock | None = None, days: int = 30) -> HeardStore:
    return HeardStore.open(path, days=days, clock=clock or StoodClock())


async def refusal(path: Path) -> str:
    with pytest.raises(HeardStoreError) as caught:
        async with opened(path):
            pytest.fail("opened")
    return str(caught.value)


@pytest.mark.parametrize("where", ["file", "memory"])
async def test_what_was_taken_is_there_for_whoever_reads_after_it(path: Path, where: str) -> None:
    async with opened(path if where == "file" else None) as store:
        hear(store, 1, 2)

        assert await numbers(store) == [2, 1]
        assert (await store.read(TABLE, RoundNumber(1))).round.round.number == 1
        assert await store.won_as(TABLE) == ()
        assert len(await store.last_rounds(TABLE, 5)) == 2
        assert store.in_memory is (where == "memory")
        assert store.trouble == ""


async def test_what_nobody_asks_for_is_written_all_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heard_store, "_GATHER_S", 0.0)
    async with opened(path) as store:
        hear(store, 1)
        await eventually(lambda: not store._waiting)


async def test_the_next_process_finds_what_the_last_one_heard(path: Path) -> None:
    async with opened(path) as store:
        table = hear(store, 1, 2)
    async with opened(path) as store:
        hear(store, 3, table=table)

        assert await numbers(store) == [3, 2, 1]
        assert (await store.read(TABLE, RoundNumber(3))).gaps == ()


async def test_the_file_is_private_and_names_who_wrote_it(path: Path) -> None:
    async with opened(path) as store:
        hear(store, 1)
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT software FROM about").fetchone() == (__version__,)


async def test_old_rounds_are_removed_when_it_is_opened_and_when_a_round_begins(path: Path) -> None:
    clock = StoodClock(OPENED + 99 * DAY_US)
    async with opened(path, clock) as store:
        table = hear(store, 1, 2)
        assert await numbers(store) == [2, 1], "whatever the clock of the table says"
        clock.wall_us += 30 * DAY_US
        hear(store, 3, table=table)
        assert await numbers(store) == [3, 2, 1]
        clock.wall_us += 1
        hear(store, 4, table=table)
        assert await numbers(store) == [4, 3]
    clock.wall_us += DAY_US
    async with opened(path, clock, days=1) as store:
        assert await numbers(store) == [4]


async def test_in_memory_only_so_many_rounds_are_kept(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(heard_store, "ROUNDS_IN_MEMORY", 2)
    async with opened(None) as store, opened(path) as in_file:
        for one in (store, in_file):
            hear(one, 1, 2, 3)

        assert await numbers(store) == [3, 2]
        assert await numbers(in_file) == [3, 2, 1]


async def test_a_full_disk_is_said_and_what_is_heard_meanwhile_waits_until_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heard_store, "_GATHER_S", 0.0)
    monkeypatch.setattr(heard_store, "_TRY_AGAIN_S", 0.0)
    async with opened(path) as store:
        table = hear(store, 1)
        assert await numbers(store) == [1]
        assert store._thread is not None
        pages = await limit(store, 1)

        hear(store, *range(2, 40), table=table)
        assert await numbers(store) == [1]

        assert "database or disk is full; free some space on that disk" in store.trouble
        assert await numbers(store) == [1]
        await limit(store, pages)
        await eventually(lambda: not store.trouble)
        assert await numbers(store) == list(range(39, 0, -1))


async def test_a_history_that_is_taken_away_is_said_and_written_again_when_it_is_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heard_store, "_GATHER_S", 0.0)
    monkeypatch.setattr(heard_store, "_TRY_AGAIN_S", 0.0)
    async with opened(path) as store:
        table = hear(store, 1)
        assert await numbers(store) == [1]
        path.rename(path.with_name("elsewhere"))

        hear(store, 2, table=table)
        await eventually(lambda: "was moved, removed or replaced while it was in use" in store.trouble)
        path.with_name("elsewhere").rename(path)
        await eventually(lambda: not store.trouble)
        assert await numbers(store) == [2, 1]


def unstorable(envelope: Heard) -> Heard:
    """Return a message with a number that SQLite has no room for."""
    return envelope.model_copy(update={"sequence": Sequence(2**63)})


async def test_a_message_that_no_database_holds_is_set_aside_and_those_around_it_are_written(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(path) as store:
        table = hear(store, 1, 2)
        store.take(unstorable(table.event()))
        hear(store, 3, table=table)
        store.take(unstorable(table.round()))
        hear(store, 4, table=table)

        assert await numbers(store) == [4, 3, 2, 1]
        assert (store.refused, store.trouble) == (2, "")
        refused = [record.message for record in caplog.records]
        assert [said.partition(" is not kept")[0] for said in refused] == [
            "EventEnvelope of table bj-1",
            "RoundEnvelope of table bj-1",
        ]
    async with opened(path) as store:
        assert await numbers(store) == [4, 3, 2, 1]


async def test_what_is_not_kept_for_want_of_room_is_not_taken_for_a_message_that_is_refused(path: Path) -> None:
    async with opened(path) as store:
        table = hear(store, 1)
        assert await numbers(store) == [1]
        pages = await limit(store, 1)
        store.take(unstorable(table.event()))
        hear(store, *range(2, 40), table=table)
        assert 39 not in await numbers(store)
        assert "database or disk is full" in store.trouble
        await limit(store, pages)
        assert store._thread is not None
        await store._thread.run(store._write_waiting)
        assert await numbers(store) == list(range(39, 0, -1))
        assert (store.refused, store.trouble) == (1, "")


async def limit(store: HeardStore, pages: int) -> int:
    """Let the file grow no further than that, or than it is; return how far it could before."""
    assert store._thread is not None

    def work() -> int:
        connection = store._connected()
        (before,) = connection.execute("PRAGMA max_page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()
        return int(before)

    return await store._thread.run(work)


async def test_while_nothing_can_be_written_only_so_much_waits_and_the_newest_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heard_store, "_WAITING_MAX", 8)
    async with opened(path) as store:
        assert store._thread is not None
        await store._thread.run(lambda: store._connected().execute("PRAGMA query_only = ON"))
        table = hear(store, 1)
        assert await numbers(store) == []
        hear(store, *range(2, 6), table=table)
        assert len(store._waiting) == 8
        await store._thread.run(lambda: store._connected().execute("PRAGMA query_only = OFF"))
        await store._thread.run(store._write_waiting)

        assert await numbers(store) == [5]


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\x00, and nothing of it" * 300])
async def test_a_file_that_is_damaged_is_set_aside_and_the_next_start_begins_a_new_one(
    path: Path, damage: bytes
) -> None:
    path.write_bytes(damage)
    said = await refusal(path)
    aside = min(path.parent.glob("history.sqlite.damaged-*"))

    assert f"set aside as {aside}, unaltered. Start again, and a new one begins" in said
    assert aside.read_bytes() == damage
    async with opened(path) as store:
        hear(store, 1)
        assert await numbers(store) == [1]


async def test_a_file_of_somebody_else_that_was_named_by_mistake_is_left_as_it_is(path: Path) -> None:
    path.write_text('table = "bj-demo"\n')
    path.chmod(0o644)

    assert "is no history and was left as it is: give --history a file of its own" in await refusal(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_text() == 'table = "bj-demo"\n'
    assert path.stat().st_mode & 0o777 == 0o644


async def test_a_folder_or_a_device_in_the_place_of_a_history_is_left_as_it_is(path: Path) -> None:
    os.mkfifo(path)

    assert "is a folder or a device, and no file; configure another path" in await refusal(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


async def test_a_file_that_is_damaged_inside_is_found_out_before_it_is_used(path: Path) -> None:
    async with opened(path) as store:
        hear(store, *range(1, 60))
    content = bytearray(path.read_bytes())
    content[3 * 4096 : 5 * 4096] = b"\xff" * 8192
    path.write_bytes(content)

    assert "is damaged" in await refusal(path)
    aside = min(path.parent.glob("history.sqlite.damaged-*"))
    assert aside.read_bytes() == content


async def test_a_file_of_a_later_release_is_refused_and_left(path: Path) -> None:
    async with opened(path) as store:
        hear(store, 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    content = path.read_bytes()

    assert "is a history of rounds of schema version 99" in await refusal(path)
    assert path.read_bytes() == content


async def test_two_dashboards_do_not_share_a_history(path: Path) -> None:
    async with opened(path):
        assert "in use by another process. Give each dashboard a history of its own" in await refusal(path)


async def test_a_folder_that_cannot_be_written_is_said_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "a part of that path is a file; configure another path" in await refusal(tmp_path / "file" / "history")


async def test_a_file_that_can_no_longer_be_read_is_said_and_the_rest_goes_on(path: Path) -> None:
    async with opened(path) as store:
        hear(store, 1)
        assert await numbers(store) == [1]
        assert store._thread is not None
        await store._thread.run(lambda: store._connected().execute("DROP TABLE wagers"))
        with pytest.raises(HeardStoreError, match="cannot be read: no such table"):
            await store.find(TABLE, EVERYTHING)


async def test_what_is_not_open_takes_and_gives_nothing(path: Path) -> None:
    store = opened(path)
    with pytest.raises(HeardStoreError, match="it is not open"):
        await store.find(TABLE, EVERYTHING)
    async with store:
        pass
    hear(store, 1)
    with pytest.raises(HeardStoreError, match="it is not open"):
        await store.find(TABLE, EVERYTHING)
