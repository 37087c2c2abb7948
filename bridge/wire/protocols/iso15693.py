"""Readers of chips with ISO 15693 transponders: FEIG OBID i-scan on a serial line, RapidRadio RRHFOEM04 on USB.

The reader is asked again and again for an inventory, and what has come or gone is told: which chips lie there, by
their UIDs. What a chip is worth stands in a register of chips, which is no matter of the wire. Frames:
``feig_frames``, ``rapidradio_frames``; what is asked: ``chip_reader``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bridge.wire.chip_reader import ChipReader
from bridge.wire.chip_requests import Asking, ChipRequest
from bridge.wire.errors import LineSetupError
from bridge.wire.feig_frames import FRAME_LENGTH_MAX, explain_feig
from bridge.wire.feig_requests import FeigRequest
from bridge.wire.polled_units import SILENT_POLL, PolledUnits, line_timing
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
    "silent_poll_ms": replace(SILENT_POLL, default=1000),
}


class ChipReaderLine(PolledUnits[ChipRequest, Asking]):
    """The bridge's end of a line with one or more readers: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) > 1 and any(unit.spec.parameters["reader"] != FEIG for unit in units):
            raise LineSetupError("a RapidRadio reader has its line to itself")
        gap_us = max((int(unit.spec.parameters["gap_ms"]) for unit in units), default=0) * 1000
        timing = line_timing(units, gap_us=gap_us, quiet_us=_QUIET_US)
        super().__init__([ChipReader(unit, _requests(unit)) for unit in units], timing, FRAME_LENGTH_MAX)


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Say what one whole frame means; raise ``FrameError`` for bytes that are none."""
    return explain_feig(raw) if spec.parameters["reader"] == FEIG else explain_rapidradio(raw)


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


FAMILY = ProtocolFamily(
    name="iso15693",
    parameters=PARAMETERS,
    reads_cards=False,
    reads_chips=True,
    addresses=range(255),
    serial=SerialSettings(baud=38_400, parity=Parity.EVEN),
    codec=ChipReaderLine,
    explain=explain,
)
