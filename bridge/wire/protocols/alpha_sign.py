"""A meter sign of the Alpha protocol: the amount of the progressive, and a banner before it.

The same bytes go over a serial line and over the bulk endpoint of a BetaBrite Prism. A sign does not answer
unless it is made to, so what it must show is sent again whenever the line is opened and at every refresh; an
open port is all that is known of it. Signs of newer firmware can be made to acknowledge (``acknowledges``):
then one that does not is silent, and one that refuses is out of service.

Packets: ``alpha_frames``; what a sign has to be told: ``alpha_sign_unit``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.wire.alpha_frames import (
    ACK,
    NAK,
    STATUS_ALWAYS,
    STATUS_CHECKSUM,
    STX,
    encode_command,
    encode_packet,
    status_text,
)
from bridge.wire.alpha_sign_unit import COLOURS, AlphaSign, Part
from bridge.wire.alpha_text import explain
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    FaultCause,
    FrameFault,
    Order,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import ParameterRule, Parity, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "SignLine", "explain"]

CHARACTERS_APART_MAX_US = 900_000
"""A sign ends a packet in which about a second passes between two characters."""
_TYPES = ("Z", "!", "#", "$", "1", "2", "c", "e", "f", "g", "h", "i", "j", "k")
_ALL = 0

PARAMETERS: Mapping[str, ParameterRule] = {
    "type_code": ParameterRule(
        default="Z", meaning="the type of sign that packets are for; Z is every type", choices=_TYPES
    ),
    "checksum": ParameterRule(default=True, meaning="end packets with their checksum"),
    "label": ParameterRule(default="PROGRESSIVE ", meaning="what stands before the amount"),
    "currency": ParameterRule(default="$", meaning="the sign of the currency, before the amount"),
    "show_cents": ParameterRule(default=True, meaning="show the cents of the amount"),
    "colour": ParameterRule(default="auto", meaning="the colour of texts", choices=tuple(COLOURS)),
    "position": ParameterRule(
        default="20",
        meaning="the code of the lines that texts are shown on, in hexadecimal: 20 is the middle line; documents "
        "differ about the others",
        choices=("20", "22", "26", "30"),
    ),
    "banner_mode": ParameterRule(
        default="flash", meaning="how a banner is shown", choices=("flash", "hold", "rotate")
    ),
    "configure_memory": ParameterRule(
        default=True,
        meaning="lay out the sign's memory whenever the line is opened, which erases all that it held; false for "
        "a sign that is laid out with text A of 64 bytes and string M of 32",
    ),
    "lay_out_every": ParameterRule(
        default=10,
        meaning="refreshes after which the memory is laid out anew, for a sign that was exchanged while the line "
        "stayed open; the sign is dark for a moment; 0 for never",
        maximum=1000,
    ),
    "memory_pause_ms": ParameterRule(
        default=1000, meaning="how long a sign takes to lay out its memory", maximum=10_000
    ),
    "stx_pause_ms": ParameterRule(
        default=100, meaning="pause after STX, which a sign may use to prepare", maximum=700
    ),
    "packet_gap_ms": ParameterRule(default=100, meaning="pause between two packets", maximum=10_000),
    "refresh_s": ParameterRule(
        default=60,
        meaning="how often all that a sign must show is sent again; texts start anew with it",
        minimum=5,
        maximum=3600,
    ),
    "acknowledges": ParameterRule(
        default=False, meaning="make the sign acknowledge every packet; only newer firmware can"
    ),
    "answer_ms": ParameterRule(
        default=2000, meaning="how long a sign may take to acknowledge", minimum=10, maximum=10_000
    ),
    "retries": ParameterRule(
        default=3,
        meaning="packets in a row that are not acknowledged until the sign is silent",
        minimum=1,
        maximum=20,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sending:
    """A packet on its way."""

    sign: AlphaSign
    part: Part
    packet: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Awaited:
    """A packet that is to be acknowledged, and until when."""

    sent: _Sending
    until_us: int


class SignLine:
    """The bridge's end of a line with one or more signs: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._signs = {unit.address: AlphaSign(unit) for unit in units}
        if not units or len(self._signs) != len(units) or (len(units) > 1 and _ALL in self._signs):
            raise LineSetupError(
                "a line needs at least one sign, no two with the same address, and address 0, which all signs "
                "hear, for a sign alone"
            )
        if len({unit.spec.profile for unit in units}) > 1:
            raise LineSetupError("the signs of one line are of one profile: they share its pauses")
        serial, parameters = units[0].spec.serial, units[0].spec.parameters
        self._character_us = serial.character_us
        self._stx_pause_us = int(parameters["stx_pause_ms"]) * 1000
        self._gap_us = int(parameters["packet_gap_ms"]) * 1000
        self._memory_pause_us = int(parameters["memory_pause_ms"]) * 1000
        self._refresh_us = int(parameters["refresh_s"]) * 1_000_000
        self._answer_us = int(parameters["answer_ms"]) * 1000
        self._retries = int(parameters["retries"])
        self._acknowledges = parameters["acknowledges"] is True
        self._in_service: set[int] = set()
        self._failures = dict.fromkeys(self._signs, 0)
        self._refresh_at_us: int | None = None
        self._free_us = 0
        self._sending: _Sending | None = None
        self._rest_at_us: int | None = None
        """When the rest of the packet, after STX, is to be sent; None if it is sent."""
        self._awaited: _Awaited | None = None
        self._half_answer = b""

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived: acknowledgements, where the sign is made to give them."""
        messages = list(self.wake(now_us))
        junk = bytearray()
        for byte in data:
            if self._half_answer:
                answer, self._half_answer = self._half_answer + bytes((byte,)), b""
                if self._awaited is not None and byte & STATUS_ALWAYS:
                    messages += self._answered(answer, self._awaited.sent, now_us)
                else:
                    junk += answer
            elif byte in {ACK, NAK}:
                self._half_answer = bytes((byte,))
            else:
                junk.append(byte)
        if junk:
            reason = "bytes that are no answer to a packet"
            raw = bytes(junk[:EVIDENCE_MAX])
            messages.append(FrameFault(address=0, cause=FaultCause.JUNK, reason=reason, raw=raw))
        return tuple(messages)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: the port is open, answers are given up, everything falls due again."""
        messages: list[WireMessage] = []
        if self._refresh_at_us is None:
            self._refresh_at_us = now_us + self._refresh_us
            if not self._acknowledges:
                messages += [self._answering(address) for address in self._signs]
        if self._awaited is not None and now_us >= self._awaited.until_us:
            messages += self._unanswered(self._awaited.sent, now_us)
        if now_us >= self._refresh_at_us:
            self._refresh_at_us = now_us + self._refresh_us
            for sign in self._signs.values():
                sign.refresh()
        return tuple(messages)

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` if no sign of the line can carry it out."""
        sign = self._signs.get(order.address)
        if sign is None:
            raise OrderError(f"no sign {order.address} on this line; it has {', '.join(map(str, self._signs))}")
        sign.order(order)

    def data_to_send(self, now_us: int) -> bytes:
        """Return the next packet, or what of it is to be written now."""
        if self._sending is not None:
            if self._rest_at_us is None or now_us < self._rest_at_us:
                return b""
            if now_us < self._rest_at_us - self._stx_pause_us + CHARACTERS_APART_MAX_US:
                rest = self._sending.packet.removeprefix(_head(self._sending.packet))
                return self._send(self._sending, rest, now_us)
            self._sending.sign.again(self._sending.part)
            self._sending = self._rest_at_us = None
        sign = next((sign for sign in self._signs.values() if sign.due), None)
        if sign is None or self._refresh_at_us is None or self._awaited is not None or now_us < self._free_us:
            return b""
        part = sign.next_part()
        address = f"{sign.address:02X}"
        packet = encode_packet(sign.type_code, address, encode_command(sign.command(part)), checksum=sign.checksum)
        self._sending = _Sending(sign=sign, part=part, packet=packet)
        if not self._stx_pause_us:
            return self._send(self._sending, packet, now_us)
        head = _head(packet)
        self._rest_at_us = now_us + len(head) * self._character_us + self._stx_pause_us
        return head

    def next_wakeup(self) -> int | None:
        """Return when something falls due; at once while the open port has yet to be told of."""
        if self._refresh_at_us is None:
            return 0
        times = [self._refresh_at_us]
        if self._rest_at_us is not None:
            times.append(self._rest_at_us)
        elif self._awaited is not None:
            times.append(self._awaited.until_us)
        elif any(sign.due for sign in self._signs.values()):
            times.append(self._free_us)
        return min(times)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget what is on its way; when the line is back, everything is sent again."""
        for lost in (self._sending, self._awaited.sent if self._awaited else None):
            if lost is not None:
                lost.sign.again(lost.part)
        self._sending = self._awaited = self._rest_at_us = self._refresh_at_us = None
        self._half_answer = b""
        self._free_us = 0
        messages = []
        for address, sign in self._signs.items():
            sign.connected()
            self._failures[address] = 0
            if address in self._in_service:
                messages.append(out_of_reach(address, sign.name))
        self._in_service.clear()
        return tuple(messages)

    def _send(self, sending: _Sending, rest: bytes, now_us: int) -> bytes:
        """Return the rest of a packet, which is all of it where no pause is made within."""
        self._sending = self._rest_at_us = None
        sent_us = now_us + len(rest) * self._character_us
        pause_us = self._memory_pause_us if sending.part is Part.MEMORY else self._gap_us
        self._free_us = sent_us + pause_us
        if self._acknowledges:
            self._awaited = _Awaited(sent=sending, until_us=sent_us + pause_us + self._answer_us)
        return rest

    def _answered(self, answer: bytes, sent: _Sending, now_us: int) -> tuple[WireMessage, ...]:
        self._awaited = None
        sign = sent.sign
        self._free_us = max(self._free_us, now_us)
        if answer[0] == ACK:
            if self._failures[sign.address] >= self._retries:
                sign.refresh()  # what it did not take meanwhile was left out
            self._failures[sign.address] = 0
            return () if sign.address in self._in_service else (self._answering(sign.address),)
        status = answer[1]
        cause = FaultCause.CHECKSUM if status & STATUS_CHECKSUM else FaultCause.UNKNOWN
        reason = f"{sign.name} refuses a packet: {status_text(status)}"
        out = UnitRefused(address=sign.address, reason=f"{reason}; compare the profile with the sign's manual")
        fault = FrameFault(address=sign.address, cause=cause, reason=reason, raw=answer)
        return (fault, *self._failed(sent, out))

    def _unanswered(self, sent: _Sending, now_us: int) -> tuple[WireMessage, ...]:
        raw, self._half_answer = self._half_answer, b""
        self._awaited = None
        if sent.part is Part.ACKNOWLEDGE:
            return ()  # from when on a sign acknowledges is written nowhere: perhaps from the next packet on
        self._free_us = now_us
        sign = sent.sign
        reason = f"{sign.name} acknowledges no packet"
        advice = "check its power and the line, and that its firmware can acknowledge"
        out = UnitSilent(address=sign.address, reason=f"{reason}: {advice}")
        fault = FrameFault(address=sign.address, cause=FaultCause.TIMEOUT, reason=reason, raw=raw)
        return (fault, *self._failed(sent, out))

    def _failed(self, sent: _Sending, out: UnitSilent | UnitRefused) -> tuple[WireMessage, ...]:
        """Send a packet again; after some failures leave it to the next refresh."""
        address = sent.sign.address
        self._failures[address] += 1
        if self._failures[address] < self._retries:
            sent.sign.again(sent.part)
            return ()
        sent.sign.postpone()
        self._in_service.discard(address)
        return (out,) if self._failures[address] == self._retries else ()

    def _answering(self, address: int) -> UnitAnswering:
        self._in_service.add(address)
        return UnitAnswering(address=address, active_inputs=frozenset())


def _head(packet: bytes) -> bytes:
    return packet[: packet.index(STX) + 1]


FAMILY = ProtocolFamily(
    name="alpha_sign",
    parameters=PARAMETERS,
    reads_cards=False,
    shows_text=True,
    addresses=range(256),
    serial=SerialSettings(baud=9600, data_bits=7, parity=Parity.EVEN, stop_bits=1),
    codec=SignLine,
    explain=explain,
)
