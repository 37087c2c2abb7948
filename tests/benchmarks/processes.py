"""The processes that are measured: started, looked at, and stopped as a service manager would."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bridge.domain.errors import BridgeError
from tests.leash import leashed

_STOP_S = 10.0
_KIB = 1024
_UTIME = 11
"""Place of the user's time behind the name in ``/proc/PID/stat``; the system's follows it."""


class DidNotStartError(BridgeError):
    """A process ended, or said something else, before it was ready."""


@asynccontextmanager
async def process(
    module: str, *arguments: str, log: Path, says: str | None = None, told: bool = False
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a module as a process for as long as the body.

    With ``says`` begin once its output starts so; one that is ``told`` something has a pipe as its input.
    """
    with log.open("ab") as file:
        running = await asyncio.create_subprocess_exec(
            *leashed(sys.executable, "-m", module, *arguments),
            stdin=asyncio.subprocess.PIPE if told else asyncio.subprocess.DEVNULL,
            stdout=file if says is None else asyncio.subprocess.PIPE,
            stderr=file,
            start_new_session=True,
        )
    try:
        if says is not None:
            assert running.stdout is not None
            line = (await running.stdout.readline()).decode()
            if not line.startswith(says):
                raise DidNotStartError(f"{module} said {line!r} and not {says!r}; its log is {log}")
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            running.terminate()
        try:
            async with asyncio.timeout(_STOP_S):
                await running.wait()
        except TimeoutError:
            running.kill()
            await running.wait()


def resident_bytes(running: asyncio.subprocess.Process) -> int:
    """Return how much memory a process has in RAM now."""
    for line in Path(f"/proc/{running.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * _KIB
    raise DidNotStartError(f"process {running.pid} has ended; look into its log")


def cpu_ns(running: asyncio.subprocess.Process) -> int:
    """Return how much time of processors a process has taken so far."""
    after_name = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(taken) for taken in after_name[_UTIME : _UTIME + 2])
    return ticks * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def bridge_options(table: Path, host: str, port: int, storage: Path, ports: dict[str, str]) -> Sequence[str]:
    """Return what daemon and rules worker are started with."""
    lines = (word for name, url in ports.items() for word in ("--port", f"{name}={url}"))
    return (str(table), "--broker", f"{host}:{port}", "--storage", str(storage), "--log", "warning", *lines)
