"""What a master asks on a Modbus line, and how it knows the answer."""

from collections.abc import Iterator
from dataclasses import dataclass

from bridge.wire.errors import FrameError
from bridge.wire.messages import FaultCause
from bridge.wire.modbus_frames import (
    EXCEPTION_BIT,
    EXCEPTION_LENGTH,
    READS_REGISTERS,
    Frame,
    Function,
    decode_frame,
    encode_read,
    encode_write_coil,
    encode_write_coils,
    reply_length,
)
from bridge.wire.modbus_text import function_name
from bridge.wire.polling import Verdict

_WRITES = frozenset({Function.WRITE_SINGLE_COIL, Function.WRITE_MULTIPLE_COILS})
"""Their answers repeat where they have written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModbusRequest:
    """One request to one unit, from wire address ``start`` on."""

    address: int
    function: Function
    start: int
    count: int
    active: frozenset[int] = frozenset()
    """For a write: the channels to be on, channel 1 being at ``start``."""

    @property
    def data(self) -> bytes:
        """The bytes to send."""
        match self.function:
            case Function.WRITE_MULTIPLE_COILS:
                return encode_write_coils(self.address, self.count, self.active, start=self.start)
            case Function.WRITE_SINGLE_COIL:
                return encode_write_coil(self.address, self.start, on=bool(self.active))
            case _:
                return encode_read(self.address, self.function, self.start, self.count)

    @property
    def answer_length(self) -> int:
        """How many bytes the answer has, if it is not a refusal."""
        return len(self._answer_start) + self._values_length + 2

    @property
    def _values_length(self) -> int:
        if self.function in _WRITES:
            return 0
        return 2 * self.count if self.function in READS_REGISTERS else (self.count + 7) // 8

    @property
    def _answer_start(self) -> bytes:
        """The bytes before the values, every one of them known beforehand."""
        if self.function in _WRITES:
            return self.data[:6]
        return bytes((self.address, self.function, self._values_length))

    def find_answer(self, received: bytes) -> slice | None:
        """Return where in ``received`` the whole answer stands, a refusal included."""
        refusal_start = bytes((self.address, self.function | EXCEPTION_BIT))
        for start_bytes, length in ((self._answer_start, self.answer_length), (refusal_start, EXCEPTION_LENGTH)):
            at = received.find(start_bytes)
            while 0 <= at <= len(received) - length:
                if _decodes(received[at : at + length]):
                    return slice(at, at + length)
                at = received.find(start_bytes, at + 1)
        return None

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"unit {self.address} was asked {function_name(self.function)}"
        if not received:
            return Verdict(cause=FaultCause.TIMEOUT, reason=f"{asked} and does not answer", answer_may_follow=True)
        for frame in _replies(received):
            reason = f"{asked}, and this is unit {frame.unit} {function_name(frame.function & ~EXCEPTION_BIT)}"
            return Verdict(cause=FaultCause.UNKNOWN, reason=reason, answer_may_follow=True)
        if received.startswith(self._answer_start):
            if len(received) < self.answer_length:
                reason = f"{asked} and its answer breaks off"
                return Verdict(cause=FaultCause.TIMEOUT, reason=reason, answer_may_follow=True)
            reason = f"{asked} and its answer has a wrong CRC"
            return Verdict(cause=FaultCause.CHECKSUM, reason=reason, answer_may_follow=False)
        reason = f"{asked}, and this is no frame of Modbus"
        return Verdict(cause=FaultCause.JUNK, reason=reason, answer_may_follow=False)


def _replies(received: bytes) -> Iterator[Frame]:
    """Find whole replies, of whomever, anywhere in what arrived."""
    for at in range(len(received)):
        try:
            length = reply_length(received[at:])
            if length is not None and at + length <= len(received):
                yield decode_frame(received[at : at + length])
        except FrameError:
            continue


def _decodes(raw: bytes) -> bool:
    try:
        decode_frame(raw)
    except FrameError:
        return False
    return True
