"""What is asked of a RapidRadio reader, and how its answer is known, over USB and over TCP.

How the frames look that continue an inventory of more than seven chips is printed nowhere. Whether their list
begins with a count can be told by its length, and a list that does not come to as many chips as the first frame
counted is refused; so no chip is taken for gone that was only not listed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bridge.wire.chip_requests import Asking, ChipAnswer, Done, Page, Refused
from bridge.wire.errors import FrameError
from bridge.wire.hid_reports import RECORD_HEAD, Report, ReportKind, pack
from bridge.wire.messages import FaultCause
from bridge.wire.polling import Verdict
from bridge.wire.rapidradio_frames import (
    FAILURE,
    FLAGS,
    NO_ERROR,
    PAGE,
    REPORT_LENGTH,
    UID_LENGTH,
    RapidRadioFrame,
    ReaderCommand,
    decode_frame,
    decode_uids,
    encode_request,
    frame_length,
)

_RECORD = ReportKind.INPUT.value + REPORT_LENGTH.to_bytes(RECORD_HEAD - 1)
_ERROR_LENGTH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidRadioRequest:
    """One request."""

    kind: Asking
    command: ReaderCommand
    usb: bool
    """Whether frames travel in HID reports."""
    address: int = 0

    @property
    def data(self) -> bytes:
        """The bytes to send."""
        frame = encode_request(self.command)
        return pack(Report(ReportKind.OUTPUT, frame.ljust(REPORT_LENGTH, b"\x00"))) if self.usb else frame

    @property
    def answer_length(self) -> int:
        """How long an answer may be."""
        return RECORD_HEAD + REPORT_LENGTH if self.usb else REPORT_LENGTH

    def find_answer(self, received: bytes) -> slice | None:
        """Return where in ``received`` the whole answer stands, a failure included."""
        return next((where for where, frame in self._frames(received) if self._is_answer(frame)), None)

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"the reader was asked for its {self.kind.name.lower()}"
        if not received:
            return Verdict(cause=FaultCause.TIMEOUT, reason=f"{asked} and does not answer", answer_may_follow=True)
        for _, frame in self._frames(received):
            reason = f"{asked}, and this is command {frame.command:04X}"
            return Verdict(cause=FaultCause.UNKNOWN, reason=reason, answer_may_follow=True)
        reason = f"{asked}, and this is no frame with a right CRC"
        return Verdict(cause=FaultCause.CHECKSUM, reason=reason, answer_may_follow=False)

    def read(self, raw: bytes) -> ChipAnswer:
        """Return what an answer says."""
        answer = decode_frame(raw[RECORD_HEAD:] if self.usb else raw).data
        error, data = answer[:_ERROR_LENGTH], answer[_ERROR_LENGTH:]
        if self.kind is Asking.PROBE:
            return Done()
        if error == FAILURE:  # which is also what a reader says that sees no chip
            return Page(uids=frozenset(), more=False)
        if error != NO_ERROR:
            return Refused(f"error {error.hex().upper()}, which its document does not list")
        try:
            return _page(data, continued=self.kind is Asking.MORE)
        except FrameError as refused:
            return Refused(refused.reason)

    def _is_answer(self, frame: RapidRadioFrame) -> bool:
        echo = frame.data == FLAGS.get(self.command, b"")
        return frame.command == self.command and len(frame.data) >= _ERROR_LENGTH and not echo

    def _frames(self, received: bytes) -> Iterator[tuple[slice, RapidRadioFrame]]:
        """Find whole frames with a right CRC, anywhere in what arrived, and what they came in."""
        for at in range(len(received)):
            try:
                if self.usb:
                    end = at + RECORD_HEAD + REPORT_LENGTH
                    if received.startswith(_RECORD, at) and end <= len(received):
                        yield slice(at, end), decode_frame(received[at + RECORD_HEAD : end])
                else:
                    length = frame_length(received[at:])
                    if length is not None and at + length <= len(received):
                        yield slice(at, at + length), decode_frame(received[at : at + length])
            except FrameError:
                continue


def _page(data: bytes, *, continued: bool) -> Page:
    """Return the chips that an inventory lists, after how many there are; what continues it may lack the count."""
    has_count = not continued or len(data) % UID_LENGTH == 1
    uids = decode_uids(data[1:] if has_count else data)
    if continued:
        return Page(uids=frozenset(uids), more=len(uids) == PAGE)
    total = data[0] if data else 0
    return Page(uids=frozenset(uids), more=total > len(uids), total=total)
