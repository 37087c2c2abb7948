"""A Delcom USB indicator with a switch: a lighted button, for the lock-out; with some a beeper.

It is polled over the control endpoint (``polled_units``). Input 1 is the switch; outputs 1 to 3 are the LEDs, read
back with every poll, output 4 the beeper, which cannot be read back. Reports: ``delcom_reports``; what the device
is asked and what its answers mean: ``delcom_unit``. What a report says is printed in the language of
``delcom_text``.
"""

from collections.abc import Mapping, Sequence

from bridge.wire.delcom_requests import DelcomRequest
from bridge.wire.delcom_text import explain
from bridge.wire.delcom_unit import LightedButton, Question
from bridge.wire.errors import LineSetupError
from bridge.wire.polled_units import QUIET, RETRIES, SILENT_POLL, PolledUnits, line_timing
from bridge.wire.spec import ParameterRule, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "ButtonLine", "explain"]

_HELD_MAX = 64
"""A few answers: more is not on its way."""

PARAMETERS: Mapping[str, ParameterRule] = {
    "poll_period_ms": ParameterRule(
        default=30, meaning="time between two looks at the switch", minimum=10, maximum=1000
    ),
    "active_low": ParameterRule(default=True, meaning="the switch is pressed while its pin is 0"),
    "numbered_answers": ParameterRule(
        default=False, meaning="whether the device begins its answers with their number"
    ),
    "brightness": ParameterRule(
        default=80,
        meaning="how bright the LEDs are, in per cent; all of them at 100 on a long cable may reset the device",
        minimum=1,
        maximum=100,
    ),
    "beep_on_press": ParameterRule(default=False, meaning="let the device beep by itself at every press"),
    "beeper_pitch": ParameterRule(
        default=4, meaning="the pitch of the beeper, in 256 microseconds; 4 is 976 Hz", minimum=1, maximum=255
    ),
    "reply_timeout_ms": ParameterRule(
        default=1500,
        meaning="how long the device may take to answer; longer than a control transfer may take",
        minimum=1,
        maximum=10_000,
    ),
    "retries": RETRIES,
    "silent_poll_ms": SILENT_POLL,
    "quiet_ms": QUIET,
}


class ButtonLine(PolledUnits[DelcomRequest, Question]):
    """The bridge's end of a button's cable: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        if len(units) != 1:
            raise LineSetupError(f"a button has its USB port to itself; this line has {len(units)} devices")
        super().__init__([LightedButton(unit) for unit in units], line_timing(units), _HELD_MAX)


FAMILY = ProtocolFamily(
    name="delcom_switch",
    parameters=PARAMETERS,
    reads_cards=False,
    addresses=range(1),
    serial=SerialSettings(),
    codec=ButtonLine,
    explain=explain,
)
