"""A run of tests that is killed leaves no process behind."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.table import ROOT
from tests.processes.watch import processes_about, processes_with_files_in
from tests.transports.ports import eventually

_RUN = """
import asyncio, sys
from pathlib import Path
from tests.brokers import running_mosquitto
from tests.processes.table import running_table

async def run():
    async with running_mosquitto() as broker, running_table(Path(sys.argv[1]), broker):
        print("running", flush=True)
        await asyncio.Event().wait()

asyncio.run(run())
"""


def processes_of(run: Path) -> set[int]:
    """Return whose command line names the run's directory, and who writes a log there."""
    return {pid for pid, _ in processes_about(run)} | processes_with_files_in(run)


async def test_broker_daemon_and_worker_of_a_run_that_is_killed_end_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run = await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-c", _RUN, str(tmp_path)), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert run.stdout is not None
    assert await asyncio.wait_for(run.stdout.readline(), PATIENCE_S) == b"running\n"
    assert len(processes_of(tmp_path)) == 4

    run.kill()
    await run.wait()

    await eventually(lambda: processes_of(tmp_path) == set())
