"""Which processes are there, looked up in ``/proc``."""

from pathlib import Path


def processes_about(directory: Path) -> list[tuple[int, str]]:
    """Return the processes whose command line names a directory: their ids, and their commands."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:  # it has just ended
                continue
            if any(word.startswith(str(directory)) or f"={directory}" in word for word in words):
                found.append((int(entry.name), " ".join(words)))
    return sorted(found)


def processes_with_files_in(directory: Path) -> set[int]:
    """Return the ids of the processes that have a file in a directory open."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                opened = [str(one.readlink()) for one in (entry / "fd").iterdir()]
            except OSError:  # it has just ended
                continue
            if any(file.startswith(str(directory)) for file in opened):
                found.add(int(entry.name))
    return found
