"""Records every byte of a line, in both directions and with its time, while the line is used as ever."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from bridge.clock import Clock
from bridge.transports.capture_file import CaptureError, CaptureHead, Event, Happening, print_event, print_head
from bridge.transports.errors import TransportError
from bridge.transports.transport import Transport

_log = logging.getLogger(__name__)

CAPTURE_BYTES_MAX = 256 * 1024 * 1024
"""A capture that was forgotten ends here: a disk that it fills would stop the journal, and with it the table."""

_OWNER_ONLY = 0o600
"""It may hold cards that nobody has seen yet (T48)."""


class Recording:
    """A capture that is being written. When it cannot go on it says so once, and the line goes on without it."""

    def __init__(self, path: Path, file: TextIO, clock: Clock, bytes_max: int = CAPTURE_BYTES_MAX) -> None:
        self.path = path
        self._file = file
        self._clock = clock
        self._start_us = clock.monotonic_us()
        self._room = bytes_max
        self._ended = False

    def write(self, what: Happening, *, data: bytes = b"", reason: str = "") -> None:
        """Record that something happened now; it is in the file when this returns."""
        at_us = self._clock.monotonic_us() - self._start_us
        self._write(print_event(Event(at_us=at_us, what=what, data=data, reason=reason)))

    def _write(self, text: str) -> None:
        if self._ended:
            return
        self._room -= len(text)
        if self._room < 0:
            self._end("it is as long as a capture may be")
            return
        try:
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            self._end(error.strerror or str(error))

    def _end(self, reason: str) -> None:
        self._ended = True
        _log.error("capture %s ends here: %s; the line goes on without it", self.path, reason)


@contextmanager
def recording(
    path: Path, head: CaptureHead, clock: Clock, bytes_max: int = CAPTURE_BYTES_MAX
) -> Iterator[Recording]:
    """Record into a file, or beside it if it exists: none is overwritten. ``path`` of the result is the file.

    Raise ``CaptureError`` if it cannot be made.
    """
    free = _free(path)
    try:
        descriptor = os.open(free, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    except OSError as error:
        raise CaptureError(f"{free}: cannot be made ({error.strerror}); choose another file") from error
    file = os.fdopen(descriptor, "w", encoding="utf-8", buffering=1, errors="replace")
    try:
        found = Recording(free, file, clock, bytes_max)
        found._write(print_head(head))  # noqa: SLF001 - of this module
        yield found
    finally:
        _close(file, free)


def _close(file: TextIO, path: Path) -> None:
    try:
        file.close()
    except OSError as error:  # what a full disk did not take is tried once more here, and is lost
        _log.warning("capture %s: its end is missing (%s)", path, error.strerror)


def _free(path: Path) -> Path:
    """Return the path, or the first ``name-2``, ``name-3`` beside it that is not taken."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


class CapturedTransport:
    """A port whose bytes are recorded; a ``Transport``."""

    def __init__(self, transport: Transport, capture: Recording) -> None:
        self._transport = transport
        self._capture = capture
        capture.write(Happening.OPENED)

    async def read(self) -> bytes:
        """Wait for bytes of the port and return them, recorded."""
        try:
            data = await self._transport.read()
        except TransportError as error:
            self._capture.write(Happening.GONE, reason=str(error))
            raise
        self._capture.write(Happening.FROM_DEVICE, data=data)
        return data

    def write(self, data: bytes) -> None:
        """Record bytes and hand them to the port."""
        if data:
            self._capture.write(Happening.TO_DEVICE, data=data)
            self._transport.write(data)

    async def close(self) -> None:
        """Release the port."""
        await self._transport.close()
        self._capture.write(Happening.CLOSED)
