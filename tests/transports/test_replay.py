import asyncio
import logging
from pathlib import Path

import pytest

from bridge.transports import open_transport
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.wire.spec import SerialSettings
from tests.transports.captures import HEAD, POLLED, SAID, capture


async def test_a_capture_is_opened_like_a_port_and_says_what_the_device_said(tmp_path: Path) -> None:
    port = await open_transport(f"replay:{capture(tmp_path, SAID)}?speed=0", SerialSettings())
    assert [await port.read(), await port.read()] == [b"\x01", b"\x02\x03"]
    with pytest.raises(TransientTransportError, match="played to its end"):
        await port.read()
    await port.close()


async def test_a_host_that_asks_is_answered_and_a_difference_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    port = await open_transport(f"replay:{capture(tmp_path, POLLED)}", SerialSettings())
    reading = asyncio.create_task(port.read())
    await asyncio.sleep(0)
    port.write(b"\x0a")
    assert await reading == b"\x1a"
    with caplog.at_level(logging.WARNING):
        port.write(b"\x0c")
        port.write(b"")
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}/rs485.capture:9: 0B was written then, 0C now"
    ]
    port.write(b"\x0b")
    assert await port.read() == b"\x1b"
    await port.close()
    with pytest.raises(TransientTransportError, match="closed"):
        await port.read()


async def test_a_faulty_capture_is_a_port_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(PermanentTransportError, match=":6: got 'nonsense'"):
        await open_transport(f"replay:{capture(tmp_path, 'nonsense', HEAD)}", SerialSettings())
    with pytest.raises(PermanentTransportError, match="No such file"):
        await open_transport(f"replay:{tmp_path}/none", SerialSettings())
