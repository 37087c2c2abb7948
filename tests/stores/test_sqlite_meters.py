# ruff: noqa: ASYNC220, ASYNC221, ASYNC240 - nothing else waits on the event loop of a test
import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge import __version__
from bridge.domain.meters import PostingReason
from bridge.domain.money import Cents
from bridge.rules.submission import Progressive
from bridge.stores.meter_reader import MeterReader
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.patience import PATIENCE_S
from tests.stores.meter_suite import MeterStoreTests
from tests.stores.meters import PROGRESSIVE, ROYAL, WHOLE_LIFE, signed, units, wagered, won


class TestSqliteMeterStore(MeterStoreTests):
    def open(self, folder: Path, progressives: tuple[Progressive, ...] = (PROGRESSIVE,)) -> SqliteMeterStore:
        return SqliteMeterStore.open(folder / "meters.sqlite", progressives)

    def examine(self, folder: Path) -> None:
        """Every win is accounted for, and reading needs no more than the file."""
        with MeterReader.open(folder / "meters.sqlite") as meters:
            for reading in meters.readings():
                assert all(audit.adds_up for audit in meters.audit(reading.progressive))


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
        ("UPDATE progressives SET display = display + 1", r"display .* says 0\.0001, .* add up to 0\.0000"),
        ("UPDATE progressives SET overflow = 7", r"overflow .* says 0\.0007, .* add up to 0\.0000"),
        ("UPDATE progressives SET records = records - 1", r"made of 3 records, but 4 postings, 0 acts and 0 held"),
        ("UPDATE progressives SET in_meter = 3", r"in-meter .* says 3 wagers, but 2 are on record"),
        ("UPDATE progressives SET hits = 2", r"hits .* says 2, but its awards come to 1"),
        ("UPDATE progressives SET wins_cents = 1", r"wins .* says 1, but its awards come to 5000150"),
        (
            "UPDATE progressives SET attendant_paid_cents = 5, cumulative_paid_cents = 5",
            r"attendant-paid total .* says 5, but its awards come to 0",
        ),
        ("DELETE FROM postings WHERE reason = 'contribution'", r"says 0\.0000, .* add up to -1\.5000"),
        ("INSERT INTO award_acts VALUES (9, 1, 'rejected', 'x', '', 0, 0, 0)", r"1 acts"),
    ],
)
async def test_a_figure_that_is_not_what_is_on_record_is_refused(path: Path, statement: str, message: str) -> None:
    await fill(path)
    alter(path, "DROP TRIGGER postings_are_never_deleted", statement)
    content = path.read_bytes()
    said = await refusal(path)
    assert re.search(message, said)
    assert "left as it is" in said
    assert path.read_bytes() == content


async def test_a_rejected_award_that_was_not_restored_is_refused(path: Path) -> None:
    await fill(path)
    alter(
        path,
        "INSERT INTO award_acts VALUES (9, 1, 'rejected', 'x', '', 0, 0, 0)",
        "UPDATE progressives SET records = records + 1",
    )
    said = await refusal(path)
    assert (
        "award of position 2 in round 1 of table blackjack-7 is rejected, and 0.0000 instead of 50,001.50" in said
    )


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


POSTING = (
    "INSERT INTO postings (progressive, key, pool, reason, amount, wagers, by, text, at)"
    " VALUES ('royal-match', 'x', '{pool}', '{reason}', {amount}, 0, '{by}', '{text}', 0)"
)


