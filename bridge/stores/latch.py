"""A note on the disk that survives what the journal could not record: that the storage failed.

The file is made beforehand and overwritten in place, so that it can still be written when the disk is full.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.stores.sqlite_file import PRIVATE_FOLDER, sync_folder

_SIZE = 4096
"""One page: it is written as a whole, or the old one stands."""
_PRIVATE = 0o600


class LatchError(BridgeError):
    """The latch cannot be read or written; the message says what to do."""


@dataclass(frozen=True, slots=True)
class StorageLatch:
    """The note of one table."""

    path: Path

    def found(self) -> str:
        """Return what was noted, empty if nothing was; make the file if there is none. Raise ``LatchError``.

        A note that cannot be read was being written when the power went, so it counts as one.
        """
        try:
            text = self.path.read_bytes().strip(b" \n\x00")
        except FileNotFoundError:
            self._make()
            return ""
        except OSError as error:
            raise self._failed(error) from error
        if not text:
            return ""
        try:
            detail = json.loads(text)
        except ValueError:
            detail = None
        return (
            detail
            if isinstance(detail, str) and detail
            else "the storage failed, and the note of why is not readable"
        )

    def note(self, detail: str) -> None:
        """Note that the storage failed, durably. Raise ``LatchError``."""
        longest = detail
        while len(body := json.dumps(longest).encode()) > _SIZE:
            longest = longest[: len(longest) // 2]
        self._write(body)

    def clear(self) -> None:
        """Take the note back, when the journal has it. Raise ``LatchError``."""
        self._write(b"")

    def _make(self) -> None:
        try:
            self.path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, _PRIVATE)
            try:
                os.pwrite(descriptor, b" " * _SIZE, 0)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            sync_folder(self.path.parent)
        except OSError as error:
            raise self._failed(error) from error

    def _write(self, body: bytes) -> None:
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, _PRIVATE)
            try:
                os.pwrite(descriptor, body.ljust(_SIZE), 0)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> LatchError:
        return LatchError(
            f"the note of storage failures {self.path} cannot be used: {error.strerror}; check the disk, and the"
            " owner of the directory"
        )
