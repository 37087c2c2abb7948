"""``table-bridge demo`` as somebody at a terminal runs it."""

import asyncio
import fcntl
import itertools
import json
import os
import pty
import signal
import struct
import sys
import tempfile
import termios
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bridge.demo.directory import remove_abandoned
from bridge.demo.totals import JsonLines
from simulators.shoe import random_rounds
from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.table import ROOT
from tests.processes.watch import processes_about
from tests.scenario_totals import TOTALS
from tests.transports.ports import eventually
from tests.whole_table import whole

SEED = 7
ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A demonstration that is over."""

    status: int
    out: str
    errors: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def totals(self) -> dict[str, Any]:
        return self.lines[-1]


def settlements(lines: Sequence[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return the last settlement of each round, counted from the first."""
    last = {line["round"]: line for line in lines if line["kind"] == "settlement"}
    first = min(last)
    return {number - first: _without_round(line) for number, line in last.items()}


def _but_for_load(totals_line: dict[str, Any]) -> dict[str, Any]:
    """Return totals without what only a crowded machine brings about: answers late, and a key pressed again."""
    late = {"device_lost", "wager_seen_before_sensor_lost", "key_out_of_turn", "confirmation_refused"}
    irregularities = {kind: n for kind, n in totals_line["irregularities"].items() if kind not in late}
    return totals_line | {"irregularities": irregularities}


def _without_round(value: Any) -> Any:
    match value:
        case dict():
            dropped = ("round", "round_number", "at")
            return {key: _without_round(one) for key, one in value.items() if key not in dropped}
        case list():
            return [_without_round(one) for one in value]
        case _:
            return value


async def start(*options: str, stdout: int = asyncio.subprocess.PIPE) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-m", "bridge", "demo", *options),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=stdout,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )


async def demo(*options: str) -> Ended:
    process = await start(*options)
    async with asyncio.timeout(PATIENCE_S):
        out, errors = await process.communicate()
    assert process.returncode is not None
    return Ended(status=process.returncode, out=out.decode(), errors=errors.decode())


async def test_a_scenario_that_is_played_by_processes_ends_well_and_adds_up() -> None:
    ended = await demo("--scenario", "crown_treasure", "--speed", "1000", "--json", "--no-dashboard")

    assert (ended.status, ended.errors) == (0, "")
    assert _but_for_load(ended.totals) == TOTALS["crown_treasure"]
    assert {line["kind"] for line in ended.lines} == {"lamp", "settlement", "totals"}


async def test_the_same_seed_plays_and_pays_the_same_in_processes_and_in_memory(tmp_path: Path) -> None:
    ended = await demo("--rounds", str(ROUNDS), "--seed", str(SEED), "--speed", "1000", "--json", "--no-dashboard")
    async with whole(tmp_path) as table:
        order = table.parts.config.setup.deal_order
        for script in itertools.islice(random_rounds(SEED, order), ROUNDS):
            await table.people.play(script)
        in_memory = table.envelopes()

    assert (ended.status, ended.errors) == (0, "")
    lines = JsonLines()
    said = [json.loads(line) for line in map(lines.line, in_memory) if line]
    assert ended.totals["rounds"] == ROUNDS
    assert settlements(ended.lines) == settlements(said)


async def test_an_interrupt_ends_with_the_summary_and_leaves_no_process(tmp_path: Path) -> None:
    process = await start("--json", "--speed", "1000", "--keep", str(tmp_path))
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        while b'"settlement"' not in await process.stdout.readline():
            pass
        assert len(processes_about(tmp_path)) == 4
        process.send_signal(signal.SIGINT)
        out, errors = await process.communicate()

    assert process.returncode == 0, errors
    assert errors.startswith(b"dashboard at http://127.0.0.1:")
    assert len(errors.splitlines()) == 1
    assert json.loads(out.splitlines()[-1])["kind"] == "totals"
    assert processes_about(tmp_path) == []


async def test_a_daemon_that_dies_ends_the_demonstration_with_its_last_words(tmp_path: Path) -> None:
    process = await start("--json", "--no-dashboard", "--keep", str(tmp_path))
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        await process.stdout.readline()
        (daemon,) = (pid for pid, command in processes_about(tmp_path) if " bridge daemon " in command)
        os.kill(daemon, signal.SIGKILL)
        _, errors = await process.communicate()

    assert process.returncode == 2
    assert "the daemon ended by itself; its log ends with:" in errors.decode()
    assert "Connected to the broker" in errors.decode()
    assert "Traceback" not in errors.decode()
    assert processes_about(tmp_path) == []


async def test_a_demonstration_that_is_killed_takes_its_processes_with_it_and_the_next_one_what_it_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = await start("--json", "--no-dashboard")
    assert process.stdout is not None
    await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
    assert len(processes_about(tmp_path)) == 2

    process.kill()
    await process.wait()

    await eventually(lambda: processes_about(tmp_path) == [])
    assert len(list(os.scandir(tmp_path))) == 1
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    remove_abandoned()
    assert list(os.scandir(tmp_path)) == []


class Terminal:
    """A terminal that a demonstration is shown on."""

    def __init__(self) -> None:
        self._ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        os.set_blocking(self._ours, False)
        asyncio.get_running_loop().add_reader(self._ours, self._read)
        self._seen = bytearray()

    @property
    def shown(self) -> str:
        return self._seen.decode(errors="replace")

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._ours)
        os.close(self._ours)

    def _read(self) -> None:
        try:
            self._seen.extend(os.read(self._ours, 65536))
        except OSError:
            asyncio.get_running_loop().remove_reader(self._ours)


@pytest.fixture
def _hang_ups_are_heeded() -> Iterator[None]:
    """As they are unless the tests themselves were started to outlive their terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("_hang_ups_are_heeded")
async def test_a_hang_up_ends_it_and_nothing_is_said_to_the_terminal_that_is_gone(tmp_path: Path) -> None:
    terminal = Terminal()
    process = await start("--no-dashboard", "--keep", str(tmp_path), stdout=terminal.theirs)
    os.close(terminal.theirs)
    await eventually(lambda: "Wagers are open" in terminal.shown)

    terminal.close()
    process.send_signal(signal.SIGHUP)
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)

    said = errors.decode().splitlines()
    assert (process.returncode, [line.partition(":")[0] for line in said]) == (0, ["setting up the table"])
    assert processes_about(tmp_path) == []


async def test_people_at_a_terminal_see_the_table_and_then_the_summary() -> None:
    terminal = Terminal()
    process = await start("--scenario", "crown_treasure", "--speed", "20", stdout=terminal.theirs)
    os.close(terminal.theirs)
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    terminal.close()

    assert process.returncode == 0, errors
    for words in (
        "Wagers are open",
        "LOCKED",
        "Crown Treasure",
        "50,000.75",
        "Rounds of play",
        "http://127.0.0.1:",
    ):
        assert words in terminal.shown


async def test_a_scenario_that_nobody_knows_is_refused_with_the_names_of_those_there_are() -> None:
    ended = await demo("--scenario", "crown_tresure")

    assert ended.status == 2
    assert "crown_treasure" in ended.errors
    assert "Traceback" not in ended.errors
