from pathlib import Path

import pytest

from bridge.wire.spec import Parity, SerialSettings
from simulators.faults import Delivery
from simulators.pacing import Pacing
from simulators.port import hosted
from simulators.pty_port import PtyPort
from tests.simulators.calling import Echo, called


@pytest.mark.parametrize(
    ("serial", "byte_us"),
    [
        (SerialSettings(), 1041),
        (SerialSettings(baud=115_200), 86),
        (SerialSettings(baud=9600, data_bits=7, parity=Parity.EVEN), 1041),
        (SerialSettings(baud=4800, parity=Parity.ODD, stop_bits=2), 2500),
    ],
)
def test_pacing_follows_from_the_serial_settings(serial: SerialSettings, byte_us: int) -> None:
    assert Pacing.of(serial) == Pacing(byte_us)


async def test_deliveries_due_later_do_not_overtake_earlier_ones(tmp_path: Path) -> None:
    port = PtyPort(Echo(), tmp_path / "line")
    async with hosted(port), called(port) as caller:
        port.say(b"late ", 3000)
        port.say(b"later")
        assert await caller.read(10) == b"late later"
        assert Delivery(b"x").delay_us == 0
