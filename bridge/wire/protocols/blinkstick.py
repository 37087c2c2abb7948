"""A BlinkStick: a strip of lamps on USB, one output for each LED, in a colour that means on and one for off.

All LEDs are written in one feature report and read back at once, and every so often besides (``polled_units``).
Reports, and the records that they travel in: ``blinkstick_reports``, ``hid_reports``; what the strip is asked and
what its answers mean: ``blinkstick_unit``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bridge.wire.blinkstick_reports import LEDS_MAX, explain
from bridge.wire.blinkstick_requests import FeatureRequest
from bridge.wire.blinkstick_unit import LampStrip, Question
from bridge.wire.errors import LineSetupError
from bridge.wire.hid_reports import RECORD_HEAD
from bridge.wire.polled_units import READ_BACK, RETRIES, SILENT_POLL, PolledUnits, line_timing
from bridge.wire.spec import ParameterRule, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "LampLine", "explain"]

_QUIET_US = 5_000
_HELD_MAX = 2 * (RECORD_HEAD + 2 + 3 * LEDS_MAX)
"""Two of the longest records: an answer, and one that nobody waits for any more."""


def _part(default: int, meaning: str) -> ParameterRule:
    return ParameterRule(default=default, meaning=meaning, maximum=255)


PARAMETERS: Mapping[str, ParameterRule] = {
    "on_red": _part(0, "how much red is in a lamp that is on"),
    "on_green": _part(255, "how much green is in a lamp that is on"),
    "on_blue": _part(0, "how much blue is in a lamp that is on"),
    "off_red": _part(0, "how much red is in a lamp that is off"),
    "off_green": _part(0, "how much green is in a lamp that is off"),
    "off_blue": _part(0, "how much blue is in a lamp that is off"),
    "check_mode": ParameterRule(
        default=True, meaning="refuse a device in which the LEDs are not set one by one (mode 2)"
    ),
    "read_back_ms": READ_BACK,
    "reply_timeout_ms": ParameterRule(
        default=250, meaning="how long the device may take to answer", minimum=1, maximum=10_000
    ),
    "retries": RETRIES,
    "silent_poll_ms": replace(SILENT_POLL, default=500),
}


class LampLine(PolledUnits[FeatureRequest, Question]):
    """The bridge's end of a BlinkStick: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a BlinkStick has its line to itself; this line has {len(units)} devices")
        super().__init__([LampStrip(unit) for unit in units], line_timing(units, quiet_us=_QUIET_US), _HELD_MAX)


FAMILY = ProtocolFamily(
    name="blinkstick",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(1),
    serial=SerialSettings(),
    codec=LampLine,
    explain=explain,
)
