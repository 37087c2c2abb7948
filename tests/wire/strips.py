"""What the tests of BlinkSticks share: a strip at the far end of a line in virtual time, and what it says."""

from bridge.wire.blinkstick_reports import Colour
from bridge.wire.hid_reports import ask_feature, pack
from bridge.wire.messages import OutputReported, SetOutput, UnitAnswering
from bridge.wire.protocols.blinkstick import LampLine
from bridge.wire.spec import Unit
from simulators.blinkstick import BlinkStick
from tests.wire.cables import MILLISECOND, lamps_spec
from tests.wire.virtual_line import SimulatedEnd

SECOND = 1000 * MILLISECOND
ANSWERING = UnitAnswering(address=0, active_inputs=frozenset())
GREEN, RED = Colour(0, 255, 0), Colour(255, 0, 0)
ASK_STRIP = pack(ask_feature(6, 26))


def strip(device: BlinkStick | None = None, *, outputs: int = 8, **parameters: int | bool | str) -> SimulatedEnd:
    device = device or BlinkStick(outputs)
    return SimulatedEnd(LampLine([Unit(address=0, spec=lamps_spec(outputs=outputs, **parameters))]), device)


def device_of(line: SimulatedEnd) -> BlinkStick:
    assert isinstance(line.device, BlinkStick)
    return line.device


def lamp(channel: int, *, active: bool = True) -> SetOutput:
    return SetOutput(address=0, channel=channel, active=active)


def reported(channel: int, *, active: bool) -> OutputReported:
    return OutputReported(address=0, channel=channel, active=active)
