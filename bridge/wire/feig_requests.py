"""What is asked of a FEIG reader, and how its answer is known."""

from dataclasses import dataclass

from bridge.wire.chip_requests import Asking, ChipAnswer, Done, Page, Refused
from bridge.wire.errors import ChecksumError, FrameError
from bridge.wire.feig_frames import (
    HOST_COMMAND,
    INVENTORY,
    MODE_MORE,
    MORE_DATA,
    NO_TRANSPONDER,
    OK,
    RF_RESET,
    FeigFrame,
    decode_frame,
    decode_transponders,
    encode_frame,
    find_frames,
    frame_length,
    status_text,
)
from bridge.wire.messages import FaultCause
from bridge.wire.polling import Verdict

ANSWER_LENGTH = 255
"""The longest answer in the short form; one in the long form is hardly longer."""
_REQUESTS = {
    Asking.PROBE: (RF_RESET, b""),
    Asking.RESET: (RF_RESET, b""),
    Asking.INVENTORY: (HOST_COMMAND, bytes((INVENTORY, 0))),
    Asking.MORE: (HOST_COMMAND, bytes((INVENTORY, MODE_MORE))),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeigRequest:
    """One request to one reader."""

    address: int
    kind: Asking
    advanced: bool

    @property
    def data(self) -> bytes:
        """The bytes to send."""
        control, data = _REQUESTS[self.kind]
        return encode_frame(FeigFrame(self.address, control, data, self.advanced))

    @property
    def answer_length(self) -> int:
        """How long an answer may be."""
        return ANSWER_LENGTH

    def find_answer(self, received: bytes) -> slice | None:
        """Return where in ``received`` the whole answer stands; an echo of the request is none."""
        control, asked = _REQUESTS[self.kind]
        frames = find_frames(received, of=bytes((self.address, control)))
        return next((where for where, frame in frames if frame.data not in {b"", asked}), None)

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"reader {self.address} was asked for its {self.kind.name.lower()}"
        if not received:
            return Verdict(cause=FaultCause.TIMEOUT, reason=f"{asked} and does not answer", answer_may_follow=True)
        for _, frame in find_frames(received):
            reason = f"{asked}, and this is control byte {frame.control:02X} of reader {frame.address}"
            return Verdict(cause=FaultCause.UNKNOWN, reason=reason, answer_may_follow=True)
        try:
            length = frame_length(received)
            if length is None or length > len(received):
                reason = f"{asked} and its answer breaks off"
                return Verdict(cause=FaultCause.TIMEOUT, reason=reason, answer_may_follow=True)
            decode_frame(received[:length])
        except ChecksumError as error:
            reason = f"{asked}, and its answer has a wrong CRC: {error.reason}"
            return Verdict(cause=FaultCause.CHECKSUM, reason=reason, answer_may_follow=False)
        except FrameError:
            pass
        return Verdict(cause=FaultCause.JUNK, reason=f"{asked}, and this is no frame", answer_may_follow=False)

    def read(self, raw: bytes) -> ChipAnswer:
        """Return what an answer says."""
        data = decode_frame(raw).data
        status = data[0]
        if self.kind is Asking.PROBE:
            return Done()
        if status == NO_TRANSPONDER and self.kind is not Asking.RESET:
            return Page(uids=frozenset(), more=False)
        if status not in {OK, MORE_DATA}:
            return Refused(status_text(status))
        if self.kind is Asking.RESET:
            return Done()
        try:
            transponders = decode_transponders(data[1:])
        except FrameError as error:
            return Refused(error.reason)
        return Page(uids=frozenset(one.uid for one in transponders), more=status == MORE_DATA)
