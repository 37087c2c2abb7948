"""What a BlinkStick is asked, and how its answer is known: by its length, since its number may not be in it."""

from dataclasses import dataclass

from bridge.wire.blinkstick_reports import report_length
from bridge.wire.hid_reports import RECORD_HEAD, Report, ReportKind, ask_feature, pack
from bridge.wire.messages import FaultCause
from bridge.wire.polling import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureRequest:
    """One feature that the device is asked for, after it was perhaps told another."""

    address: int
    report: int
    tell: bytes = b""

    @property
    def data(self) -> bytes:
        """The records to send."""
        told = pack(Report(ReportKind.FEATURE, self.tell)) if self.tell else b""
        return told + pack(ask_feature(self.report, report_length(self.report)))

    @property
    def answer_length(self) -> int:
        """How long the record of the answer is."""
        return RECORD_HEAD + report_length(self.report)

    def find_answer(self, received: bytes) -> slice | None:
        """Return where the record of the answer stands; a feature of another length is none."""
        head = ReportKind.FEATURE.value + report_length(self.report).to_bytes(RECORD_HEAD - 1)
        at = received.find(head)
        whole = 0 <= at <= len(received) - self.answer_length
        return slice(at, at + self.answer_length) if whole else None

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"the device was asked for report {self.report:02X}"
        if not received:
            return Verdict(cause=FaultCause.TIMEOUT, reason=f"{asked} and does not answer", answer_may_follow=True)
        reason = f"{asked}, and this is no answer to that"
        return Verdict(cause=FaultCause.JUNK, reason=reason, answer_may_follow=True)
