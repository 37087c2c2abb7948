"""What a write-ahead log still holds, judged by its own check sums.

SQLite reads a log up to the first frame that does not check and ignores the rest without a word. After a
power cut that is right: the rest was never acknowledged. After damage it would lose acknowledged records in
silence. The two differ in this: a commit begins only when the one before it is on the disk, so a power cut
spoils at most one of them, the last. (SQLite file format, section 4; what a log that was cut exactly after a
commit once held, nothing in it can tell.)
"""

from array import array
from dataclasses import dataclass
from sys import byteorder

_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_MAGIC = 0x377F0682
"""Its last bit says in which byte order the check sums were made."""
_WORD = 0xFFFFFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCondition:
    """How a log was found."""

    header_sound: bool
    """An unsound header hides the whole log."""
    commits_hidden: int
    """Commits after the first frame that does not check: one may be a power cut, more are damage."""


def examine(log: bytes) -> LogCondition:
    """Return the condition of a write-ahead log."""
    if len(log) < _HEADER_BYTES:
        return LogCondition(header_sound=False, commits_hidden=0)
    magic = int.from_bytes(log[:4])
    page_bytes = int.from_bytes(log[8:12])
    salts = log[16:24]
    order = "big" if magic & 1 else "little"
    sums = _check_sums(log[:24], order, (0, 0))
    if magic & ~1 != _MAGIC or not page_bytes or _pair(log[24:32]) != sums:
        return LogCondition(header_sound=False, commits_hidden=0)
    sound = True
    hidden = 0
    for start in range(_HEADER_BYTES, len(log) - _FRAME_HEADER_BYTES + 1, _FRAME_HEADER_BYTES + page_bytes):
        header = log[start : start + _FRAME_HEADER_BYTES]
        page = log[start + _FRAME_HEADER_BYTES : start + _FRAME_HEADER_BYTES + page_bytes]
        if sound:
            sound = header[8:16] == salts and len(page) == page_bytes
            if sound:
                sums = _check_sums(page, order, _check_sums(header[:8], order, sums))
                sound = sums == _pair(header[16:24])
        commits = header[4:8] != bytes(4)
        # Frames with other salts are left over from before the log last began anew.
        if not sound and commits and header[8:16] == salts:
            hidden += 1
    return LogCondition(header_sound=True, commits_hidden=hidden)


def _pair(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[:4]), int.from_bytes(data[4:])


def _check_sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """Return the two running sums after more data, whose length is a multiple of eight."""
    words = array("I", data)
    if order != byteorder:
        words.byteswap()
    first, second = sums
    for index in range(0, len(words), 2):
        first = (first + words[index] + second) & _WORD
        second = (second + words[index + 1] + first) & _WORD
    return first, second
