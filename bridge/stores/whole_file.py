"""A file that is there whole, or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.stores.private import sync_folder


def write_new_file(path: Path, content: Iterable[bytes]) -> None:
    """Write a private file that is not there yet; raise ``OSError``, or whatever ``content`` raises.

    ``FileExistsError`` if there is one: it takes nobody's place.
    """
    with _complete(path, content) as complete:
        os.link(complete, path)
    sync_folder(path.parent)


def replace_file(path: Path, content: bytes) -> None:
    """Write a private file, in place of one of that name as soon as it is complete; raise ``OSError``.

    A link stays a link, to the new file. Until ``sync_folder``, which not every file system can, a power cut may
    leave the former one.
    """
    file = Path(os.path.realpath(path))
    with _complete(file, (content,)) as complete:
        complete.replace(file)


@contextmanager
def _complete(path: Path, content: Iterable[bytes]) -> Iterator[Path]:
    """Yield a file beside a path, complete and on the disk; whatever has not got another name is removed."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    complete = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        yield complete
    finally:
        complete.unlink(missing_ok=True)
