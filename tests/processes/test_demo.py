"""``table-bridge demo`` as somebody at a terminal runs it."""

import asyncio
import fcntl
import json
import os
import pty
import signal
import struct
import sys
import tempfile
import termios
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bridge.demo.directory import remove_abandoned
from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.table import ROOT
from tests.processes.watch import processes_about
from tests.transports.ports import eventually

SEED = 7
ROUNDS = 3
_AT_ONCE = 4


def totals(
    *outcomes: str,
    rounds: int = 1,
    irregularities: Sequence[str] = (),
    paid: int = 0,
    envy: int = 0,
    awards: int = 0,
    meter: str,
) -> dict[str, Any]:
    """Return what a demonstration has to come to: one progressive wager of 5.00 for each outcome."""
    wagers = len(outcomes)
    return {
        "kind": "totals",
        "rounds": rounds,
        "outcomes": dict(Counter(outcomes)),
        "irregularities": dict(Counter(irregularities)),
        "wagered_cents": 500 * wagers,
        "collected_cents": 500 * outcomes.count("no_match"),
        "paid_from_inventory_cents": paid,
        "vigorish_cents": 0,
        "envy_bonuses_cents": envy,
        "awards_cents": awards,
        "contributed": f"{75 * wagers // 100}.{75 * wagers % 100:02d}00",
        "meters": {"royal-match-demo": meter},
    }


LOST, FLUSH, ROYAL, CROWN = "no_match", "straight_flush", "royal_match", "crown_treasure"
TOTALS: Mapping[str, Mapping[str, Any]] = {
    "lost": totals(LOST, LOST, meter="50,001.5000"),
    "straight_flush": totals(FLUSH, LOST, paid=50_00, meter="50,001.5000"),
    "royal_match_at_once": totals(ROYAL, paid=300_00, meter="50,000.7500"),
    "royal_match_deferred": totals(ROYAL, LOST, paid=300_00, meter="50,001.5000"),
    "crown_treasure": totals(CROWN, LOST, rounds=2, awards=50_000_75, meter="50,000.7500"),
    "two_crown_treasures": totals(CROWN, CROWN, LOST, LOST, awards=50_003_00, envy=15_000_00, meter="50,000.0000"),
    "late_wager": totals(LOST, irregularities=("late_wager",), meter="50,000.7500"),
    "count_differs": totals(LOST, LOST, LOST, LOST, irregularities=("count_differed",), meter="50,003.0000"),
    "unreadable_card": totals(LOST, ROYAL, irregularities=("card_unread",), paid=300_00, meter="50,001.5000"),
}
"""What each shipped scenario has to come to, in cents, and to a hundredth of a cent on the meter."""


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

    def settlements(self) -> dict[int, dict[str, Any]]:
        """Return the last settlement of each round, counted from the first."""
        last = {line["round"]: line for line in self.lines if line["kind"] == "settlement"}
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


async def all_of(runs: Sequence[Sequence[str]]) -> list[Ended]:
    """Run demonstrations side by side: most of their time is that of the simulated wires."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(options: Sequence[str]) -> Ended:
        async with gate:
            return await demo(*options)

    return await asyncio.gather(*(one(options) for options in runs))


@pytest.fixture(scope="module")
def played() -> Mapping[str, Ended]:
    """Every shipped scenario, played."""
    names = sorted(path.stem for path in (ROOT / "simulators" / "scenarios").glob("*.toml"))
    runs = asyncio.run(all_of([("--scenario", name, "--speed", "1000", "--json") for name in names]))
    return dict(zip(names, runs, strict=True))


def test_every_shipped_scenario_is_expected_here(played: Mapping[str, Ended]) -> None:
    assert set(TOTALS) == set(played)


@pytest.mark.parametrize("name", TOTALS)
def test_a_shipped_scenario_ends_well_and_adds_up(played: Mapping[str, Ended], name: str) -> None:
    ended = played[name]

    assert ended.status == 0, ended.errors
    assert ended.errors == ""
    assert _but_for_load(ended.totals) == TOTALS[name]
    assert {line["kind"] for line in ended.lines} == {"lamp", "settlement", "totals"}


async def test_the_same_seed_plays_and_pays_the_same() -> None:
    options = ("--rounds", str(ROUNDS), "--seed", str(SEED), "--speed", "1000", "--json")

    once, again = await all_of([options, options])

    assert (once.status, again.status) == (0, 0)
    assert _but_for_load(once.totals) == _but_for_load(again.totals)
    assert once.totals["rounds"] == ROUNDS
    assert once.settlements() == again.settlements()


async def test_an_interrupt_ends_with_the_summary_and_leaves_no_process(tmp_path: Path) -> None:
    process = await start("--json", "--speed", "1000", "--keep", str(tmp_path))
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        while b'"settlement"' not in await process.stdout.readline():
            pass
        assert len(processes_about(tmp_path)) == 3
        process.send_signal(signal.SIGINT)
        out, errors = await process.communicate()

    assert process.returncode == 0, errors
    assert json.loads(out.splitlines()[-1])["kind"] == "totals"
    assert processes_about(tmp_path) == []


async def test_a_daemon_that_dies_ends_the_demonstration_with_its_last_words(tmp_path: Path) -> None:
    process = await start("--json", "--keep", str(tmp_path))
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
    process = await start("--json")
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


async def test_a_hang_up_ends_it_and_nothing_is_said_to_the_terminal_that_is_gone(tmp_path: Path) -> None:
    terminal = Terminal()
    process = await start("--keep", str(tmp_path), stdout=terminal.theirs)
    os.close(terminal.theirs)
    await eventually(lambda: "Wagers are open" in terminal.shown)

    terminal.close()
    process.send_signal(signal.SIGHUP)
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)

    assert (process.returncode, errors) == (0, b"")
    assert processes_about(tmp_path) == []


async def test_people_at_a_terminal_see_the_table_and_then_the_summary() -> None:
    terminal = Terminal()
    process = await start("--scenario", "crown_treasure", "--speed", "20", stdout=terminal.theirs)
    os.close(terminal.theirs)
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    terminal.close()

    assert process.returncode == 0, errors
    for words in ("Wagers are open", "LOCKED", "Crown Treasure", "50,000.75", "Rounds of play"):
        assert words in terminal.shown


async def test_a_scenario_that_nobody_knows_is_refused_with_the_names_of_those_there_are() -> None:
    ended = await demo("--scenario", "crown_tresure")

    assert ended.status == 2
    assert "crown_treasure" in ended.errors
    assert "Traceback" not in ended.errors
