"""Request and reply, for lines whose devices speak only when they are asked.

One request is in flight at a time. Three rules keep a late answer from being taken for the answer to a
later request:

- an answer is recognised by its sender, its kind and its exact length, anywhere among what arrived;
- after bytes that nobody asked for, nothing is asked until the line has been quiet for a while;
- whoever chooses the requests must not repeat one that was not answered before the same unit has
  answered a request of another kind. Units answer in order, so nothing older can come after that.

Times are integers, microseconds.
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from bridge.wire.messages import EVIDENCE_MAX, FaultCause, FrameFault
from bridge.wire.receive_buffer import ReceiveBuffer


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to be thought of bytes that are not the answer."""

    cause: FaultCause
    reason: str
    answer_may_follow: bool
    """They are something of their own, such as the late answer to an earlier request."""


class Request(Protocol):
    """What is asked, and how its answer is recognised."""

    @property
    def address(self) -> int:
        """The unit that is asked."""

    @property
    def data(self) -> bytes:
        """The bytes to send."""

    @property
    def answer_length(self) -> int:
        """How many bytes the answer has, if it is not a refusal."""

    def find_answer(self, received: bytes) -> slice | None:
        """Return where in ``received`` the whole answer stands, a refusal included."""

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""


R = TypeVar("R", bound=Request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Generic[R]):
    """The answer to a request."""

    request: R
    raw: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered(Generic[R]):
    """A request that is given up; ``raw`` is what came instead, bounded."""

    request: R
    cause: FaultCause
    reason: str
    raw: bytes

    def fault(self, address: int) -> FrameFault:
        """Return it as a fault of the unit that was asked."""
        return FrameFault(address=address, cause=self.cause, reason=self.reason, raw=self.raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTiming:
    """The times of a line, in microseconds."""

    character_us: int
    """One character on the line, start, parity and stop bits included."""
    reply_timeout_us: int
    """How long a unit may take to begin; the time that the bytes are on the line comes on top."""
    quiet_us: int
    """How long nothing must arrive until unasked bytes are taken to have ended."""
    gap_us: int
    """Silence to keep between an answer and the next request."""


class PolledLine(Generic[R]):
    """The master's end of a line: at most one request in flight, at most ``limit`` bytes held."""

    def __init__(self, timing: LineTiming, limit: int) -> None:
        self._timing = timing
        self._buffer = ReceiveBuffer(limit)
        self._request: R | None = None
        self._deadline_us = 0
        self._received_us = 0
        self._free_us = 0
        self._stray = bytearray()
        self._stray_since_us = 0

    @property
    def request(self) -> R | None:
        """The request in flight."""
        return self._request

    def free_at(self) -> int | None:
        """Return from when on something may be asked; None while a request is in flight."""
        return self._free_us if self._request is None else None

    def ask(self, request: R, now_us: int) -> bytes:
        """Put a request in flight, which the line must be free for; return the bytes to write now."""
        self._request = request
        characters = len(request.data) + request.answer_length
        self._deadline_us = now_us + characters * self._timing.character_us + self._timing.reply_timeout_us
        return request.data

    def receive(self, data: bytes, now_us: int) -> tuple[Answered[R] | FrameFault, ...]:
        """Take bytes that arrived; return the answer when it is whole."""
        self._received_us = now_us
        if self._request is None:
            self._strayed(data, now_us)
            return ()
        outcomes: list[Answered[R] | FrameFault] = []
        request = self._request
        dropped = self._buffer.append(data)
        if dropped:
            reason = "more bytes than the longest frame has, and no answer among them"
            outcomes.append(_discarded(request.address, FaultCause.OVERFLOW, reason, dropped))
        where = request.find_answer(bytes(self._buffer))
        if where is None:
            return tuple(outcomes)
        before = self._buffer.take(where.start)
        if before:
            verdict = request.judge(before)
            outcomes.append(_discarded(request.address, verdict.cause, verdict.reason, before))
        outcomes.append(Answered(request=request, raw=self._buffer.take(where.stop - where.start)))
        self._request = None
        self._free_us = now_us + self._timing.gap_us
        after = self._buffer.clear()
        if after:
            self._strayed(after, now_us)
        return tuple(outcomes)

    def wake(self, now_us: int) -> tuple[Unanswered[R] | FrameFault, ...]:
        """Let time pass: give up the request in flight, let the line come to rest."""
        outcomes: list[Unanswered[R] | FrameFault] = []
        request = self._request
        if request is not None and now_us >= self._give_up_us(request):
            raw = self._buffer.clear()
            verdict = request.judge(raw)
            outcomes.append(
                Unanswered(request=request, cause=verdict.cause, reason=verdict.reason, raw=raw[:EVIDENCE_MAX])
            )
            self._request = None
            self._free_us = self._received_us + self._timing.quiet_us if raw else now_us
        if self._stray and now_us >= self._free_us:
            outcomes.append(_discarded(0, FaultCause.JUNK, "bytes that nobody asked for", bytes(self._stray)))
            self._stray.clear()
        return tuple(outcomes)

    def next_wakeup(self) -> int | None:
        """Return when ``wake`` has something to do, or None."""
        if self._request is not None:
            return self._give_up_us(self._request)
        return self._free_us if self._stray else None

    def reset(self) -> R | None:
        """Forget everything, the port is gone; return the request that was in flight."""
        request, self._request = self._request, None
        self._buffer.clear()
        self._stray.clear()
        self._free_us = 0
        return request

    def _give_up_us(self, request: R) -> int:
        """Say when the request is given up: sooner when what arrived is long enough and spoilt."""
        received = bytes(self._buffer)
        if len(received) < request.answer_length or request.judge(received).answer_may_follow:
            return self._deadline_us
        return min(self._deadline_us, self._received_us + self._timing.quiet_us)

    def _strayed(self, data: bytes, now_us: int) -> None:
        """Keep the evidence and wait for quiet, but not for ever: endless noise must not stop the table."""
        if not self._stray:
            self._stray_since_us = now_us
        self._stray += data[: EVIDENCE_MAX - len(self._stray)]
        patience_us = self._stray_since_us + self._timing.reply_timeout_us
        self._free_us = max(self._free_us, min(now_us + self._timing.quiet_us, patience_us))


def _discarded(address: int, cause: FaultCause, reason: str, raw: bytes) -> FrameFault:
    """Return bytes that belong to no request as a fault of the unit asked at that time, 0 for none."""
    return FrameFault(address=address, cause=cause, reason=reason, raw=raw[:EVIDENCE_MAX])
