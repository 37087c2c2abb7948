"""A simulated line at a pseudo-terminal with a stable path."""

import asyncio
import os
import tty
from contextlib import suppress
from pathlib import Path

from simulators.device import SimulatedLine
from simulators.faults import Cables
from simulators.pacing import UNPACED, Pacing
from simulators.port import READ_BYTES_MAX, SOUND, PathTakenError, Port

_TERMINALS = Path("/dev/pts")


class PtyPort(Port):
    """A pseudo-terminal behind a symbolic link, which is what a bridge opens; replugging keeps its name."""

    def __init__(
        self,
        line: SimulatedLine,
        path: Path,
        *,
        pacing: Pacing = UNPACED,
        cables: Cables = SOUND,
    ) -> None:
        super().__init__(line, pacing=pacing, cables=cables)
        self.path = path
        self._ends: tuple[int, int] | None = None
        """The device's end, and the host's: held open too, or reading fails whenever no bridge is there."""
        self._terminal = path

    @property
    def url(self) -> str:
        """The stable path."""
        return str(self.path)

    @property
    def plugged_in(self) -> bool:
        """Whether the path leads to a pseudo-terminal of ours."""
        return self._ends is not None

    def plug_in(self) -> None:
        """Make the path lead to a fresh pseudo-terminal; raise ``PathTakenError`` if something else is there."""
        if self._ends:
            return
        if self._is_somebody_elses():
            raise PathTakenError(f"{self.path} exists and is no simulated port; choose another path or remove it")
        ours, theirs = os.openpty()
        self._ends = (ours, theirs)
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        fresh = self.path.with_name(self.path.name + ".fresh")
        fresh.unlink(missing_ok=True)
        self._terminal = Path(os.ttyname(theirs))
        fresh.symlink_to(self._terminal)
        fresh.replace(self.path)
        asyncio.get_running_loop().add_reader(ours, self._readable, ours)

    def plug_in_as(self, name: str) -> None:
        """Come back under another name in the same folder, as an adapter does that was given another number."""
        self.unplug()
        self.path = self.path.with_name(name)
        self.plug_in()

    def _take_away(self) -> None:
        if not self._ends:
            return
        ours, theirs = self._ends
        self._ends = None
        if self.path.is_symlink() and self.path.readlink() == self._terminal:
            self.path.unlink(missing_ok=True)
        asyncio.get_running_loop().remove_reader(ours)
        os.close(ours)
        os.close(theirs)

    def _is_somebody_elses(self) -> bool:
        """Return whether the path is taken by something that no simulator has left there."""
        if self.path.is_symlink():
            return self.path.readlink().parent != _TERMINALS
        return self.path.exists()

    def _readable(self, ours: int) -> None:
        with suppress(BlockingIOError):
            self.hear(os.read(ours, READ_BYTES_MAX))

    def _write(self, data: bytes) -> None:
        if data and self._ends:
            # Full only if nobody reads: then bytes are lost, as they are on a wire.
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)
