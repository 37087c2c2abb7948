"""What is kept so that nobody but its owner may look into it: the modes of files, and folders made with theirs."""

import os
from pathlib import Path
from typing import Final

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600


def make_folder(folder: Path) -> None:
    """Make a folder and those above it as far as they are missing, all private (``mkdir`` makes only one so)."""
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
