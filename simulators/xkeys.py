"""An X-keys panel or switch interface, as the computer sees it through its USB reports.

The behaviour is that of the recordings and the driver of SuperFlyTV/xkeys: an input report whenever a switch
changes, always with all of them, and in answer to "generate data"; a clock that begins with power; lamps by their
place, dark when it comes up unless some were saved. The stream carries reports as records (``hid_reports``).
"""

import time
from collections.abc import Callable

from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.spec import DeviceSpec
from bridge.wire.xkeys_reports import (
    OUTPUT_LENGTH,
    Command,
    Descriptor,
    Mode,
    PanelState,
    layout_of,
    light,
    write_descriptor,
    write_state,
)
from simulators.device import Channels, Reaction, Utterance

FIRMWARE = 17
_BANKS = 2


class XkeysPanel:
    """One panel: its switches are its inputs, its lamps its outputs, counted as its profile does."""

    def __init__(self, spec: DeviceSpec, *, unit_id: int = 0, product: int = 1029) -> None:
        """Take the model from a profile; raise ``LineSetupError`` for one that makes no sense."""
        self._layout = layout_of(spec)
        self.inputs = Channels(spec.inputs)
        self.outputs = Channels(self._layout.lamps)
        self.unit_id = unit_id
        self.saved_lamps: frozenset[int] = frozenset()
        """Lamps that were saved to the EEPROM: lit when it comes up."""
        self.hanging = False
        """True for a panel that neither reports nor answers, and is still on the bus."""
        self._product = product
        self._plug_input = int(spec.parameters["plug_input"])
        self._lamps = {light(lamp, Mode.OFF, self._layout)[:2]: lamp for lamp in range(1, self.outputs.count + 1)}
        self._reader = ReportReader()
        self._say: Callable[[bytes], None] = _into_the_air
        self._booted_ms = _now_ms()
        if self._plug_input:
            self.inputs.set(self._plug_input, active=True)
        self.inputs.also_notify(Reaction(self._report))

    async def until_polled(self, times: int) -> None:
        """Return at once, as a panel reports by itself: what was touched has been said by now."""

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Speak into this cable from now on."""
        self._say = say

    def power_cycle(self) -> None:
        """Start afresh: the clock is at 0, and lit is what was saved."""
        self._reader.forget()
        self._booted_ms = _now_ms()
        self.outputs.replace(self.saved_lamps)

    def pull_plug(self, *, out: bool) -> None:
        """Pull the plug out of the socket of an interface that can tell, or put it in, with its contacts open."""
        self.inputs.replace(frozenset() if out else frozenset({self._plug_input}))

    def make_noise(self, data: bytes) -> None:
        """Say something that is no report of switches."""
        self._say(data)

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Do what output reports say; return the answers."""
        reports, _ = self._reader.receive_data(data)
        answers = [self._obey(report.data) for report in reports if report.kind is ReportKind.OUTPUT]
        return tuple(Utterance(pack(answer)) for answer in answers if answer is not None)

    def _obey(self, order: bytes) -> Report | None:
        if self.hanging or len(order) != OUTPUT_LENGTH:
            return None
        command, first, second, *_ = order
        match command:
            case Command.GENERATE:
                return Report(ReportKind.INPUT, write_state(self._state(answered=True), self._layout))
            case Command.DESCRIPTOR:
                descriptor = Descriptor(unit_id=self.unit_id, firmware=FIRMWARE, product=self._product)
                return Report(ReportKind.INPUT, write_descriptor(descriptor, self._layout))
            case Command.BACKLIGHTS if first < _BANKS:
                keys = self._layout.keys
                bank = frozenset(range(first * keys + 1, (first + 1) * keys + 1)) & self._backlit()
                self.outputs.replace(self.outputs.active | bank if second else self.outputs.active - bank)
            case Command.BACKLIGHT | Command.INDICATOR if order[:2] in self._lamps:
                self.outputs.set(self._lamps[order[:2]], active=second != Mode.OFF)
            case _:
                pass
        return None

    def _backlit(self) -> frozenset[int]:
        return frozenset(range(1, self.outputs.count - 2 * self._layout.indicators + 1))

    def _state(self, *, answered: bool) -> PanelState:
        return PanelState(
            unit_id=self.unit_id,
            active=self.inputs.active,
            program_switch=False,
            answered=answered,
            timestamp_ms=_now_ms() - self._booted_ms,
        )

    def _report(self) -> None:
        if not self.hanging:
            self._say(pack(Report(ReportKind.INPUT, write_state(self._state(answered=False), self._layout))))


def _into_the_air(_data: bytes) -> None:
    """Be heard by nobody: no cable is plugged in yet."""


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
