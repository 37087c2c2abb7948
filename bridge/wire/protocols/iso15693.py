"""Readers of chips with ISO 15693 transponders: FEIG OBID i-scan on a serial line, RapidRadio RRHFOEM04 on USB.

The reader is asked again and again for an inventory, and what has come or gone is told: which chips lie there, by
their UIDs. What a chip is worth stands in a register of chips, which is no matter of the wire. Frames:
``feig_frames``, ``rapidradio_frames``; what is asked: ``chip_reader``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from bridge.wire.chip_reader import ChipReader
from bridge.wire.chip_requests import Asking, ChipRequest
from bridge.wire.errors import LineSetupError
from bridge.wire.feig_frames import FRAME_LENGTH_MAX, explain_feig
from bridge.wire.feig_requests import FeigRequest
from bridge.wire.messages import FrameFault, Order, WireMessage
from bridge.wire.orders import refusal
from bridge.wire.polling import Answered, Discarded, LineTiming, PolledLine, Unanswered
from bridge.wire.rapidradio_frames import ReaderCommand, explain_rapidradio
from bridge.wire.rapidradio_requests import RapidRadioRequest
from bridge.wire.spec import DeviceSpec, ParameterRule, Parity, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "ChipReaderLine", "explain"]

FEIG = "feig"
RAPIDRADIO_USB = "rrhfoem04"
RAPIDRADIO_TCP = "rrhfoem04_tcp"
_QUIET_US = 15_000
"""A reader sends the characters of a frame within 12 ms of each other."""
_ADVANCED = "advanced"
_INVENTORIES: Mapping[str, ReaderCommand] = {
    "full": ReaderCommand.FULL_INVENTORY,
    "16_slots": ReaderCommand.SLOTS_16_INVENTORY,
    "single_slot": ReaderCommand.SINGLE_SLOT_INVENTORY,
}

PARAMETERS: Mapping[str, ParameterRule] = {
    "reader": ParameterRule(
        default=FEIG, meaning="whose reader it is", choices=(FEIG, RAPIDRADIO_USB, RAPIDRADIO_TCP)
    ),
    "frame": ParameterRule(
        default=_ADVANCED, meaning="the form of frames of a FEIG reader", choices=(_ADVANCED, "standard")
    ),
    "rf_reset": ParameterRule(
        default=False,
        meaning="reset the field of a FEIG reader before each inventory, where it is set to tell only new chips",
    ),
    "inventory": ParameterRule(
        default="full", meaning="the inventory that a RapidRadio reader is asked for", choices=tuple(_INVENTORIES)
    ),
    "gone_after": ParameterRule(
        default=3, meaning="inventories in a row without a chip until it is gone", minimum=1, maximum=50
    ),
    "poll_ms": ParameterRule(default=200, meaning="time between two inventories", maximum=10_000),
    "gap_ms": ParameterRule(
        default=5, meaning="silence to keep between an answer and the next request", maximum=1000
    ),
    "reply_timeout_ms": ParameterRule(
        default=1000,
        meaning="how long a reader may take to answer, time on the line not counted; many chips take long",
        minimum=10,
        maximum=10_000,
    ),
    "retries": ParameterRule(
        default=3,
        meaning="requests in a row without a usable answer until a reader is out of service",
        minimum=1,
        maximum=20,
    ),
    "silent_poll_ms": ParameterRule(
        default=1000,
        meaning="time until a reader that is out of service is asked again, up to eight times as long when it "
        "stays so",
        minimum=1,
        maximum=60_000,
    ),
}


class ChipReaderLine:
    """The bridge's end of a line with one or more readers: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._readers = {unit.address: ChipReader(unit, _requests(unit)) for unit in units}
        if not units or len(self._readers) != len(units):
            raise LineSetupError("a line needs at least one reader, and no two with the same address")
        if len(units) > 1 and any(unit.spec.parameters["reader"] != FEIG for unit in units):
            raise LineSetupError("a RapidRadio reader has its line to itself")
        self._line: PolledLine[ChipRequest] = PolledLine(_timing(units), FRAME_LENGTH_MAX)

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        return self._messages(self._line.receive(data, now_us), now_us)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: requests without an answer are given up."""
        return self._messages(self._line.wake(now_us), now_us)

    def order(self, order: Order) -> None:
        """Raise ``OrderError``: a reader has no outputs."""
        raise refusal(order, "a chip reader")

    def data_to_send(self, now_us: int) -> bytes:
        """Return the next request, if the line is free and something is due."""
        free_us = self._line.free_at()
        reader = min(self._readers.values(), key=_due)
        if free_us is None or max(free_us, reader.at_us) > now_us:
            return b""
        return self._line.ask(reader.ask(now_us), now_us)

    def next_wakeup(self) -> int | None:
        """Return when something falls due; never None, since readers must be asked."""
        wakeup_us, free_us = self._line.next_wakeup(), self._line.free_at()
        if free_us is None:
            return wakeup_us
        due_us = max(free_us, min(reader.at_us for reader in self._readers.values()))
        return due_us if wakeup_us is None else min(due_us, wakeup_us)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget everything in flight."""
        self._line.reset()
        return tuple(message for reader in self._readers.values() for message in reader.line_lost())

    def _messages(
        self, outcomes: Sequence[Answered[ChipRequest] | Unanswered[ChipRequest] | Discarded], now_us: int
    ) -> tuple[WireMessage, ...]:
        messages: list[WireMessage] = []
        for outcome in outcomes:
            match outcome:
                case Answered():
                    messages += self._readers[outcome.request.address].answered(outcome, now_us)
                case Unanswered():
                    messages += self._readers[outcome.request.address].unanswered(outcome, now_us)
                case Discarded(address=address, cause=cause, reason=reason, raw=raw):
                    messages.append(FrameFault(address=address, cause=cause, reason=reason, raw=raw))
                case _:
                    assert_never(outcome)
        return tuple(messages)


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Say what one whole frame means; raise ``FrameError`` for bytes that are none."""
    return explain_feig(raw) if spec.parameters["reader"] == FEIG else explain_rapidradio(raw)


def _due(reader: ChipReader) -> tuple[int, bool]:
    """Order readers by what has been due for longest; those known to be out come last among equals."""
    return reader.at_us, reader.known_to_be_out


def _requests(unit: Unit) -> Callable[[Asking], ChipRequest]:
    parameters = unit.spec.parameters
    if parameters["reader"] == FEIG:
        advanced = parameters["frame"] == _ADVANCED
        return lambda kind: FeigRequest(address=unit.address, kind=kind, advanced=advanced)
    if parameters["rf_reset"] is True:
        raise LineSetupError(f"profile {unit.spec.profile}: rf_reset is for FEIG readers; take it out")
    if unit.address:
        raise LineSetupError(f"a RapidRadio reader has no address; set its address to 0 instead of {unit.address}")
    usb = parameters["reader"] == RAPIDRADIO_USB
    commands = {
        Asking.PROBE: ReaderCommand.INFO,
        Asking.INVENTORY: _INVENTORIES[str(parameters["inventory"])],
        Asking.MORE: ReaderCommand.NEXT_FRAME,
    }
    return lambda kind: RapidRadioRequest(kind=kind, command=commands[kind], usb=usb)


def _timing(units: Sequence[Unit]) -> LineTiming:
    """Take the most patient value where the models on a line differ."""

    def longest_us(parameter: str) -> int:
        return max(int(unit.spec.parameters[parameter]) for unit in units) * 1000

    on_usb = any(unit.spec.parameters["reader"] != FEIG for unit in units)
    return LineTiming(
        character_us=0 if on_usb else max(unit.spec.serial.character_us for unit in units),
        reply_timeout_us=longest_us("reply_timeout_ms"),
        quiet_us=_QUIET_US,
        gap_us=longest_us("gap_ms"),
    )


FAMILY = ProtocolFamily(
    name="iso15693",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(255),
    serial=SerialSettings(baud=38_400, parity=Parity.EVEN),
    codec=ChipReaderLine,
    explain=explain,
)
