"""A process that was forked is to a test what one is that was started from nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.brokers import free_port
from tests.processes.forked import ForkedProcess, fork
from tests.processes.table import ROOT
from tests.transports.ports import eventually


async def started(folder: Path, *words: str) -> ForkedProcess:
    with (folder / "out").open("wb") as out, (folder / "errors").open("wb") as errors:
        return await fork("bridge", *words, out=out, errors=errors)


def from_nothing(*words: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "bridge", *words]
    return subprocess.run(command, capture_output=True, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize("words", ["--version", "journal verify nowhere", "demon"])
async def test_it_says_the_same_and_ends_with_the_same_status(tmp_path: Path, words: str) -> None:
    expected = from_nothing(*words.split())

    status = await (await started(tmp_path, *words.split())).wait()

    assert status == expected.returncode
    assert (tmp_path / "out").read_bytes() == expected.stdout
    assert (tmp_path / "errors").read_bytes() == expected.stderr


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
async def test_it_leads_a_session_of_its_own_and_is_ended_by_a_signal(
    tmp_path: Path, ending: signal.Signals
) -> None:
    process = await started(tmp_path, "broker", "--port", str(free_port()))
    await eventually(lambda: os.getsid(process.pid) == process.pid)
    await eventually(lambda: (tmp_path / "out").read_bytes() + (tmp_path / "errors").read_bytes() != b"")
    assert process.returncode is None

    process.send_signal(ending)

    assert await process.wait() == process.returncode == (-ending if ending is signal.SIGKILL else 0)
