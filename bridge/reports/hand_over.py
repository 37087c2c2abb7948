"""Puts a document on the disk: whole, or not at all."""

from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.stores.whole_file import replace_file


class NotHandedOverError(BridgeError):
    """A document could not be written; the message says where and why."""


def hand_over(path: Path, content: bytes) -> None:
    """Write a document, in place of one of that name only when it is complete; raise ``NotHandedOverError``.

    Its folder is made if it is missing. What is no file, as ``/dev/stdout`` or a pipe, is written into and stays.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
    except OSError as error:
        raise NotHandedOverError(
            f"cannot write {path}: {error.strerror or error}; check the path, its permissions and the disk"
        ) from error
