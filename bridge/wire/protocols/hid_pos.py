r"""A barcode card reader in line mode: what a card carries, in ASCII, ended by CR, LF or both.

The same reader also speaks USB HID and the keyboard's language; line mode is what it speaks on RS-232
and as a CDC device. Nothing is ever asked of it, so a quiet reader and one without power look the same.
What a card carries is the card maker's choice: the codes are the profile's.

What a frame says (``explain``), the line's end being part of the frame:

    card Kh                          32 31 33 30 0D
    not a card: '9999'               39 39 39 39 0D 0A
    not a card: '21\x8030'          32 31 80 33 30 0D     bytes that print nothing, in hexadecimal
"""

from collections.abc import Mapping, Sequence

from bridge.wire.errors import FrameError, LineSetupError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CardRead,
    FaultCause,
    FrameFault,
    Order,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.receive_buffer import ReceiveBuffer
from bridge.wire.spec import DeviceSpec, ParameterRule, ProtocolFamily, SerialSettings, Unit

LINE_LENGTH_MAX = 64
"""The longest line that is taken, its end not counted; a HID report of such a reader holds 56 characters."""
_ENDS = b"\r\n"
_END_MARKS = (b"\r", b"\n")
_UNPRINTED = bytes(range(0x21)) + b"\x7f"
"""Control characters and blanks; a reader may be set up to send some around what it has read."""

PARAMETERS: Mapping[str, ParameterRule] = {
    "mode": ParameterRule(
        default="line", meaning="the language that the reader is switched to", choices=("line",)
    ),
    "line_timeout_ms": ParameterRule(
        default=200,
        meaning="how long a line may take from its first character to its end",
        minimum=10,
        maximum=10_000,
    ),
}


class LineReader:
    """The bridge's end of a reader's line: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a card reader has its line to itself; this line has {len(units)} devices")
        self._address = units[0].address
        spec = units[0].spec
        if not spec.card_codes:
            raise LineSetupError(f"profile {spec.profile} lists no card codes: no card could ever be read")
        self._name = f"reader ({spec.profile})"
        self._codes = spec.card_codes
        self._line_timeout_us = int(spec.parameters["line_timeout_ms"]) * 1000
        self._buffer = ReceiveBuffer(LINE_LENGTH_MAX)
        self._overflown = False
        self._deadline_us: int | None = None
        self._in_service = False

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return the cards they complete."""
        messages = list(self.wake(now_us))
        for piece in data.splitlines(keepends=True):
            messages += self._take(piece.rstrip(_ENDS), ended=piece.endswith(_END_MARKS), now_us=now_us)
        return tuple(messages)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: the port is open, and a line that gets no end is given up."""
        messages: list[WireMessage] = []
        if not self._in_service:
            self._in_service = True
            messages.append(UnitAnswering(address=self._address, active_inputs=frozenset()))
        if self._deadline_us is not None and now_us >= self._deadline_us:
            self._deadline_us = None
            self._overflown = False
            half = self._buffer.clear()
            if half:
                reason = "a line has begun and not ended: the reader stopped in the middle of a card"
                messages.append(self._fault(FaultCause.TIMEOUT, reason, half))
        return tuple(messages)

    def order(self, order: Order) -> None:
        """Raise ``OrderError``: a reader has no outputs."""
        raise refusal(order, "a card reader")

    def data_to_send(self, now_us: int) -> bytes:  # noqa: ARG002 - the Codec contract
        """Return nothing: a reader is never asked."""
        return b""

    def next_wakeup(self) -> int | None:
        """Return when a begun line is given up; at once while the open port has yet to be told of."""
        return self._deadline_us if self._in_service else 0

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget half a line: the port is gone."""
        self._buffer.clear()
        self._overflown = False
        self._deadline_us = None
        if not self._in_service:
            return ()
        self._in_service = False
        return (UnitSilent(address=self._address, reason=f"{self._name} is out of reach: its line is gone"),)

    def _take(self, part: bytes, *, ended: bool, now_us: int) -> tuple[WireMessage, ...]:
        messages: tuple[WireMessage, ...] = ()
        if not self._overflown:
            dropped = self._buffer.append(part)
            if dropped:
                self._overflown = True
                reason = f"a line of more than {LINE_LENGTH_MAX} characters"
                messages = (self._fault(FaultCause.OVERFLOW, reason, dropped + self._buffer.clear()),)
        if not ended:
            if self._deadline_us is None:
                self._deadline_us = now_us + self._line_timeout_us
            return messages
        line = self._buffer.clear().strip(_UNPRINTED)
        self._deadline_us = None
        self._overflown = False
        return messages + (self._read(line) if line else ())

    def _read(self, line: bytes) -> tuple[WireMessage, ...]:
        try:
            text = _printable(line)
        except FrameError as error:
            return (self._fault(FaultCause.JUNK, error.reason, line),)
        card = self._codes.get(text)
        if card is None:
            return (CardNotRead(address=self._address, raw=text),)
        return (CardRead(address=self._address, card=card),)

    def _fault(self, cause: FaultCause, reason: str, raw: bytes) -> FrameFault:
        return FrameFault(address=self._address, cause=cause, reason=reason, raw=raw[:EVIDENCE_MAX])


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Say what one whole line means; raise ``FrameError`` for bytes that are none."""
    lines = raw.splitlines(keepends=True)
    if len(lines) != 1 or not raw.endswith(_END_MARKS):
        raise FrameError("not one line with CR, LF or both at its end", raw)
    line = raw.strip(_UNPRINTED)
    if not 1 <= len(line) <= LINE_LENGTH_MAX:
        raise FrameError(f"not a line of 1 to {LINE_LENGTH_MAX} characters", raw)
    text = _printable(line)
    card = spec.card_codes.get(text)
    return f"not a card: '{text}'" if card is None else f"card {card}"


def _printable(line: bytes) -> str:
    """Return the text of a line, what prints nothing as hexadecimal; raise ``FrameError`` if all of it is such.

    A card has passed even if its line is spoilt: that must be told, so that a person names it (T51).
    """
    if not any(_is_printable(byte) for byte in line):
        raise FrameError("a line in which nothing is text", line)
    return "".join(chr(byte) if _is_printable(byte) else f"\\x{byte:02x}" for byte in line)


def _is_printable(byte: int) -> bool:
    return 0x20 <= byte < 0x7F  # noqa: PLR2004 - the printing characters of ASCII


FAMILY = ProtocolFamily(
    name="hid_pos",
    parameters=PARAMETERS,
    reads_cards=True,
    addresses=range(1),
    serial=SerialSettings(),
    codec=LineReader,
    explain=explain,
)
