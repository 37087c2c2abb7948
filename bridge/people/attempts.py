"""How often a wrong secret was given for a person lately, over all processes of a machine: too often is refused.

A limiter from a library would count within one process, or ask a server; here many an attempt is a process.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bridge.clock import US_PER_S, Clock
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId
from bridge.stores.private import PRIVATE_FILE, make_folder

WRONG_MAX: Final = 5
"""Wrong secrets of one person after which nobody may try for a while."""
PAUSE_S: Final = 60


class TooManyAttemptsError(BridgeError):
    """Too many wrong secrets were given for a person; the message says when to try again."""


class AttemptsError(BridgeError):
    """The count of wrong secrets cannot be kept; without it nobody may try."""


class Attempts:
    """The wrong secrets that were given at one table."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    @contextmanager
    def attempt(self, person: PersonId) -> Iterator[None]:
        """Let one secret be tried: it was wrong if the body raises, and all is forgotten if it does not.

        One at a time, on the whole machine. Raise ``TooManyAttemptsError`` before the body, or ``AttemptsError``.
        """
        with self._locked() as descriptor:
            now = self._clock.wall()
            lately = (
                (name, [at for at in times if now - PAUSE_S * US_PER_S < at <= now])
                for name, times in _read(descriptor)
            )
            known = {name: times for name, times in lately if times}
            wrong = known.get(person, [])
            if len(wrong) >= WRONG_MAX:
                wait_s = (wrong[-WRONG_MAX] + PAUSE_S * US_PER_S - now) // US_PER_S + 1
                raise TooManyAttemptsError(f"too many wrong secrets for {person}; try again in {wait_s} s")
            try:
                yield
            except BaseException:
                _write(descriptor, {**known, person: [*wrong, now]})
                raise
            _write(descriptor, {name: times for name, times in known.items() if name != person})

    @contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            make_folder(self._path.parent)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        except OSError as error:
            raise AttemptsError(
                f"{self._path} cannot be opened, and so wrong secrets not be counted: {error.strerror};"
                " check the folder"
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield descriptor
        finally:
            os.close(descriptor)


def _read(descriptor: int) -> Iterator[tuple[str, list[int]]]:
    """Yield for whom, and when, wrong secrets were given; nothing for a file that was cut while it was written."""
    text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    try:
        found = json.loads(text or b"{}")
    except ValueError:
        return
    for name, times in found.items() if isinstance(found, dict) else ():
        if isinstance(times, list):
            yield str(name), [at for at in times if isinstance(at, int)]


def _write(descriptor: int, known: dict[str, list[int]]) -> None:
    text = json.dumps(known).encode()
    os.pwrite(descriptor, text, 0)
    os.ftruncate(descriptor, len(text))
    os.fsync(descriptor)
