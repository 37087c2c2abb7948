"""A few of each kind of fault; ``python -m tests.faults`` brings them by the thousand."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.brokers import Mosquitto, running_mosquitto
from tests.faults.disk import SmallDisk, may_mount, small_disk
from tests.faults.proxy import Chances, Mishap, faulty_proxy
from tests.faults.skewed import OFFSET_FILE, SkewedClock
from tests.faults.trouble import (
    Trouble,
    full_disk,
    killings,
    play_in_trouble,
    read_only_disk,
    stepped_clock,
    until_round,
)


async def test_T53_T54_whoever_is_killed_whenever_the_books_balance(tmp_path: Path) -> None:
    async with running_mosquitto() as broker:
        deaths = killings(broker, ("daemon", "rules-worker", "broker", "daemon"), seed=5)
        balance = await play_in_trouble(tmp_path, broker, deaths, seed=5)
    assert balance.rounds >= 1
    assert balance.contributions >= 1


async def test_T54_messages_lost_doubled_and_overtaken_lose_and_double_no_money(tmp_path: Path) -> None:
    async with (
        running_mosquitto() as broker,
        faulty_proxy(broker, Chances(lost=0.1, doubled=0.1, overtaken=0.1), seed=1) as proxy,
    ):
        balance = await play_in_trouble(tmp_path, broker, until_round(2), seed=1, address=proxy)
    assert balance.rounds >= 2
    assert min(proxy.counts[mishap] for mishap in Mishap) >= 1


@pytest.fixture(name="clock")
def _clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SkewedClock]:
    offset = tmp_path / "offset"
    offset.write_text("0")
    monkeypatch.setenv(OFFSET_FILE, str(offset))
    clock = SkewedClock(offset)
    clock.install()
    yield clock
    clock.restore()


async def test_T55_a_clock_set_a_day_forward_and_back_loses_nothing(tmp_path: Path, clock: SkewedClock) -> None:
    async with running_mosquitto() as broker:
        balance = await play_in_trouble(
            tmp_path, broker, stepped_clock(clock, 4, seed=2), seed=2, module="tests.faults.skewed"
        )
    assert balance.rounds >= 1


@pytest.mark.skipif(not may_mount(), reason="only a superuser may mount a disk of its own for this test")
@pytest.mark.parametrize("trouble", [full_disk, read_only_disk])
async def test_a_disk_that_cannot_be_written_ends_the_table_in_words_and_loses_nothing(
    tmp_path: Path, trouble: Callable[[SmallDisk, int, int], Trouble]
) -> None:
    async with running_mosquitto() as broker:
        balance = await _on_small_disk(tmp_path, broker, trouble)
    assert balance >= 1


async def _on_small_disk(
    directory: Path, broker: Mosquitto, trouble: Callable[[SmallDisk, int, int], Trouble]
) -> int:
    with small_disk(directory / "var") as disk:
        return (await play_in_trouble(directory, broker, trouble(disk, 1, 3), seed=3)).rounds
