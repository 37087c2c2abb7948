"""An Angel Eye II-EX shoe: it reads the cards as they are drawn, and says for whom.

Every report is sent three times and never acknowledged, and nothing is asked of the shoe: a quiet shoe
and a cut cable look the same. The unit answers when its port is open; when it was last heard is all
that can be known. Frames: ``shoe_frames``; which of the copies are believed: ``repeated_reports``.

A report that arrives whole only once is not believed. If it tells of a card, the card is a
``CardNotRead``, for a supervisor to name (T51); if it tells of anything else, or nothing is left of it,
there is ``ReportLost``: no card is ever guessed, and none vanishes without a word.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from bridge.wire.errors import LineSetupError, OrderError, UnknownMessageError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CommandAnswered,
    FaultCause,
    FrameFault,
    Order,
    ReportLost,
    UnitAnswering,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.repeated_reports import Believed, Disbelieved, HeardOnce, Missing, RepeatedReports, Verdict
from bridge.wire.report_splitter import Answer, Cut, Damage, ReportSplitter, WholeReport
from bridge.wire.shoe_commands import ShoeCommand, decode_answer, encode_command
from bridge.wire.shoe_frames import Letter, check, read_report, target_heard
from bridge.wire.shoe_text import INCLUDE_ENQ, explain
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import ParameterRule, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "ShoeLine", "explain"]

ANSWER_WAIT_US = 3_000_000
"""How long the reference waits for ACK or NAK."""

PARAMETERS: Mapping[str, ParameterRule] = {
    "copies_to_agree": ParameterRule(
        default=2,
        meaning="how many of the three copies of a report must agree; with 1, two wrong bits can make "
        "another card of one",
        minimum=1,
        maximum=2,
    ),
    "dedupe_window_ms": ParameterRule(
        default=1000,
        meaning="how long copies of one report may be apart, and how long a report waits for its second copy",
        minimum=100,
        maximum=10_000,
    ),
    "frame_timeout_ms": ParameterRule(
        default=500,
        meaning="how long a report may take from its first byte to its last; device servers send in parts",
        minimum=20,
        maximum=10_000,
    ),
    "tell_gaps": ParameterRule(
        default=True,
        meaning="tell when the numbers of reports leave one out; false for a shoe that counts in another way",
    ),
    "bcc_in": ParameterRule(
        default="exclude_enq",
        meaning="whether the check of a report includes ENQ",
        choices=("exclude_enq", INCLUDE_ENQ),
    ),
    "cmd_bcc_includes_stx": ParameterRule(
        default=True, meaning="whether the check of a command includes STX; the other one is answered NAK 02"
    ),
    "allow_commands": ParameterRule(
        default=False, meaning="let a program that owns the line send commands; the bridge itself sends none"
    ),
}


class ShoeLine:
    """The bridge's end of a shoe's line: a ``Codec``, with commands besides."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a shoe has its line to itself; this line has {len(units)} devices")
        self._address = units[0].address
        spec = units[0].spec
        self._name = f"shoe ({spec.profile})"
        self._commands_allowed = spec.parameters["allow_commands"] is True
        self._includes_stx = spec.parameters["cmd_bcc_includes_stx"] is True
        self._includes_enq = spec.parameters["bcc_in"] == INCLUDE_ENQ
        self._frame_timeout_us = int(spec.parameters["frame_timeout_ms"]) * 1000
        self._splitter = ReportSplitter(self._check)
        self._reports = RepeatedReports(
            copies_to_agree=int(spec.parameters["copies_to_agree"]),
            window_us=int(spec.parameters["dedupe_window_ms"]) * 1000,
            tell_gaps=spec.parameters["tell_gaps"] is True,
            is_restart=_is_restart,
        )
        self._stretch_ends_us: int | None = None
        self._command: ShoeCommand | None = None
        self._to_send = b""
        self._answer_due_us: int | None = None
        self._in_service = False

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        messages = list(self.wake(now_us))
        for byte in data:
            before = self._splitter.waiting
            cuts = self._splitter.take(byte)
            if not self._splitter.waiting:
                self._stretch_ends_us = None
            elif not before or cuts:
                self._stretch_ends_us = now_us + self._frame_timeout_us
            for cut in cuts:
                messages += self._cut(cut, now_us)
        return tuple(messages)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: the port is open; what has begun and not ended, or was not confirmed, is given up."""
        messages: list[WireMessage] = []
        if not self._in_service:
            self._in_service = True
            messages.append(UnitAnswering(address=self._address, active_inputs=frozenset()))
        if self._stretch_ends_us is not None and now_us >= self._stretch_ends_us:
            ended_us, self._stretch_ends_us = self._stretch_ends_us, None
            for cut in self._splitter.end(FaultCause.TIMEOUT, "bytes that began a report, or none, and stopped"):
                messages += self._cut(cut, ended_us)
        messages += self._verdicts(self._reports.wake(now_us))
        if self._answer_due_us is not None and now_us >= self._answer_due_us:
            messages += self._answered(accepted=False, reason="no answer: is the shoe set up to take commands?")
        return tuple(messages)

    def order(self, order: Order) -> None:
        """Raise ``OrderError``: a shoe has no outputs."""
        raise refusal(order, "a shoe")

    def command(self, command: ShoeCommand) -> None:
        """Take a command, to be sent once; ``CommandAnswered`` follows.

        Raises ``OrderError`` if the profile allows none, or one is not answered yet.
        """
        if not self._commands_allowed:
            raise OrderError(f"{command}: commands to the shoe are off; set allow_commands = true to allow them")
        if self._command is not None:
            raise OrderError(f"{command}: {self._command} is not answered yet; the shoe takes one at a time")
        self._command = command
        self._to_send = encode_command(command, includes_stx=self._includes_stx)

    def data_to_send(self, now_us: int) -> bytes:
        """Return the command that was taken, once; nothing else is ever sent."""
        data, self._to_send = self._to_send, b""
        if data:
            self._answer_due_us = now_us + ANSWER_WAIT_US
            self._splitter.answer_expected = True
        return data

    def next_wakeup(self) -> int | None:
        """Return when something is given up; at once while the open port has yet to be told of."""
        if not self._in_service:
            return 0
        times = (self._stretch_ends_us, self._reports.deadline(), self._answer_due_us)
        return min((time for time in times if time is not None), default=None)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget what has half arrived, and a command: it is not sent again by itself.

        The number of the last report stays known, so that what was reported meanwhile is missed.
        """
        self._splitter.end(FaultCause.TIMEOUT, "the line is gone")
        self._stretch_ends_us = None
        self._reports.forget_half()
        messages: list[WireMessage] = []
        if self._command is not None:
            messages += self._answered(accepted=False, reason="the line was lost before the answer")
        if self._in_service:
            self._in_service = False
            messages.append(out_of_reach(self._address, self._name))
        return tuple(messages)

    def _check(self, raw: bytes) -> None:
        check(raw, includes_enq=self._includes_enq)

    def _cut(self, cut: Cut, now_us: int) -> tuple[WireMessage, ...]:
        match cut:
            case WholeReport(raw=raw):
                return self._verdicts(self._reports.whole(raw, now_us))
            case Damage(raw=raw, cause=cause, reason=reason):
                return (self._fault(cause, reason, raw), *self._verdicts(self._reports.damaged(raw, now_us)))
            case Answer(raw=raw):
                refusal = decode_answer(raw)
                return self._answered(accepted=not refusal, reason=refusal)
            case _:
                assert_never(cut)

    def _verdicts(self, verdicts: Sequence[Verdict]) -> tuple[WireMessage, ...]:
        messages: list[WireMessage] = []
        for verdict in verdicts:
            match verdict:
                case Believed(frame=frame, number_again=number_again):
                    if number_again:
                        reason = "another report with the number of the one before"
                        messages.append(self._fault(FaultCause.UNKNOWN, reason, frame))
                    messages += self._said(frame)
                case HeardOnce(frame=frame):
                    messages += self._unconfirmed(frame)
                case Disbelieved(frame=frame, reason=reason):
                    messages.append(self._fault(FaultCause.CHECKSUM, reason, frame))
                case Missing(reason=reason):
                    messages.append(ReportLost(address=self._address, reason=reason))
                case _:
                    assert_never(verdict)
        return tuple(messages)

    def _said(self, frame: bytes) -> tuple[WireMessage, ...]:
        try:
            return (read_report(frame, self._address),)
        except UnknownMessageError as error:
            fault = self._fault(FaultCause.UNKNOWN, error.reason, frame)
            return (fault, *self._unconfirmed(frame, "and says what no source lists"))

    def _unconfirmed(
        self, frame: bytes, why: str = "and was confirmed by no second copy"
    ) -> tuple[WireMessage, ...]:
        """Say that a report came that cannot be used; what it would have said is told of a card only."""
        if chr(frame[2]) == Letter.CARD:
            target, place = target_heard(frame)
            raw = frame.hex(" ").upper()
            return (CardNotRead(address=self._address, raw=raw, target=target, place=place),)
        reason = f"report {chr(frame[1])}, {_name(frame[2])}, arrived {why}"
        return (ReportLost(address=self._address, reason=reason),)

    def _answered(self, *, accepted: bool, reason: str) -> tuple[WireMessage, ...]:
        command, self._command = self._command, None
        self._to_send = b""
        self._answer_due_us = None
        self._splitter.answer_expected = False
        return (CommandAnswered(address=self._address, command=str(command), accepted=accepted, reason=reason),)

    def _fault(self, cause: FaultCause, reason: str, raw: bytes) -> FrameFault:
        return FrameFault(address=self._address, cause=cause, reason=reason, raw=raw[:EVIDENCE_MAX])


def _is_restart(frame: bytes) -> bool:
    return chr(frame[2]) == Letter.STARTED


def _name(letter: int) -> str:
    names = {one.value: one.name.lower().replace("_", " ") for one in Letter}
    return names.get(chr(letter), f"letter {chr(letter)!a}")


FAMILY = ProtocolFamily(
    name="angel_eye",
    parameters=PARAMETERS,
    reads_cards=True,
    names_cards=True,
    addresses=range(1),
    serial=SerialSettings(baud=4800),
    codec=ShoeLine,
    explain=explain,
)
