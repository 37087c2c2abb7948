"""Text that arrives piece by piece, cut where it ends, and never more of it held than a bound."""

from dataclasses import dataclass

from bridge.wire.messages import FaultCause
from bridge.wire.reader_text import UNPRINTED
from bridge.wire.receive_buffer import ReceiveBuffer

_ENDS = b"\r\n"
_END_MARKS = (b"\r", b"\n")


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole text; never empty, without blanks and control characters around it."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes that became no text."""

    cause: FaultCause
    reason: str
    raw: bytes


class BoundedText:
    """A text that grows; when it is too long its rest is thrown away until it ends."""

    def __init__(self, limit: int, what: str) -> None:
        self._limit = limit
        self._what = what
        self._buffer = ReceiveBuffer(limit)
        self._overflown = False

    @property
    def held(self) -> int:
        """Say how many bytes are held, or 1 while the end of what was thrown away is awaited."""
        return len(self._buffer) or int(self._overflown)

    def grow(self, data: bytes) -> tuple[Damage, ...]:
        """Add bytes; return what that makes too long."""
        if self._overflown:
            return ()
        dropped = self._buffer.append(data)
        if not dropped:
            return ()
        self._overflown = True
        reason = f"{self._what} of more than {self._limit} characters"
        return (Damage(FaultCause.OVERFLOW, reason, dropped + self._buffer.clear()),)

    def end(self) -> tuple[Reading, ...]:
        """End the text; return it unless it is empty or was too long."""
        text = self.give_up().strip(UNPRINTED)
        return (Reading(text),) if text else ()

    def give_up(self) -> bytes:
        """Forget the text; return what can be shown of it."""
        self._overflown = False
        return self._buffer.clear()


class TextLines:
    """Lines of text, ended by CR, LF or both."""

    def __init__(self, limit: int) -> None:
        self._line = BoundedText(limit, "a line")

    @property
    def held(self) -> int:
        """Say how much of a line has come."""
        return self._line.held

    def take(self, data: bytes) -> tuple[Reading | Damage, ...]:
        """Take bytes; every end of a line ends one."""
        found: list[Reading | Damage] = []
        for piece in data.splitlines(keepends=True):
            found += self._line.grow(piece.rstrip(_ENDS))
            if piece.endswith(_END_MARKS):
                found += self._line.end()
        return tuple(found)

    def give_up(self) -> bytes:
        """Forget half a line; return it."""
        return self._line.give_up()
