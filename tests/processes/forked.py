"""Processes of the bridge that need not import it first; ``tests.processes.forking`` says what they are."""

import asyncio
import atexit
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.forking import Order

_ROOT = Path(__file__).parents[2]


class ForkedProcess:
    """A process as ``asyncio.create_subprocess_exec`` returns it, as far as tests ask."""

    def __init__(self, pid: int, told: asyncio.StreamReader, transport: asyncio.BaseTransport) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.create_task(self._until_ended(told, transport), name=f"process {pid}")

    async def wait(self) -> int:
        """Wait until it has ended, and return its exit status; less than 0 is the signal that killed it."""
        return await asyncio.shield(self._ended)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it has not ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def _until_ended(self, told: asyncio.StreamReader, transport: asyncio.BaseTransport) -> int:
        self.returncode = int(await told.readline())
        transport.close()
        return self.returncode


async def fork(
    module: str,
    *words: str,
    out: IO[bytes] | int,
    errors: IO[bytes],
    environment: Mapping[str, str] | None = None,
) -> ForkedProcess:
    """Run a module with words, as ``python -m`` does, its output going where it is told."""
    order = Order(module=module, words=words, directory=str(_ROOT), environment=dict(environment or os.environ))
    reading, writing = os.pipe()
    told, transport = await reader(reading)
    out_descriptor = out if isinstance(out, int) else out.fileno()
    socket.send_fds(_orders(), [order.encode()], [out_descriptor, errors.fileno(), writing])
    os.close(writing)
    async with asyncio.timeout(PATIENCE_S):
        pid = await told.readline()
    assert pid, "the process that forks has ended"
    return ForkedProcess(int(pid), told, transport)


async def reader(descriptor: int) -> tuple[asyncio.StreamReader, asyncio.BaseTransport]:
    """Return what reads the end of a pipe, and what closes it."""
    stream = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(descriptor, "rb", buffering=0)
    )
    return stream, transport


@cache
def _orders() -> socket.socket:
    """Return the socket of the one process of this run that forks; start it with the first order."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command: Sequence[str] = (sys.executable, "-m", "tests.processes.forking", str(theirs.fileno()))
    process = subprocess.Popen(
        leashed(*command), pass_fds=[theirs.fileno()], cwd=_ROOT, stdin=subprocess.DEVNULL, start_new_session=True
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
