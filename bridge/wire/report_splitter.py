"""Cuts a stream into the reports of a shoe, and the bytes that are none. An ENQ always begins a report."""

from collections.abc import Callable
from dataclasses import dataclass

from bridge.wire.errors import ChecksumError, FrameError
from bridge.wire.messages import FaultCause
from bridge.wire.receive_buffer import ReceiveBuffer
from bridge.wire.shoe_frames import ACK, CHECK_LENGTH, ENQ, ETX, NAK, REPORT_LENGTH_MIN

STRETCH_MAX = 128
"""The longest documented report has 12 bytes; a source gives up an unfinished one after 128."""


@dataclass(frozen=True, slots=True)
class WholeReport:
    """A report that passed its check."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """ACK, or NAK with its code."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of bytes that became no report."""

    raw: bytes
    cause: FaultCause
    reason: str


Cut = WholeReport | Answer | Damage


class ReportSplitter:
    """Holds the bytes of one unfinished stretch, and no more."""

    def __init__(self, check: Callable[[bytes], None]) -> None:
        self.answer_expected = False
        """Whether ACK and NAK outside a report are answers. Without a command they are junk."""
        self._check = check
        self._buffer = ReceiveBuffer(STRETCH_MAX)
        self._etx_at: int | None = None
        self._after_damage = False

    @property
    def waiting(self) -> int:
        """How many bytes wait for more."""
        return len(self._buffer)

    def take(self, byte: int) -> tuple[Cut, ...]:
        """Take the next byte; return what it completes."""
        if byte == ENQ:
            ended = self.end(FaultCause.JUNK, "bytes that no report begins or ends")
            self._buffer.append(bytes((byte,)))
            return ended
        begun = bytes(self._buffer)[:1]
        if self.answer_expected and begun != bytes((ENQ,)):
            if begun == bytes((NAK,)) and len(self._buffer) == 1:
                return (Answer(self._buffer.clear() + bytes((byte,))),)
            if byte in {ACK, NAK}:
                ended = self.end(FaultCause.JUNK, "bytes that no report begins")
                if byte == ACK:
                    return (*ended, Answer(bytes((byte,))))
                self._buffer.append(bytes((byte,)))
                return ended
        self._buffer.append(bytes((byte,)))
        if begun == bytes((ENQ,)):
            return self._in_report(byte)
        return self._if_full("bytes without a report among them")

    def end(self, cause: FaultCause, reason: str) -> tuple[Damage, ...]:
        """End the stretch that has begun: it becomes no report."""
        raw = self._buffer.clear()
        self._etx_at = None
        is_tail = self._after_damage and len(raw) < REPORT_LENGTH_MIN
        self._after_damage = False
        if not raw or is_tail:
            return ()  # nothing, or the rest of a report that a false ETX has cut short, which is told already
        return (Damage(raw, cause, reason),)

    def _in_report(self, byte: int) -> tuple[Cut, ...]:
        if self._etx_at is None:
            if byte == ETX:
                self._etx_at = len(self._buffer)
            return self._if_full("a report without its ETX")
        if len(self._buffer) < self._etx_at + CHECK_LENGTH:
            return ()
        raw = self._buffer.clear()
        self._etx_at = None
        try:
            self._check(raw)
        except FrameError as error:
            self._after_damage = True
            cause = FaultCause.CHECKSUM if isinstance(error, ChecksumError) else FaultCause.JUNK
            return (Damage(raw, cause, error.reason),)
        return (WholeReport(raw),)

    def _if_full(self, reason: str) -> tuple[Damage, ...]:
        if len(self._buffer) < STRETCH_MAX:
            return ()
        return self.end(FaultCause.OVERFLOW, f"{reason}, {STRETCH_MAX} bytes long")
