"""What a table must not be played with: it is not played, the message says why, and nothing is overwritten."""

import asyncio
import hashlib
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bridge.domain.controller import DisabledReason
from bridge.domain.events import BridgeStarted, BridgeStopped
from bridge.domain.identity import Sequence
from bridge.stores.sqlite_journal import SqliteJournal
from tests.brokers import free_port, running_mosquitto
from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.books import read_books
from tests.processes.table import DEMONSTRATION, ROOT, running_table, scenario
from tests.transports.ports import eventually
from tests.whole_table import Whole, whole

WRONG_USE = 2


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """A copy of the demonstration's table, to be spoilt."""
    for file in DEMONSTRATION.parent.glob("blackjack*.toml"):
        shutil.copy(file, tmp_path)
    return tmp_path / DEMONSTRATION.name


def run(command: str, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a process of a table that is expected to end by itself."""
    return subprocess.run(
        leashed(
            *(sys.executable, "-m", "bridge", command, str(file), "--broker", f"127.0.0.1:{free_port()}", *options)
        ),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE_S,
        check=False,
    )


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == WRONG_USE, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def contents(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@asynccontextmanager
async def played_in_memory(folder: Path) -> AsyncIterator[Whole]:
    """Play, and leave behind in ``folder/var`` what the processes of a table do."""
    (folder / "var").mkdir()
    async with whole(folder) as table:
        yield table
    for kind in ("journal", "meters"):
        (folder / kind).rename(folder / "var" / f"{table.parts.table}.{kind}")


@pytest.fixture
async def storage(tmp_path: Path) -> Path:
    """What a table leaves behind that has played a round."""
    async with played_in_memory(tmp_path) as table:
        await table.people.play(scenario("lost")[0])
    return tmp_path / "var"


def test_a_corrupt_journal_is_set_aside_unaltered_and_no_new_one_is_begun(storage: Path) -> None:
    (journal,) = storage.glob("*.journal")
    with closing(sqlite3.connect(journal)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            "UPDATE records SET body = CAST(replace(body, 'module', 'models') AS BLOB) WHERE sequence = 9"
        )
        connection.commit()
    spoilt = hashlib.sha256(journal.read_bytes()).hexdigest()

    first = run("daemon", DEMONSTRATION, "--storage", str(storage))
    again = run("daemon", DEMONSTRATION, "--storage", str(storage))

    assert_refused(first, str(journal), "damaged", "set aside", "supervisor")
    assert_refused(again, str(journal), "set aside", "start again")
    (aside,) = (file for file in storage.glob("*.journal.*") if "-wal" not in file.name)
    assert hashlib.sha256(aside.read_bytes()).hexdigest() == spoilt
    assert not journal.exists()


def test_a_journal_whose_file_is_gone_is_not_begun_anew_while_its_log_is_there(storage: Path) -> None:
    (journal,) = storage.glob("*.journal")
    journal.rename(f"{journal}-wal")

    assert_refused(run("daemon", DEMONSTRATION, "--storage", str(storage)), str(journal), "gone")
    assert not journal.exists()


async def test_a_journal_in_use_by_another_daemon_is_left_to_it(storage: Path) -> None:
    path = storage / "bj-demo.journal"
    async with SqliteJournal.open(path) as journal:
        records = list(await journal.read(Sequence(0)))
        second = await asyncio.to_thread(run, "daemon", DEMONSTRATION, "--storage", str(storage))

        assert_refused(second, str(path), "in use by another process", "Only one daemon")
        await journal.append([records[-1].event])
        assert [record.event for record in await journal.read(Sequence(len(records)))] == [records[-1].event]
    assert len(records) > 50


def test_a_corrupt_meter_store_is_refused_and_left_in_place(storage: Path) -> None:
    (meters,) = storage.glob("*.meters")
    with closing(sqlite3.connect(meters)) as connection:
        connection.execute("UPDATE progressives SET display = display + 1")
        connection.commit()
    before = contents(storage)

    assert_refused(run("rules-worker", DEMONSTRATION, "--storage", str(storage)), str(meters), "left as it is")
    assert {name: digest for name, digest in contents(storage).items() if "-" not in name} == {
        name: digest for name, digest in before.items() if "-" not in name
    }


async def test_1_39b_a_corrupt_meter_store_disables_the_controller_of_its_table(tmp_path: Path) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        await table.worker.stop()
        with closing(sqlite3.connect(table.meters)) as connection:
            connection.execute("UPDATE progressives SET display = display + 1")
            connection.commit()
        await table.worker.start()
        view = await table.until_seen(lambda view: bool(view.disabled), "the controller to be disabled")

        assert [one.reason for one in view.disabled] == [DisabledReason.STORAGE_FAILURE]
        assert "left as it is" in view.disabled[0].detail
        assert await table.worker.ended() == WRONG_USE
        table.worker._may_end = True


async def test_5319_54_a_killed_daemon_comes_back_as_it_was_and_a_stopped_one_said_so(tmp_path: Path) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        first = table.epoch_of("daemon")
        await table.daemon.kill()
        await table.daemon.start()
        await table.until(lambda: table.epoch_of("daemon") > first, "the daemon to be there again")
        await table.until_ready()
        assert table.display.view is not None
        assert table.display.view.disabled == ()
        await table.daemon.stop()
    events = [record.event for record in (await read_books(table)).records]
    assert isinstance(events[-1], BridgeStopped)
    starts = [event for event in events if isinstance(event, BridgeStarted)]
    assert len({(start.software, start.boot_id) for start in starts}) == 1
    assert all(start.software for start in starts)


async def test_a_locked_round_is_not_finished_under_other_rules(tmp_path: Path, table_file: Path) -> None:
    (script,) = scenario("lost")
    async with played_in_memory(tmp_path) as table:
        await eventually(lambda: not table.parts.daemon.state.lost)
        await table.people._lock_out(script, await table.people._wager(script))
        await eventually(lambda: table.parts.daemon.state.round.locked)
    storage = tmp_path / "var"
    rules = table_file.with_name("blackjack.rules.toml")
    rules.write_text(rules.read_text().replace('ace_adjacency = "both"', 'ace_adjacency = "high"'))
    before = contents(storage)

    refused = await asyncio.to_thread(run, "daemon", table_file, "--storage", str(storage))

    assert_refused(refused, "was locked under", "finish the round")
    assert contents(storage).items() >= before.items(), "whatever was there is as it was"
