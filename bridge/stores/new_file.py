"""A file that is there whole, or not at all, and takes nobody's place."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bridge.stores.sqlite_file import sync_folder


def write_new_file(path: Path, content: Iterable[bytes]) -> None:
    """Write a private file that is not there yet; raise ``OSError``, or whatever ``content`` raises.

    It is written under another name and linked into place when it is complete and on the disk.
    ``FileExistsError`` if there is one.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    unnamed = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(unnamed, path)
    finally:
        unnamed.unlink(missing_ok=True)
    sync_folder(path.parent)
