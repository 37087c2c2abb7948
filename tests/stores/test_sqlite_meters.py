# ruff: noqa: ASYNC220, ASYNC221, ASYNC240 - nothing else waits on the event loop of a test
import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bridge.domain.meters import PostingReason
from bridge.rules.submission import Progressive
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.patience import PATIENCE_S
from tests.stores.suites import PROGRESSIVE, ROYAL, MeterStoreTests, units, validated, wagered, won


class TestSqliteMeterStore(MeterStoreTests):
    def open(self, folder: Path, progressives: tuple[Progressive, ...] = (PROGRESSIVE,)) -> SqliteMeterStore:
        return SqliteMeterStore.open(folder / "meters.sqlite", progressives)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "meters.sqlite"


def alter(path: Path, *statements: str) -> None:
    """Do to the file what only somebody else would do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


async def fill(path: Path) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        await store.post(wagered(1, 1, 2))
        await store.post(won(1, 2))


async def refusal(path: Path) -> str:
    with pytest.raises(MeterStoreError) as caught:
        async with SqliteMeterStore.open(path, (PROGRESSIVE,)):
            pytest.fail("opened")
    return str(caught.value)


async def test_the_file_is_private_and_so_is_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "state" / "meters.sqlite"
    await fill(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE progressives SET total = total + 1", r"says 0\.0001 in 4 postings.* are 4 and add up to 0\.0000"),
        ("UPDATE progressives SET postings = postings - 1", r"says 0\.0000 in 3 postings.* are 4 and"),
        ("DELETE FROM postings WHERE reason = 'contribution'", r"are 2 and add up to -1\.5000"),
        (
            "DELETE FROM awards",
            r"awards of progressive royal-match add up to 0\.0000, but 50,001\.5000 was posted",
        ),
    ],
)
async def test_a_total_that_is_not_the_sum_of_its_postings_is_refused(
    path: Path, statement: str, message: str
) -> None:
    await fill(path)
    alter(path, "DROP TRIGGER postings_are_never_deleted", "DROP TRIGGER awards_are_never_deleted", statement)
    content = path.read_bytes()
    said = await refusal(path)
    assert re.search(message, said)
    assert "left as it is" in said
    assert path.read_bytes() == content


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 300])
async def test_a_file_that_is_no_store_is_refused_and_left(path: Path, damage: bytes) -> None:
    path.write_bytes(damage)
    for _ in range(2):
        said = await refusal(path)
        assert str(path) in said
        assert "left as it is" in said
    assert path.read_bytes() == damage


async def test_a_store_cut_short_is_refused_and_left(path: Path) -> None:
    await fill(path)
    cut = path.read_bytes()[:-5000]
    path.write_bytes(cut)
    assert "is damaged" in await refusal(path)
    assert path.read_bytes() == cut


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE postings SET amount = 0 WHERE number = 1",
        "DELETE FROM postings",
        "DELETE FROM awards",
        "UPDATE awards SET amount_cents = 1",
        "INSERT INTO postings VALUES (99, 'royal-match', 'x', 'contribution', 0.5, 0)",
        "INSERT INTO postings VALUES (99, 'royal-match', 'x', 'contribution', 'many', 0)",
        "INSERT INTO postings VALUES (99, 'royal-match', 'x', 'award', 5, 0)",
        "INSERT INTO postings VALUES (99, 'royal-match', 'seed', 'seed', 1, 0)",
        "UPDATE progressives SET total = 1.5",
        "INSERT INTO postings VALUES (99, 'royal-match', 'x', 'correction', 5, 0)",
    ],
)
async def test_the_database_itself_forbids(path: Path, statement: str) -> None:
    await fill(path)
    with pytest.raises(sqlite3.IntegrityError):
        alter(path, statement)


async def test_who_validated_an_award_is_recorded(path: Path) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        await store.post(won(1, 2))
        await store.post(validated(1, 2))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT validated_by, validated_at > 0 FROM awards").fetchall() == [
            ("f.lopez", 1)
        ]


_WORKER = """
import asyncio, json, sys
from pathlib import Path
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.stores.suites import PROGRESSIVE, validated, wagered, won

