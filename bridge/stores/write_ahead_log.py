"""What a write-ahead log still holds, judged by its own check sums.

SQLite reads a log up to the first frame that does not check and ignores the rest without a word. After a
power cut that is right: the rest was never acknowledged. After damage it would lose acknowledged records in
silence. The two differ in this: a commit begins only when the one before it is on the disk, so a power cut
spoils at most one of them, the last. (SQLite file format, section 4; what a log that was cut exactly after a
commit once held, nothing in it can tell.)
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from sys import byteorder

HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_MAGIC = 0x377F0682
"""Its last bit says in which byte order the check sums were made."""
_WORD = 0xFFFFFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCondition:
    """How a log was found, and where what it has committed stands in it."""

    size: int
    """Bytes; 0 if there is no log."""
    header_sound: bool
    """An unsound header hides the whole log."""
    commits_hidden: int
    """Commits after the first frame that does not check: one may be a power cut, more are damage."""
    page_bytes: int = 0
    pages: Mapping[int, int] = field(default_factory=dict)
    """For each page that was committed, counted from 1, where its newest content begins in the log."""
    pages_in_file: int = 0
    """How many pages the database has after the last commit; 0 if there is none."""


def examine(log: bytes) -> LogCondition:
    """Return the condition of a write-ahead log."""
    if len(log) < HEADER_BYTES:
        return LogCondition(size=len(log), header_sound=False, commits_hidden=0)
    magic = int.from_bytes(log[:4])
    page_bytes = int.from_bytes(log[8:12])
    salts = log[16:24]
    order = "big" if magic & 1 else "little"
    sums = _check_sums(log[:24], order, (0, 0))
    if magic & ~1 != _MAGIC or not page_bytes or _pair(log[24:32]) != sums:
        return LogCondition(size=len(log), header_sound=False, commits_hidden=0)
    sound = True
    hidden = 0
    pages_in_file = 0
    committed: dict[int, int] = {}
    uncommitted: dict[int, int] = {}
    for start in range(HEADER_BYTES, len(log) - _FRAME_HEADER_BYTES + 1, _FRAME_HEADER_BYTES + page_bytes):
        header = log[start : start + _FRAME_HEADER_BYTES]
        content = start + _FRAME_HEADER_BYTES
        page = log[content : content + page_bytes]
        if sound:
            sound = header[8:16] == salts and len(page) == page_bytes
            if sound:
                sums = _check_sums(page, order, _check_sums(header[:8], order, sums))
                sound = sums == _pair(header[16:24])
        pages_after_commit = int.from_bytes(header[4:8])
        if sound:
            uncommitted[int.from_bytes(header[:4])] = content
            if pages_after_commit:
                committed |= uncommitted
                pages_in_file = pages_after_commit
                uncommitted.clear()
        # Frames with other salts are left over from before the log last began anew.
        elif pages_after_commit and header[8:16] == salts:
            hidden += 1
    return LogCondition(
        size=len(log),
        header_sound=True,
        commits_hidden=hidden,
        page_bytes=page_bytes,
        pages=committed,
        pages_in_file=pages_in_file,
    )


def laid_over(database: bytes, log: bytes, condition: LogCondition) -> bytes:
    """Return a database file as it would be with everything that its log has committed moved into it."""
    if not condition.pages_in_file:
        return database
    size = condition.page_bytes
    whole = bytearray(database)
    whole.extend(bytes(max(0, condition.pages_in_file * size - len(whole))))
    for page, content in condition.pages.items():
        whole[(page - 1) * size : page * size] = log[content : content + size]
    return bytes(whole)


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
