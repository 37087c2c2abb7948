"""Where a demonstration puts what it writes.

What is not kept is removed at the end. A demonstration that is killed removes nothing: the next one does.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PREFIX: Final = "table-bridge-demo-"


@contextlib.contextmanager
def directory(keep: Path | None) -> Iterator[Path]:
    """Yield the directory that is to be kept, or a new one that is removed afterwards."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    remove_abandoned()
    name, held = _new()
    try:
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)
        os.close(held)


def remove_abandoned() -> None:
    """Remove directories of this user whose demonstration has ended without doing so."""
    for name in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, in use, or just removed
            descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(descriptor).st_uid == os.geteuid():
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(name)
            finally:
                os.close(descriptor)


def _new() -> tuple[Path, int]:
    """Return a new directory, and the lock on it, which ends with this process."""
    while True:
        name = Path(tempfile.mkdtemp(prefix=PREFIX))
        with contextlib.suppress(FileNotFoundError):  # taken for an abandoned one before it was locked
            held = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(held, fcntl.LOCK_EX)
            if name.exists():
                return name, held
            os.close(held)
