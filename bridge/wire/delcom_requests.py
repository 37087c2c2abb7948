"""What a Delcom indicator is asked, and how its answer is known.

Orders have no answer, so they travel in front of the next question. Answers do not say what they answer: only
the one that says what the device is can be told from the others.
"""

from dataclasses import dataclass

from bridge.wire.delcom_reports import ANSWER_LENGTH, DEVICE, PORTS, PRESSES, read_identity
from bridge.wire.errors import FrameError
from bridge.wire.hid_reports import RECORD_HEAD, Report, ReportKind, ask_feature, pack
from bridge.wire.messages import FaultCause
from bridge.wire.polling import Verdict

_NAMES = {PORTS: "its ports", PRESSES: "its presses", DEVICE: "what it is"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DelcomRequest:
    """Orders, then a question. ``known`` is the answer that is expected, where that is known."""

    address: int
    question: int
    orders: tuple[bytes, ...] = ()
    numbered: bool = False
    """Whether the device begins its answers with their number."""
    known: bytes = b""

    @property
    def data(self) -> bytes:
        """The records to send."""
        orders = (pack(Report(ReportKind.FEATURE, order)) for order in self.orders)
        return b"".join(orders) + pack(ask_feature(self.question, ANSWER_LENGTH + self.numbered))

    @property
    def answer_length(self) -> int:
        """How many bytes the record of the answer has."""
        return RECORD_HEAD + ANSWER_LENGTH + self.numbered

    def find_answer(self, received: bytes) -> slice | None:
        """Return where in ``received`` the record of the answer stands."""
        start = ReportKind.FEATURE.value + (ANSWER_LENGTH + self.numbered).to_bytes(RECORD_HEAD - 1)
        if self.numbered:
            start += bytes((self.question,))
        at = received.find(start)
        while 0 <= at <= len(received) - self.answer_length:
            where = slice(at, at + self.answer_length)
            if self._fits(self.read(received[where])):
                return where
            at = received.find(start, at + 1)
        return None

    def read(self, raw: bytes) -> bytes:
        """Return the answer out of its record."""
        return raw[RECORD_HEAD + self.numbered :]

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"the device was asked for {_NAMES[self.question]}"
        if not received:
            return Verdict(cause=FaultCause.TIMEOUT, reason=f"{asked} and does not answer", answer_may_follow=True)
        if received.startswith(ReportKind.FEATURE.value):
            reason = f"{asked}, and this answers something else"
            return Verdict(cause=FaultCause.UNKNOWN, reason=reason, answer_may_follow=True)
        reason = f"{asked}, and this is no record of an answer"
        return Verdict(cause=FaultCause.JUNK, reason=reason, answer_may_follow=True)

    def _fits(self, answer: bytes) -> bool:
        if self.known:
            return answer == self.known
        if self.question != DEVICE:
            return True
        try:
            read_identity(answer)
        except FrameError:
            return False
        return True
