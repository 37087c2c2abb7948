from pathlib import Path

import pytest

from bridge.clock import SystemClock
from bridge.transports.capture import recording
from bridge.transports.capture_file import Happening, read_capture
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.ports import Ports
from bridge.wire.spec import SerialSettings
from tests.transports.captures import AS_HEAD, GONE, capture
from tests.transports.ports import PseudoTerminal

SETTINGS = SerialSettings()


async def test_a_port_that_is_opened_anew_is_recorded_into_the_same_capture(tmp_path: Path) -> None:
    with PseudoTerminal() as terminal, recording(tmp_path / "a", AS_HEAD, SystemClock()) as kept:
        ports = Ports({terminal.path: kept})
        for _ in range(2):
            port = await ports.open(terminal.path, SETTINGS)
            port.write(b"\x01")
            await port.close()
    assert [event.what for event in read_capture(tmp_path / "a").events] == [
        Happening.OPENED,
        Happening.TO_DEVICE,
        Happening.CLOSED,
    ] * 2


async def test_a_port_without_a_recording_is_what_it_is(tmp_path: Path) -> None:
    with PseudoTerminal() as terminal:
        port = await Ports({}).open(terminal.path, SETTINGS)
        terminal.write(b"\x01")
        assert await port.read() == b"\x01"
        await port.close()
    with pytest.raises(TransientTransportError, match="no such port"):
        await Ports({}).open(str(tmp_path / "none"), SETTINGS)


async def test_a_capture_goes_on_where_it_was_left_and_is_not_played_twice(tmp_path: Path) -> None:
    ports = Ports({})
    url = f"replay:{capture(tmp_path, GONE)}?speed=0"
    said = b""
    for _ in range(2):
        port = await ports.open(url, SETTINGS)
        said += await port.read()
        with pytest.raises(TransientTransportError):
            await port.read()
        await port.close()
    assert said == b"\x01\x02"
    with pytest.raises(PermanentTransportError, match="give the line another port"):
        await ports.open(url, SETTINGS)
