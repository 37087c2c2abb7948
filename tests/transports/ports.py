"""The other end of a port, for tests: a pseudo-terminal whose cable can be pulled, and waiting for a condition."""

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail when it does not within a time that no healthy run needs."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - what is waited for is anything at all, events of the system included
            await asyncio.sleep(0.001)


class PseudoTerminal:
    """A real port of this machine; this object is the device's end of the cable."""

    def __init__(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self._plugged = True

    def write(self, data: bytes) -> None:
        """Send as the device."""
        assert os.write(self._master, data) == len(data)

    async def read(self, count: int) -> bytes:
        """Wait for so many bytes from the bridge."""
        received = b""

        def arrived() -> bool:
            nonlocal received
            try:
                received += os.read(self._master, count - len(received))
            except OSError:  # nothing there, or nobody has the port open
                return False
            return len(received) == count

        await eventually(arrived)
        return received

    def link(self, link: Path) -> None:
        """Give the port a stable name, as udev does; an older one is replaced."""
        link.unlink(missing_ok=True)
        link.symlink_to(self.path)

    def unplug(self) -> None:
        """Pull the cable."""
        if self._plugged:
            self._plugged = False
            os.close(self._master)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()
