"""A note on the disk that survives what the journal could not record: that storage or memory failed.

The file is made beforehand and overwritten in place, so that it can still be written when the disk is full.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.controller import DisabledReason
from bridge.domain.errors import BridgeError
from bridge.stores.journal import JournalError
from bridge.stores.private import PRIVATE_FILE, make_folder, sync_folder
from bridge.stores.state_keeper import StateDiffersError

_SIZE = 4096
"""One page: it is written as a whole, or the old one stands."""


class LatchError(BridgeError):
    """The latch cannot be read or written; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Why a process ended that could not journal it."""

    reason: DisabledReason
    detail: str


_NOT_READABLE = Note(
    reason=DisabledReason.STORAGE_FAILURE, detail="the note of why the last process ended is not readable"
)


@dataclass(frozen=True, slots=True)
class FailureLatch:
    """The note of one table."""

    path: Path

    def found(self) -> Note | None:
        """Return what was noted, None if nothing was; make the file if there is none. Raise ``LatchError``.

        A note that cannot be read was being written when the power went, so it counts as one.
        """
        try:
            text = self.path.read_bytes().strip(b" \n\x00")
        except FileNotFoundError:
            self._write(b"")
            return None
        except OSError as error:
            raise self._failed(error) from error
        if not text:
            return None
        try:
            reason, detail = json.loads(text)
            return Note(reason=DisabledReason(reason), detail=str(detail))
        except (ValueError, TypeError):
            return _NOT_READABLE

    def note(self, reason: DisabledReason, detail: str) -> None:
        """Note what failed, durably. Raise ``LatchError``."""
        while len(body := json.dumps([reason, detail]).encode()) > _SIZE:
            detail = detail[: len(detail) // 2]
        self._write(body)

    def clear(self) -> None:
        """Take the note back, when the journal has it. Raise ``LatchError``."""
        self._write(b"")

    def _write(self, body: bytes) -> None:
        try:
            make_folder(self.path.parent)
            is_new = not self.path.exists()
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, PRIVATE_FILE)
            try:
                os.pwrite(descriptor, body.ljust(_SIZE), 0)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if is_new:
                sync_folder(self.path.parent)
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> LatchError:
        return LatchError(
            f"the note of failures {self.path} cannot be used: {error.strerror}; check the disk, and the owner of"
            " the directory"
        )


@contextmanager
def noted(latch: FailureLatch) -> Iterator[None]:
    """Note what ends a process and cannot be journalled, so that the next start finds it."""
    try:
        yield
    except JournalError as error:
        latch.note(DisabledReason.STORAGE_FAILURE, str(error))
        raise
    except StateDiffersError as error:
        latch.note(DisabledReason.RAM_FAILURE, str(error))
        raise
