r"""A barcode card reader, in whichever of its languages it is switched to.

    line        text, ended by CR, LF or both, on RS-232 or as a CDC device
    honeywell   HID point-of-sale reports, a long reading in several of them; also Youjie, Zebra, Datalogic
    newland     HID point-of-sale reports in another layout
    wedge       the keystrokes of a keyboard; whoever owns the device must keep them from other programs

Nothing is ever asked of a reader, so a quiet one and one without power look the same. What a card carries is the
card maker's choice: the codes are the profile's. What each language sounds like: ``reader_languages``.

What a frame says (``explain``); in line mode the line's end is part of the frame:

    card Kh                          32 31 33 30 0D
    not a card: '9999'               39 39 39 39 0D 0A
    not a card: '21\x8030'          32 31 80 33 30 0D     bytes that print nothing, in hexadecimal
"""

from collections.abc import Mapping, Sequence

from bridge.wire.boot_keyboard import explain_keys
from bridge.wire.bounded_text import Damage, Reading
from bridge.wire.errors import FrameError, LineSetupError
from bridge.wire.hid_pos_reports import DECODERS, HONEYWELL, NEWLAND, explain_report
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CardRead,
    FaultCause,
    FrameFault,
    Order,
    UnitAnswering,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.reader_languages import (
    LINE_LENGTH_MAX,
    Language,
    LineLanguage,
    PosLanguage,
    WedgeLanguage,
)
from bridge.wire.reader_text import UNPRINTED, explain_reading, printable
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import DeviceSpec, ParameterRule, ProtocolFamily, SerialSettings, Unit

LINE = "line"
WEDGE = "wedge"
_END_MARKS = (b"\r", b"\n")

PARAMETERS: Mapping[str, ParameterRule] = {
    "mode": ParameterRule(
        default=LINE,
        meaning="the language that the reader is switched to",
        choices=(LINE, HONEYWELL, NEWLAND, WEDGE),
    ),
    "hid_mode_report": ParameterRule(
        default=False,
        meaning="send the feature report FE 01 when the reader is opened, as Honeywell and Youjie need",
    ),
    "line_timeout_ms": ParameterRule(
        default=200,
        meaning="how long a reading may take from its first character, or report, to its end",
        minimum=10,
        maximum=10_000,
    ),
}


class ReaderLine:
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
        self._timeout_us = int(spec.parameters["line_timeout_ms"]) * 1000
        self._language = _language(spec)
        self._to_send = b""
        self._deadline_us: int | None = None
        self._in_service = False

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return the cards they complete."""
        messages = list(self.wake(now_us))
        found = self._language.take(data)
        messages += [self._read(one.data) if isinstance(one, Reading) else self._fault(one) for one in found]
        if not self._language.held or any(isinstance(one, Reading) for one in found):
            self._deadline_us = None
        if self._language.held and self._deadline_us is None:
            self._deadline_us = now_us + self._timeout_us
        return tuple(messages)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: the port is open, and a reading that gets no end is given up."""
        messages: list[WireMessage] = []
        if not self._in_service:
            self._in_service = True
            self._to_send = self._language.opening()
            messages.append(UnitAnswering(address=self._address, active_inputs=frozenset()))
        if self._deadline_us is not None and now_us >= self._deadline_us:
            self._deadline_us = None
            half = self._language.give_up()
            if half:
                reason = "a reading has begun and not ended: the reader stopped in the middle of a card"
                messages.append(self._fault(Damage(FaultCause.TIMEOUT, reason, half)))
        return tuple(messages)

    def order(self, order: Order) -> None:
        """Raise ``OrderError``: a reader has no outputs."""
        raise refusal(order, "a card reader")

    def data_to_send(self, now_us: int) -> bytes:  # noqa: ARG002 - the Codec contract
        """Return what the reader is told when its line is opened; nothing is ever asked of it."""
        data, self._to_send = self._to_send, b""
        return data

    def next_wakeup(self) -> int | None:
        """Return when a begun reading is given up; at once while the open port has yet to be told of."""
        return self._deadline_us if self._in_service else 0

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget half a reading: the port is gone."""
        self._language.give_up()
        self._to_send = b""
        self._deadline_us = None
        if not self._in_service:
            return ()
        self._in_service = False
        return (out_of_reach(self._address, self._name),)

    def _read(self, reading: bytes) -> WireMessage:
        try:
            text = printable(reading)
        except FrameError as error:
            return self._fault(Damage(FaultCause.JUNK, error.reason, reading))
        card = self._codes.get(text)
        if card is None:
            return CardNotRead(address=self._address, raw=text)
        return CardRead(address=self._address, card=card)

    def _fault(self, damage: Damage) -> FrameFault:
        raw = damage.raw[:EVIDENCE_MAX]
        return FrameFault(address=self._address, cause=damage.cause, reason=damage.reason, raw=raw)


def _language(spec: DeviceSpec) -> Language:
    mode = str(spec.parameters["mode"])
    hid_mode_report = spec.parameters["hid_mode_report"] is True
    if mode in DECODERS:
        return PosLanguage(DECODERS[mode], hid_mode_report=hid_mode_report)
    if hid_mode_report:
        raise LineSetupError(f"profile {spec.profile}: hid_mode_report is for HID reports, and the mode is {mode}")
    return WedgeLanguage() if mode == WEDGE else LineLanguage()


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Say what one whole line, or report, means; raise ``FrameError`` for bytes that are none."""
    mode = str(spec.parameters["mode"])
    if mode in DECODERS:
        return explain_report(raw, mode, spec)
    return explain_keys(raw) if mode == WEDGE else _explain_line(raw, spec)


def _explain_line(raw: bytes, spec: DeviceSpec) -> str:
    lines = raw.splitlines(keepends=True)
    if len(lines) != 1 or not raw.endswith(_END_MARKS):
        raise FrameError("not one line with CR, LF or both at its end", raw)
    line = raw.strip(UNPRINTED)
    if not 1 <= len(line) <= LINE_LENGTH_MAX:
        raise FrameError(f"not a line of 1 to {LINE_LENGTH_MAX} characters", raw)
    return explain_reading(line, spec.card_codes)


FAMILY = ProtocolFamily(
    name="hid_pos",
    parameters=PARAMETERS,
    reads_cards=True,
    addresses=range(1),
    serial=SerialSettings(),
    codec=ReaderLine,
    explain=explain,
)
