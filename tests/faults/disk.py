"""A disk of its own for a table's files, which may fill up or become read-only. Only a superuser may mount one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SIZE = "8m"
_MOUNT, _UMOUNT, _UNSHARE = (shutil.which(program) for program in ("mount", "umount", "unshare"))


class SmallDisk:
    """A disk of a few megabytes, in memory."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._ballast = place / "ballast"

    def fill(self) -> None:
        """Leave no room on it."""
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while ballast.write(bytes(4096)):
                    pass
            except OSError:
                return

    def free(self) -> None:
        """Make room again."""
        self._ballast.unlink()

    def make_read_only(self) -> None:
        """Let nothing be written any more; no file on it may be open for writing."""
        _run(_MOUNT, "-o", "remount,ro", str(self.place))

    def make_writable(self) -> None:
        """Let it be written again."""
        _run(_MOUNT, "-o", "remount,rw", str(self.place))


def may_mount() -> bool:
    """Return whether this user may mount a disk here."""
    if os.geteuid() != 0 or not (_MOUNT and _UMOUNT and _UNSHARE):
        return False
    return subprocess.run([_UNSHARE, "-m", "true"], check=False).returncode == 0


@contextmanager
def small_disk(place: Path) -> Iterator[SmallDisk]:
    """Mount a small disk at a place, and take it away again."""
    place.mkdir(parents=True, exist_ok=True)
    _run(_MOUNT, "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(place))
    try:
        yield SmallDisk(place)
    finally:
        _run(_UMOUNT, "--lazy", str(place))


def _run(program: str | None, *words: str) -> None:
    assert program is not None
    subprocess.run([program, *words], check=True)
