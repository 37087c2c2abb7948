"""Which processes have a port open, as far as ``/proc`` lets us look."""

import os
from pathlib import Path

PROC = Path("/proc")


def port_holders(path: str, proc: Path = PROC) -> tuple[str, ...]:
    """Return ``name (process id)`` of every process that holds ``path`` open; empty where that cannot be known.

    Processes of other users are only visible to root, and there is no ``/proc`` outside Linux.
    """
    wanted = os.path.realpath(path)
    return tuple(
        f"{_name_of(process)} (process {process.name})"
        for process in sorted(_processes(proc), key=lambda process: int(process.name))
        if _has_open(process, wanted)
    )


def _processes(proc: Path) -> list[Path]:
    try:
        return [entry for entry in proc.iterdir() if entry.name.isdecimal()]
    except OSError:
        return []


def _has_open(process: Path, wanted: str) -> bool:
    try:
        descriptors = list((process / "fd").iterdir())
    except OSError:  # another user's process, or one that ended meanwhile
        return False
    return any(_target(descriptor) == wanted for descriptor in descriptors)


def _target(descriptor: Path) -> str:
    try:
        return str(descriptor.readlink())
    except OSError:  # closed meanwhile
        return ""


def _name_of(process: Path) -> str:
    try:
        return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "a process"
