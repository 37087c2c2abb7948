"""An X-keys panel or switch interface on USB: keys or contacts are inputs, the lamps under the keys are outputs.

A panel reports every change by itself, with all of its switches. It is asked for them when it is found, so that
a key held down since before is not missed, and every so often, since a panel that hangs is as quiet as one that
nobody touches. Lamps cannot be read back; when a panel is found, or has restarted, all of them are put out and
those that were ordered lit again. Nothing is ever written to the EEPROM.

Reports: ``xkeys_reports``; the records that they travel in: ``hid_reports``. What a report says is printed in
the language of ``xkeys_text``.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from bridge.wire.contact_filter import ContactFilter
from bridge.wire.errors import FrameError, LineSetupError, UnknownMessageError
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.messages import (
    EVIDENCE_MAX,
    FaultCause,
    FrameFault,
    InputChanged,
    Order,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    UnitStarted,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import ParameterRule, ProtocolFamily, SerialSettings, Unit
from bridge.wire.unit_service import Out, UnitService
from bridge.wire.xkeys_reports import (
    CLOCK_MS,
    Backlights,
    Command,
    Descriptor,
    Mode,
    PanelState,
    darken,
    layout_of,
    light,
    read_input,
    write_command,
)
from bridge.wire.xkeys_text import explain

__all__ = ["FAMILY", "Panel", "explain"]

ANY_UNIT_ID = -1
RESTART_MS = 10_000
"""A panel's clock that has gone on so much further than ours has been started again."""

PARAMETERS: Mapping[str, ParameterRule] = {
    "report_bytes": ParameterRule(
        default=32, meaning="length of an input report; 36 of the switch interfaces", minimum=8, maximum=64
    ),
    "columns": ParameterRule(
        default=4, meaning="bytes of an input report that hold keys, from its third byte on", minimum=1, maximum=16
    ),
    "rows": ParameterRule(default=6, meaning="keys in each of these bytes", minimum=1, maximum=8),
    "timestamp_at": ParameterRule(
        default=6,
        meaning="place of the panel's clock in an input report, counted from 0; 31 of the switch interfaces, 0 "
        "for a model without",
        maximum=60,
    ),
    "backlights": ParameterRule(
        default=Backlights.COLUMNS.value,
        meaning="how lamps are numbered: by column, along a stick, or none at all",
        choices=tuple(backlights.value for backlights in Backlights),
    ),
    "red_from": ParameterRule(
        default=32, meaning="place of the first red lamp; 0 for blue lamps only", maximum=128
    ),
    "indicators": ParameterRule(default=True, meaning="whether there are a green and a red indicator lamp"),
    "unit_id": ParameterRule(
        default=ANY_UNIT_ID,
        meaning="the unit id that was set at this panel, so that two of one model are not mistaken for each "
        "other; -1 for any",
        minimum=ANY_UNIT_ID,
        maximum=255,
    ),
    "plug_input": ParameterRule(
        default=0,
        meaning="the input that is active while a plug is in; with the plug out the device is out of service; 0 "
        "for none",
        maximum=128,
    ),
    "debounce_ms": ParameterRule(
        default=20,
        meaning="how long an input that has changed must not change back; a change itself is told at once",
        maximum=1000,
    ),
    "check_ms": ParameterRule(
        default=1000,
        meaning="time between two questions whether the panel is still there",
        minimum=50,
        maximum=60_000,
    ),
    "reply_timeout_ms": ParameterRule(
        default=250, meaning="how long the panel may take to answer", minimum=1, maximum=10_000
    ),
    "retries": ParameterRule(
        default=2, meaning="questions in a row without an answer until the panel is silent", minimum=1, maximum=20
    ),
}


