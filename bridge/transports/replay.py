"""A port at which a capture answers in place of the device."""

import asyncio
import contextlib
import logging
from pathlib import Path

from bridge.clock import US_PER_S, Clock, SystemClock
from bridge.transports.capture_file import CaptureError, read_capture
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.playback import Playback

_log = logging.getLogger(__name__)


async def load_playback(path: str, speed: float) -> Playback:
    """Read a capture to be played; raise ``PermanentTransportError`` with what is wrong in it."""
    try:
        capture = await asyncio.to_thread(read_capture, Path(path))
    except CaptureError as error:
        raise PermanentTransportError(str(error)) from error
    return Playback(capture.name, capture.events, speed=speed)


async def open_replay(path: str, speed: float) -> "ReplayTransport":
    """Play a capture from its start; raise ``PermanentTransportError`` if it cannot be read, or holds nothing."""
    return ReplayTransport(await load_playback(path, speed))


class ReplayTransport:
    """A port that a capture is played at; a ``Transport``."""

    def __init__(self, playback: Playback, clock: Clock | None = None) -> None:
        """Open the port where the capture is; raises what ``Playback.open`` does."""
        self._playback = playback
        self._clock = clock or SystemClock()
        self._told = len(playback.differences)
        self._written = asyncio.Event()
        self._closed = False
        playback.open(self._clock.monotonic_us())

    async def read(self) -> bytes:
        """Wait for bytes; raise ``TransientTransportError`` where the device goes, and where the capture ends."""
        while not self._closed:
            self._written.clear()
            now_us = self._clock.monotonic_us()
            data = self._playback.take(now_us)
            self._tell_differences()
            if data:
                return data
            due_us = self._playback.next_due_us()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if due_us is None else max(0, due_us - now_us) / US_PER_S):
                    await self._written.wait()
        raise TransientTransportError("closed")

    def write(self, data: bytes) -> None:
        """Compare what is written with what was."""
        if data and not self._closed:
            self._playback.heard(data, self._clock.monotonic_us())
            self._tell_differences()
            self._written.set()

    async def close(self) -> None:
        """Leave the capture where it is."""
        self._closed = True
        self._written.set()

    def _tell_differences(self) -> None:
        for difference in self._playback.differences[self._told :]:
            _log.warning("%s", difference)
        self._told = len(self._playback.differences)
