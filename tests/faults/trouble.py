"""A table that is played while something goes wrong, and its books afterwards."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Literal

from bridge.domain.confirmations import ControllerEnabled
from simulators.at_table import soon
from tests.brokers import Address, Mosquitto
from tests.faults.balance import Balance, check_balance
from tests.faults.disk import SmallDisk
from tests.faults.rounds import rounds_worth_losing
from tests.faults.skewed import DAY_US, SkewedClock
from tests.processes.books import read_books
from tests.processes.table import FLOORPERSON, BridgeProcess, RunningTable, running_table

Victim = Literal["daemon", "rules-worker", "broker"]
Trouble = Callable[[RunningTable], Awaitable[None]]
_LIFE_S = 2.0
"""Longest time between two deaths; a process takes about as long to start as this."""


async def play_in_trouble(
    directory: Path,
    broker: Mosquitto,
    trouble: Trouble,
    *,
    seed: int = 0,
    address: Address | None = None,
    module: str = "bridge",
) -> Balance:
    """Play rounds until the trouble is over, finish the round, and return what the books come to.

    Assert that they balance, that the lock never let go in a locked round, and that no process ended by itself.
    """
    async with running_table(directory, broker, address=address, module=module) as table:
        async with asyncio.TaskGroup() as tasks:
            floorperson = tasks.create_task(_floorperson(table), name="floorperson")
            troubled = tasks.create_task(_run(trouble, table), name="trouble")
            for script in rounds_worth_losing(seed, table.config.setup.deal_order):
                await table.play(script)
                if troubled.done():
                    break
            floorperson.cancel()
        await table.until_ready()
        await table.daemon.stop()
        await table.worker.stop()
        assert table.eyes.lock_let_go == 0, "the lock-out let go while the round was locked"
        assert table.eyes.lamps_changed == 0, "an acceptance lamp changed while the round was locked"
        return check_balance(await read_books(table), table.eyes.heard, table.config.submission)


async def _run(trouble: Trouble, table: RunningTable) -> None:
    await table.until_ready()
    await trouble(table)


def killings(broker: Mosquitto, victims: Sequence[Victim], seed: int) -> Trouble:
    """Return the trouble of what is killed at random instants, one after the other, and started again at once."""
    chance = random.Random(seed)  # noqa: S311 - instants have to be repeatable, not secret

    async def kill(table: RunningTable) -> None:
        for victim in victims:
            await asyncio.sleep(chance.uniform(0, _LIFE_S))
            match victim:
                case "daemon":
                    await table.daemon.kill()
                    await table.daemon.start()
                case "rules-worker":
                    await table.worker.kill()
                    await table.worker.start()
                case "broker":
                    await broker.kill()
                    await broker.restart()

    return kill


def full_disk(disk: SmallDisk, times: int, seed: int) -> Trouble:
    """Return the trouble of a disk that is full at random instants, until somebody makes room."""
    chance = random.Random(seed)  # noqa: S311 - instants have to be repeatable, not secret

    async def fill_up(table: RunningTable) -> None:
        for _ in range(times):
            await asyncio.sleep(chance.uniform(0, _LIFE_S))
            disk.fill()
            await _refused(table.daemon, "free some space")
            await table.daemon.start()
            await _refused(table.daemon, "free some space")
            await table.worker.kill()
            disk.free()
            await table.worker.start()
            await table.daemon.start()
            await table.until_ready()

    return fill_up


def read_only_disk(disk: SmallDisk, times: int, seed: int) -> Trouble:
    """Return the trouble of a power cut after which the disk cannot be written, until somebody mends it."""
    chance = random.Random(seed)  # noqa: S311 - instants have to be repeatable, not secret

    async def cut(table: RunningTable) -> None:
        for _ in range(times):
            await asyncio.sleep(chance.uniform(0, _LIFE_S))
            await table.daemon.kill()
            await table.worker.kill()
            disk.make_read_only()
            for process in (table.daemon, table.worker):
                await process.start()
                await _refused(process, "check the disk", "then start again", "read and write access")
            disk.make_writable()
            await table.worker.start()
            await table.daemon.start()
            await table.until_ready()

    return cut


def stepped_clock(clock: SkewedClock, times: int, seed: int) -> Trouble:
    """Return the trouble of a clock that is set a day forward, or back, while rounds are played."""
    chance = random.Random(seed)  # noqa: S311 - instants have to be repeatable, not secret

    async def step(table: RunningTable) -> None:
        for days in itertools.islice(itertools.cycle((1, 0, -1, 0)), times):
            await asyncio.sleep(chance.uniform(0, _LIFE_S))
            clock.set_off(days * DAY_US)
            if days == 0:
                await table.daemon.kill()
                await table.daemon.start()
                await table.until_ready()

    return step


async def _floorperson(table: RunningTable) -> None:
    """Look into whatever disables the progressive controller, and clear it."""
    while True:
        view = await table.display.until(lambda view: bool(view.disabled))
        for disabled in view.disabled:
            cleared = ControllerEnabled(reason=disabled.reason, why="looked into, and mended")
            await table.display.confirm(FLOORPERSON, cleared)
        await soon(table.display.until(lambda view: not view.disabled))


async def _refused(process: BridgeProcess, *remedies: str) -> None:
    """Wait until a process has ended because it could not write, and said what to do."""
    status = await process.ended()
    assert status > 0, f"the {process.command} ended with {status}"
    last = process.words().splitlines()[-1]
    assert any(remedy in last for remedy in remedies), process.words()[-1000:]


def until_round(count: int) -> Trouble:
    """Return the trouble of a table at which so many rounds are played, whatever happens meanwhile."""

    async def wait(table: RunningTable) -> None:
        view = table.display.view
        assert view is not None
        last = view.round_number + count
        await table.until_seen(lambda view: view.round_number >= last, f"round {last}")

    return wait
