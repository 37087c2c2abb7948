import asyncio
import socket
from pathlib import Path

import pytest

from bridge.transports.presence import SIMULATED_NODES
from bridge.transports.usb_socket_calls import Message, UsbCall, UsbFault, decode, encode
from simulators.port import PathTakenError
from simulators.usb_socket import usb_bus
from tests.transports.ports import eventually
from tests.transports.usb_buses import plugged


class Caller:
    """Speaks to the bus as a library does, call by call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: list[asyncio.StreamWriter] = []

    async def call(self, call: UsbCall, **given: int | str | list[object]) -> Message:
        reader, writer = await asyncio.open_unix_connection(self._path)
        writer.write(encode({"call": call.value, **given}))
        answer = decode(await reader.readline())
        if call is UsbCall.OPEN:
            self._open.append(writer)
        else:
            writer.close()
        return answer

    async def handle(self, address: int = 1) -> int:
        handle = (await self.call(UsbCall.OPEN, address=address))["handle"]
        assert isinstance(handle, int)
        return handle

    def die(self) -> None:
        for writer in self._open:
            writer.close()


async def test_a_claim_belongs_to_whoever_opened_and_ends_with_it(tmp_path: Path) -> None:
    async with plugged(tmp_path, "alpha_sign"):
        first, second = Caller(tmp_path / "bus"), Caller(tmp_path / "bus")
        one, other = await first.handle(), await second.handle()
        assert await first.call(UsbCall.CLAIM, handle=one, interface=0) == {}
        assert await second.call(UsbCall.CLAIM, handle=other, interface=0) == {"fault": UsbFault.BUSY}
        assert await second.call(UsbCall.WRITE, handle=other, endpoint=2, data="00") == {
            "fault": UsbFault.NOT_FOUND
        }
        assert await second.call(UsbCall.ATTACH_DRIVER, handle=other, interface=0) == {"fault": UsbFault.BUSY}
        first.die()

        async with asyncio.timeout(60):
            while await second.call(UsbCall.CLAIM, handle=other, interface=0) != {}:
                pass
        second.die()


async def test_a_driver_of_the_system_keeps_everybody_out_of_all_interfaces(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        caller = Caller(tmp_path / "bus")
        handle = await caller.handle()
        assert await caller.call(UsbCall.DETACH_DRIVER, handle=handle, interface=0) == {}
        assert await caller.call(UsbCall.DETACH_DRIVER, handle=handle, interface=0) == {
            "fault": UsbFault.NOT_FOUND
        }
        assert await caller.call(UsbCall.CLAIM, handle=handle, interface=0) == {"fault": UsbFault.BUSY}
        assert await caller.call(UsbCall.DRIVER_ACTIVE, handle=handle, interface=1) == {"value": 1}
        assert port._bus.drivers_of(port) == {1}
        caller.die()


async def test_a_handle_of_what_was_pulled_out_is_no_handle_of_what_was_put_in(tmp_path: Path) -> None:
    async with plugged(tmp_path, "alpha_sign") as (port,):
        caller = Caller(tmp_path / "bus")
        handle = await caller.handle()
        port.unplug()
        port.plug_in()
        assert await caller.call(UsbCall.GET_CONFIGURATION, handle=handle) == {"fault": UsbFault.NO_DEVICE}
        assert await caller.call(UsbCall.OPEN, address=1) == {"fault": UsbFault.NO_DEVICE}
        again = await caller.handle(2)
        assert await caller.call(UsbCall.GET_CONFIGURATION, handle=again) == {"value": 1}
        assert await caller.call(UsbCall.READ, handle=again, endpoint=0x99) == {"fault": UsbFault.NOT_FOUND}
        caller.die()


@pytest.mark.parametrize("said", [b"nonsense\n", b"[]\n", b'{"call": "fly"}\n', b""])
async def test_whoever_says_nothing_that_is_a_call_is_hung_up_on(said: bytes, tmp_path: Path) -> None:
    async with plugged(tmp_path, "alpha_sign"):
        reader, writer = await asyncio.open_unix_connection(tmp_path / "bus")
        writer.write(said)
        if not said:
            writer.write_eof()
        assert await reader.read() == b""
        writer.close()


async def test_the_socket_goes_with_the_bus(tmp_path: Path) -> None:
    async with plugged(tmp_path, "alpha_sign"):
        reader, writer = await asyncio.open_unix_connection(tmp_path / "bus")
        writer.write(encode({"call": UsbCall.OPEN.value, "address": 1}))
        assert "handle" in decode(await reader.readline())
    await eventually(reader.at_eof)
    writer.close()
    assert not (tmp_path / "bus").exists()


async def test_two_buses_do_not_share_a_path_and_what_a_killed_one_left_is_replaced(tmp_path: Path) -> None:
    path, nodes = tmp_path / "bus", tmp_path / f"bus{SIMULATED_NODES}"
    async with usb_bus(path):
        with pytest.raises(PathTakenError, match="another simulator has its bus"):
            async with usb_bus(path):
                pass
        assert path.is_socket()
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    nodes.mkdir()
    (nodes / "001").touch()
    async with usb_bus(path):
        assert not (nodes / "001").exists()
    assert not path.exists()

    nodes.mkdir()
    (nodes / "precious").touch()
    with pytest.raises(PathTakenError, match="has what is no simulated node"):
        async with usb_bus(path):
            pass
    assert (nodes / "precious").exists()