async def main():
    async with SqliteMeterStore.open(Path(sys.argv[1]), (PROGRESSIVE,)) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        awards = []
        for number in range(1, 41):
            await store.post(wagered(number, 1, 2, 3))
            if number % 5 == 0:
                awards += (await store.post(won(number, 1, 2, 3))).awards
                await store.post(validated(number, 1, 2, 3))
        print(json.dumps([[a.round_number, a.position, a.amount, a.win_number] for a in awards]))

asyncio.run(main())
"""


async def test_two_workers_post_the_same_rounds_once_and_hear_the_same(path: Path) -> None:
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _WORKER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    answers = [json.loads(worker.communicate(timeout=PATIENCE_S)[0]) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert answers[0] == answers[1]
    assert [row[3] for row in answers[0]] == [win for win in range(1, 9) for _ in range(3)]
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        reasons = [posting.reason for posting in await store.postings(ROYAL)]
        assert {reason: reasons.count(reason) for reason in PostingReason} == {
            PostingReason.SEED: 1,
            PostingReason.CONTRIBUTION: 120,
            PostingReason.CORRECTION: 0,
            PostingReason.AWARD: 24,
            PostingReason.RESEED: 8,
        }


async def test_two_stores_of_one_process_take_turns(path: Path) -> None:
    async with (
        SqliteMeterStore.open(path, (PROGRESSIVE,)) as one,
        SqliteMeterStore.open(path, (PROGRESSIVE,)) as other,
    ):
        await asyncio.gather(
            *(store.post(wagered(number, 1)) for number in range(1, 31) for store in (one, other))
        )
        (reading,) = await other.readings()
        assert reading.exact == units("50,022.50")


_KILLED = """
import asyncio, sys
from pathlib import Path
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.stores.suites import PROGRESSIVE, validated, wagered, won

async def main():
    async with SqliteMeterStore.open(Path(sys.argv[1]), (PROGRESSIVE,)) as store:
        for number in range(1, 100000):
            for entries in (wagered(number, 1, 2), won(number, 1, 2), validated(number, 1, 2)):
                await store.post(entries)
            print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("rounds", [1, 9])
async def test_a_worker_killed_at_any_moment_leaves_whole_entries(path: Path, rounds: int) -> None:
    with subprocess.Popen([sys.executable, "-c", _KILLED, str(path)], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        for _ in range(rounds):
            acknowledged = int(worker.stdout.readline())
        worker.kill()
        acknowledged = max([acknowledged, *map(int, worker.stdout.read().split("\n")[:-1])])
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        keys = [posting.key for posting in await store.postings(ROYAL)]
        for number in range(1, acknowledged + 1):
            assert f"blackjack-7/{number}/reseed" in keys
        for number in range(1, acknowledged + 2):
            for entries in (wagered(number, 1, 2), won(number, 1, 2), validated(number, 1, 2)):
                await store.post(entries)
        reasons = [posting.reason for posting in await store.postings(ROYAL)]
        assert (
            reasons.count(PostingReason.CONTRIBUTION)
            == reasons.count(PostingReason.AWARD)
            == 2 * (acknowledged + 1)
        )
        assert reasons.count(PostingReason.RESEED) == acknowledged + 1


_FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.stores.suites import PROGRESSIVE, wagered

async def main():
    async with SqliteMeterStore.open(Path(sys.argv[1]), (PROGRESSIVE,)) as store:
        await store.post(wagered(1, 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, resource.RLIM_INFINITY))
        try:
            for number in range(2, 1000):
                await store.post(wagered(number, *range(1, 8)))
        except MeterStoreError as error:
            print(error)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        before = (await store.readings())[0]
        after = (await store.post(wagered(number, *range(1, 8)))).readings[0]
        assert after.postings == before.postings + 7

asyncio.run(main())
"""


async def test_a_full_disk_is_told_and_posting_goes_on_when_it_is_not_full(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, str(path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "free some space" in done.stdout


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = await refusal(tmp_path / "file" / "meters.sqlite")
    assert "cannot create" in said
    assert "a part of that path is a file" in said
