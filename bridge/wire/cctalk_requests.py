"""What a master asks on a ccTalk line, and how it knows the answer.

The line has one wire for both directions, so a master hears what it sends before it hears the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bridge.wire.cctalk_frames import (
    ANSWERS,
    AROUND_DATA,
    HOST,
    Check,
    Header,
    Packet,
    decode_packet,
    encode_packet,
    packet_length,
)
from bridge.wire.cctalk_text import header_name
from bridge.wire.errors import FrameError
from bridge.wire.messages import FaultCause
from bridge.wire.polling import Verdict

TEXT_LENGTH_EXPECTED = 16
"""Texts that identify a unit have no fixed length; so many characters are waited for without complaint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CctalkRequest:
    """One request to one unit."""

    address: int
    header: Header
    asked: bytes = b""
    """The data of the request."""
    reply_length: int | None = 0
    """How many bytes of data the reply has; None for a text."""
    check: Check = Check.SUM
    echo: bool = True
    """Whether the line hears its own bytes."""

    @property
    def data(self) -> bytes:
        """The bytes to send."""
        packet = Packet(destination=self.address, source=HOST, header=self.header, data=self.asked)
        return encode_packet(packet, self.check)

    @property
    def answer_length(self) -> int:
        """How many bytes come back, the echo included, if the unit does not refuse."""
        length = TEXT_LENGTH_EXPECTED if self.reply_length is None else self.reply_length
        return self._echo_length + AROUND_DATA + length

    @property
    def _echo_length(self) -> int:
        return len(self.data) if self.echo else 0

    def find_answer(self, received: bytes) -> slice | None:
        """Return where in ``received`` echo and whole answer stand, a refusal included."""
        start = received.find(self.data) if self.echo else 0
        if start < 0:
            return None
        for where, packet in self._answers(received, start + self._echo_length):
            if self._fits(packet):
                return slice(start if self.echo else where.start, where.stop)
        return None

    def read(self, raw: bytes) -> tuple[Packet, bytes]:
        """Return the answer out of what ``find_answer`` has found, and what was between it and the echo."""
        after_echo = self._echo_length
        where, packet = next(found for found in self._answers(raw, after_echo) if self._fits(found[1]))
        return packet, raw[after_echo : where.start]

    def judge(self, received: bytes) -> Verdict:
        """Say what ``received`` is, in which no answer was found."""
        asked = f"unit {self.address} was asked {header_name(self.header)}"
        if not received:
            reason = f"{asked} and does not answer"
            if self.echo:
                reason = (
                    f"{asked}, and not even these bytes came back: check that adapter and line have power; "
                    "for an adapter that keeps them to itself set echo to false"
                )
            return Verdict(cause=FaultCause.TIMEOUT, reason=reason, answer_may_follow=True)
        at = received.find(self.data)
        if at < 0 and self.echo:
            if self.data.startswith(received):
                reason = f"{asked}, and only part of these bytes came back"
                return Verdict(cause=FaultCause.TIMEOUT, reason=reason, answer_may_follow=True)
            reason = f"{asked}, and other bytes came back than were sent: a second master, or a bad line"
            return Verdict(cause=FaultCause.JUNK, reason=reason, answer_may_follow=len(received) < len(self.data))
        if at >= 0 and not self.echo:
            reason = f"{asked}, and its own bytes came back: set echo to true"
            return Verdict(cause=FaultCause.UNKNOWN, reason=reason, answer_may_follow=True)
        return self._judge_answer(received[at + self._echo_length :] if self.echo else received, asked)

    def _judge_answer(self, received: bytes, asked: str) -> Verdict:
        if not received:
            reason = f"{asked} and does not answer"
            return Verdict(cause=FaultCause.TIMEOUT, reason=reason, answer_may_follow=True)
        for _, packet in self._answers(received, 0):
            said = f"{header_name(packet.header)} of {len(packet.data)} bytes from {packet.source or 'a unit'}"
            reason = f"{asked}, and this is {said}"
            return Verdict(cause=FaultCause.UNKNOWN, reason=reason, answer_may_follow=True)
        if received[0] == HOST:
            length = packet_length(received)
            if length is None or len(received) < length:
                reason = f"{asked} and its answer breaks off"
                return Verdict(cause=FaultCause.TIMEOUT, reason=reason, answer_may_follow=True)
            reason = f"{asked} and its answer has a wrong checksum"
            return Verdict(cause=FaultCause.CHECKSUM, reason=reason, answer_may_follow=False)
        reason = f"{asked}, and this is no packet of ccTalk"
        return Verdict(cause=FaultCause.JUNK, reason=reason, answer_may_follow=False)

    def _fits(self, packet: Packet) -> bool:
        """Say whether a packet to the master can be the answer."""
        if packet.source != (0 if self.check is Check.CRC16 else self.address):
            return False
        if packet.header != Header.REPLY:
            return packet.header in ANSWERS and not packet.data
        if self.reply_length is None:
            return bool(packet.data)
        return len(packet.data) == self.reply_length

    def _answers(self, received: bytes, start: int) -> Iterator[tuple[slice, Packet]]:
        """Find whole packets to the master, of whomever, anywhere after ``start``."""
        for at in range(start, len(received)):
            length = packet_length(received[at:])
            if received[at] != HOST or length is None or at + length > len(received):
                continue
            try:
                yield slice(at, at + length), decode_packet(received[at : at + length], self.check)
            except FrameError:
                continue