def posting(
    reason: str, amount: object, pool: str = "display", by: str = "rules worker", text: str = "why"
) -> str:
    return POSTING.format(reason=reason, amount=amount, pool=pool, by=by, text=text)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE postings SET amount = 0 WHERE number = 1",
        "DELETE FROM postings",
        "DELETE FROM awards",
        "UPDATE awards SET among = 1",
        "DELETE FROM progressives",
        "UPDATE progressives SET display = 1.5",
        "UPDATE progressives SET base_cents = 1",
        "UPDATE progressives SET device_paid_cents = 1",
        "UPDATE progressives SET cumulative_paid_cents = 1",
        "UPDATE progressives SET overflow = -1",
        posting("contribution", 0.5),
        posting("contribution", "'many'"),
        posting("contribution", -1),
        posting("contribution", 1, pool="somewhere"),
        posting("contribution", 1, by=""),
        posting("award", 5),
        posting("reserve", 5),
        posting("restoration", 5),
        posting("parameters", 1),
        posting("gaming_ended", 1),
        posting("limit_correction", 1),
        posting("cashed", 1),
        posting("reseed", -1),
        posting("correction", -1, text=" "),
        posting("transfer", -1, text=""),
        posting("contribution", 1).replace("'x'", "'blackjack-7/1/contribution/royal_match_progressive/1'"),
    ],
)
async def test_the_database_itself_forbids(path: Path, statement: str) -> None:
    await fill(path)
    with pytest.raises(sqlite3.IntegrityError):
        alter(path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        posting("correction", -1),
        posting("transfer", -1),
        posting("gaming_ended", -1),
        posting("limit_correction", -1),
        posting("correction", 1, text=""),
        posting("reseed", -1, pool="reserve"),
    ],
)
async def test_1_52_f_the_database_allows_what_is_named(path: Path, statement: str) -> None:
    await fill(path)
    alter(path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE award_acts SET by = 'nobody'",
        "DELETE FROM award_acts",
        "INSERT INTO award_acts VALUES (99, 1, 'rejected', 'f.lopez', '', 0, 0, 0)",
        "INSERT INTO award_acts VALUES (99, 1, 'paid', 'f.lopez', '', 0, 0, 0)",
        "UPDATE progressives SET attendant_paid_cents = 0, cumulative_paid_cents = 0",
    ],
)
async def test_605a_7_a_what_was_done_and_paid_stands(path: Path, statement: str) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        await store.post(won(1, 2))
        await store.post(signed(1, 2))
    with pytest.raises(sqlite3.IntegrityError):
        alter(path, statement)


async def test_a_held_contribution_is_never_changed(path: Path) -> None:
    watched = replace(PROGRESSIVE, unreasonable_above=Cents(75))
    async with SqliteMeterStore.open(path, (watched,)) as store:
        await store.post(wagered(1, 1, wager=5_000))
    for statement in ("UPDATE held_contributions SET amount = 1", "DELETE FROM held_contributions"):
        with pytest.raises(sqlite3.IntegrityError):
            alter(path, statement)


async def test_r35_to_r40_who_did_what_about_an_award_is_recorded_with_its_time(path: Path) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as store:
        await store.post(won(1, 2))
        await store.post(signed(1, 2, acts=WHOLE_LIFE[:2]))
        await store.post(signed(1, 2))
    with closing(sqlite3.connect(path)) as connection:
        acts = connection.execute("SELECT act, by, done_at, answers, at > 0 FROM award_acts ORDER BY number")
        assert acts.fetchall() == [(act, "f.lopez", 1_000 + order, 10, 1) for order, act in enumerate(WHOLE_LIFE)]


async def test_the_software_and_the_rules_submission_are_on_record(path: Path) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,), submission="d1" * 32) as store:
        (seed,) = await store.postings(ROYAL)
    assert seed.text == f"filed under rules submission {'d1' * 32}"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT software FROM about").fetchone() == (__version__,)


_WORKER = """
import asyncio, json, sys
from pathlib import Path
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.stores.meters import PROGRESSIVE, signed, wagered, won

async def main():
    async with SqliteMeterStore.open(Path(sys.argv[1]), (PROGRESSIVE,)) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        awards = []
        for number in range(1, 41):
            await store.post(wagered(number, 1, 2, 3))
            if number % 5 == 0:
                awards += (await store.post(won(number, 1, 2, 3))).awards
                await store.post(signed(number, 1, 2, 3))
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
        assert {reason: reasons.count(reason) for reason in set(reasons)} == {
            PostingReason.SEED: 1,
            PostingReason.CONTRIBUTION: 120,
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
from tests.stores.meters import PROGRESSIVE, signed, wagered, won

async def main():
    async with SqliteMeterStore.open(Path(sys.argv[1]), (PROGRESSIVE,)) as store:
        for number in range(1, 100000):
            for entries in (wagered(number, 1, 2), won(number, 1, 2), signed(number, 1, 2)):
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
            for entries in (wagered(number, 1, 2), won(number, 1, 2), signed(number, 1, 2)):
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
from tests.stores.meters import PROGRESSIVE, wagered

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
        assert after.records == before.records + 7

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


async def test_meters_that_are_taken_away_while_they_are_kept_are_told(path: Path) -> None:
    async with SqliteMeterStore.open(path, (PROGRESSIVE,)) as meters:
        before = await meters.readings()
        path.rename(path.with_name("elsewhere"))
        with pytest.raises(MeterStoreError, match="removed or replaced while it was in use; bring it back"):
            await meters.readings()
        path.with_name("elsewhere").rename(path)
        assert await meters.readings() == before


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = await refusal(tmp_path / "file" / "meters.sqlite")
    assert "cannot create" in said
    assert "a part of that path is a file" in said