class Panel:
    """The bridge's end of a panel's cable: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a panel has its USB port to itself; this line has {len(units)} devices")
        spec, parameters = units[0].spec, units[0].spec.parameters
        self._address = units[0].address
        self._name = f"panel ({spec.profile})"
        self._layout = layout_of(spec)
        self._inputs = frozenset(range(1, spec.inputs + 1))
        self._outputs = spec.outputs
        self._unit_id = int(parameters["unit_id"])
        self._plug_input = int(parameters["plug_input"])
        if self._plug_input and self._plug_input not in self._inputs:
            raise LineSetupError(f"profile {spec.profile}: plug_input must be one of its {spec.inputs} inputs")
        self._check_us = int(parameters["check_ms"]) * 1000
        self._reply_timeout_us = int(parameters["reply_timeout_ms"]) * 1000
        self._service = UnitService(retries=int(parameters["retries"]), silent_us=self._check_us)
        self._contacts = ContactFilter(int(parameters["debounce_ms"]) * 1000)
        self._reader = ReportReader()
        self._orders: dict[int, bool] = {}
        self._to_write: list[bytes] = []
        self._clock: tuple[int, int] | None = None
        """When the panel was last heard, by our clock and by its own."""
        self._ask_at_us = 0
        self._answer_due_us: int | None = None

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        messages: list[WireMessage] = []
        reports, junk = self._reader.receive_data(data)
        if junk:
            messages.append(self._fault(FaultCause.JUNK, "bytes that are no record of a report", junk))
        for report in reports:
            messages += self._heard(report, now_us)
        return (*messages, *self.wake(now_us))  # afterwards: an answer that is here did come in time

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: changed contacts come to rest, and a panel that does not answer is given up."""
        messages: tuple[WireMessage, ...] = self._changes(self._contacts.wake(now_us))
        if self._answer_due_us is None or now_us < self._answer_due_us:
            return messages
        self._answer_due_us = None
        self._ask_at_us = now_us
        if not self._service.known_to_be_out:
            reason = "the panel was asked for its state and does not answer"
            messages += (self._fault(FaultCause.TIMEOUT, reason, b""),)
        # What has begun and not ended by now is no report: a wrong length would swallow a hundred of them.
        half = self._reader.forget()
        if half:
            messages += (self._fault(FaultCause.TIMEOUT, "a report that began and did not end", half),)
        if self._service.failed():
            reason = f"{self._name} does not answer: unplug it and plug it in again"
            messages += self._leave(UnitSilent(address=self._address, reason=reason), now_us)
            self._ask_at_us = self._service.contact_us
        return messages

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` for one about anything but a lamp of the panel."""
        if not isinstance(order, SetOutput) or not self._has(order):
            raise refusal(order, self._name, outputs=self._outputs)
        self._orders[order.channel] = order.active
        if self._service.in_service:
            self._to_write.append(self._lamp(order.channel, active=order.active))

    def data_to_send(self, now_us: int) -> bytes:
        """Return the reports that are due: lamps, and the question what the switches show."""
        reports, self._to_write = self._to_write, []
        if self._answer_due_us is None and now_us >= self._ask_at_us:
            self._answer_due_us = now_us + self._reply_timeout_us
            self._ask_at_us = now_us + self._check_us
            reports.append(write_command(Command.GENERATE))
        return b"".join(pack(Report(ReportKind.OUTPUT, report)) for report in reports)

    def next_wakeup(self) -> int | None:
        """Return when something falls due; never None, since a panel is asked every so often."""
        if self._to_write:
            return 0
        due = self._ask_at_us if self._answer_due_us is None else self._answer_due_us
        settles = self._contacts.next_wakeup()
        return due if settles is None else min(due, settles)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget half a record and what was asked: the panel is unplugged. Orders stay."""
        self._reader.forget()
        self._clock = None
        self._answer_due_us = None
        self._ask_at_us = 0
        self._to_write.clear()
        self._contacts.restart(frozenset())
        return self._service.lose_line(out_of_reach(self._address, self._name))

    def _heard(self, report: Report, now_us: int) -> tuple[WireMessage, ...]:
        if report.kind is not ReportKind.INPUT:
            reason = f"{report.kind.name.lower()} is not what a panel sends"
            return (self._fault(FaultCause.UNKNOWN, reason, report.data),)
        try:
            said = read_input(report.data, self._layout)
        except UnknownMessageError as error:
            return (self._fault(FaultCause.UNKNOWN, error.reason, report.data),)
        except FrameError as error:
            return (self._fault(FaultCause.JUNK, error.reason, report.data),)
        match said:
            case PanelState():
                return self._state(said, now_us)
            case Descriptor():
                return ()  # nobody asks for it
            case _:
                assert_never(said)

    def _state(self, state: PanelState, now_us: int) -> tuple[WireMessage, ...]:
        if state.answered:
            self._answer_due_us = None
        self._service.answered()
        wrong = self._wrong(state)
        if wrong:
            self._clock = None
            return self._leave(UnitRefused(address=self._address, reason=f"{self._name} {wrong}"), now_us)
        messages: tuple[WireMessage, ...] = ()
        if self._has_restarted(state, now_us):
            messages = (UnitStarted(address=self._address),)
            self._write_all()
        active = state.active & self._inputs
        if self._service.in_service:
            return messages + self._changes(self._contacts.sample(active, now_us))
        self._service.enter()
        self._contacts.restart(active)
        self._write_all()
        return (*messages, UnitAnswering(address=self._address, active_inputs=active))

    def _wrong(self, state: PanelState) -> str:
        """Say why a panel must not be used; nothing if it may."""
        if self._unit_id not in {ANY_UNIT_ID, state.unit_id}:
            return (
                f"has the unit id {state.unit_id}, and {self._unit_id} belongs here: swap the cables back, or "
                "correct unit_id"
            )
        if self._plug_input and self._plug_input not in state.active:
            return "has no plug in its socket: whatever was connected to it is cut off"
        return ""

    def _has_restarted(self, state: PanelState, now_us: int) -> bool:
        """Say whether the panel's own clock has begun anew; it is carried on across its own end."""
        before, self._clock = self._clock, (now_us, state.timestamp_ms)
        if before is None or not self._layout.timestamp_at:
            return False
        ours_ms = (now_us - before[0]) // 1000
        return (state.timestamp_ms - before[1]) % CLOCK_MS > ours_ms + RESTART_MS

    def _write_all(self) -> None:
        """Write every lamp as it was ordered; a panel may come up with lamps of its own."""
        self._to_write.clear()
        if self._outputs:
            self._to_write += darken(self._layout)
        self._to_write += [self._lamp(channel, active=True) for channel, active in self._orders.items() if active]

    def _has(self, order: SetOutput) -> bool:
        return order.address == self._address and 1 <= order.channel <= self._outputs

    def _lamp(self, channel: int, *, active: bool) -> bytes:
        return light(channel, Mode.ON if active else Mode.OFF, self._layout)

    def _changes(self, channels: Sequence[int]) -> tuple[InputChanged, ...]:
        return tuple(
            InputChanged(address=self._address, channel=channel, active=channel in self._contacts.active)
            for channel in channels
        )

    def _leave(self, out: Out, now_us: int) -> tuple[Out, ...]:
        self._to_write.clear()
        self._contacts.restart(frozenset())
        return self._service.leave(out, now_us)

    def _fault(self, cause: FaultCause, reason: str, raw: bytes) -> FrameFault:
        return FrameFault(address=self._address, cause=cause, reason=reason, raw=raw[:EVIDENCE_MAX])


FAMILY = ProtocolFamily(
    name="xkeys",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(1),
    serial=SerialSettings(),
    codec=Panel,
    explain=explain,
)
