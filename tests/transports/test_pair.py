from collections.abc import Iterable

import pytest

from bridge.transports import Transport
from bridge.transports.errors import TransientTransportError
from bridge.transports.pair import NullModem


def as_transport(transport: Transport) -> Transport:
    return transport


async def test_bytes_go_both_ways() -> None:
    modem = NullModem()
    bridge, device = as_transport(modem.bridge), as_transport(modem.device)

    bridge.write(b"request")
    bridge.write(b"")
    device.write(b"answer")

    assert await device.read() == b"request"
    assert await bridge.read() == b"answer"


async def test_a_manipulator_garbles_and_drops_in_one_direction_only() -> None:
    def drop_a_and_split(data: bytes) -> Iterable[bytes]:
        return (bytes([byte]) for byte in data if byte != ord("a"))

    modem = NullModem(to_device=drop_a_and_split)

    modem.bridge.write(b"banana")
    modem.device.write(b"banana")

    assert await modem.device.read() == b"bnn"
    assert await modem.bridge.read() == b"banana"


async def test_a_manipulator_may_keep_bytes_and_deliver_them_late() -> None:
    kept: list[bytes] = []

    def keep(data: bytes) -> Iterable[bytes]:
        kept.append(data)
        return ()

    modem = NullModem(to_bridge=keep)
    modem.device.write(b"late")
    modem.bridge.arrive(b"noise ")
    modem.bridge.arrive(kept.pop())

    assert await modem.bridge.read() == b"noise late"


async def test_an_unplugged_cable_delivers_what_was_under_way_then_tells_both_ends() -> None:
    modem = NullModem()
    modem.device.write(b"last words")
    modem.unplug()
    modem.device.write(b"too late")

    assert await modem.bridge.read() == b"last words"
    for end in (modem.bridge, modem.device):
        with pytest.raises(TransientTransportError, match="end: the port is gone"):
            await end.read()


async def test_closing_one_end_is_the_end_for_the_other() -> None:
    modem = NullModem()
    await modem.bridge.close()
    await modem.bridge.close()

    with pytest.raises(TransientTransportError):
        await modem.device.read()


async def test_a_modem_is_dirty_until_both_ends_are_closed() -> None:
    modem = NullModem()
    assert modem.is_dirty()
    modem.unplug()
    await modem.bridge.close()
    assert modem.is_dirty()
    await modem.device.close()
    assert not modem.is_dirty()
