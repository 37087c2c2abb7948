import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from usb.core import USBError, USBTimeoutError

from bridge.transports.errors import PermanentTransportError, TransientTransportError, TransportError
from bridge.transports.usb_address import parse_usb
from bridge.transports.usb_claim import UsbClaim, claim
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from simulators.device import Channels
from simulators.usb_port import UsbPort
from tests.transports.usb_buses import plugged


def drivers(port: UsbPort) -> set[int]:
    """Return the interfaces that the system's drivers have."""
    return port._bus.drivers_of(port)


@asynccontextmanager
async def claimed(port: UsbPort, more: str = "") -> AsyncIterator[UsbClaim]:
    taken = await asyncio.to_thread(claim, parse_usb(port.url + more))
    try:
        yield taken
    finally:
        await asyncio.to_thread(taken.release)


async def test_every_driver_of_the_system_is_detached_and_has_its_interface_back_at_the_end(
    tmp_path: Path,
) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        assert drivers(port) == {0, 1}
        async with claimed(port, "&usage=000C:0001"):
            assert drivers(port) == set()
        assert drivers(port) == {0, 1}


async def test_the_interface_is_the_one_with_the_usage(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        async with claimed(port, "&usage=0001:0006") as keyboard:
            assert keyboard._number == 1
        async with claimed(port) as panel:
            assert panel._number == 0
            assert panel.reads


async def test_a_device_in_another_mode_says_which_usages_it_has(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        with pytest.raises(PermanentTransportError, match=r"it has 000C:0001, 0001:0006.*switch the device"):
            async with claimed(port, "&usage=008C"):
                pass
        with pytest.raises(PermanentTransportError, match="no bulk endpoint"):
            async with claimed(port, "&pipe=bulk"):
                pass
        assert drivers(port) == {0, 1}


async def test_a_feature_is_set_and_asked_for_by_its_number(tmp_path: Path) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,), claimed(port) as lamp:
        await asyncio.to_thread(lamp.set_feature, bytes((5, 0, 3, 255, 0, 0)))
        answer = await asyncio.to_thread(lamp.get_feature, 6, 26)

    assert answer[:2] == b"\x06\x00"
    assert answer[2 + 3 * 3 :][:3] == b"\x00\xff\x00"


async def test_an_output_report_goes_over_its_endpoint_or_as_a_request(tmp_path: Path) -> None:
    generate = bytes([0xB1]).ljust(35, b"\x00")
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,), claimed(port, "&usage=000C:0001") as panel:
        await asyncio.to_thread(panel.send_output, generate)
        assert (await asyncio.to_thread(panel.read, 1000))[1] == 2
        panel._out = None
        await asyncio.to_thread(panel.send_output, generate)
        assert (await asyncio.to_thread(panel.read, 1000))[1] == 2


async def test_nothing_said_is_a_time_out_and_no_loss(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,), claimed(port) as panel:
        with pytest.raises(USBTimeoutError):
            await asyncio.to_thread(panel.read, 50)
        inputs = port.line.inputs  # type: ignore[attr-defined]
        assert isinstance(inputs, Channels)
        inputs.set(5, active=True)
        assert (await asyncio.to_thread(panel.read, 1000))[2] == 1 << 4


async def test_a_stalled_endpoint_is_resumed(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,), claimed(port) as panel:
        port.fail(UsbCall.READ, UsbFault.STALL, times=1)
        with pytest.raises(USBError):
            await asyncio.to_thread(panel.read, 50)
        await asyncio.to_thread(panel.resume_reading)
        await asyncio.to_thread(panel.touch)


async def test_bytes_go_to_a_bulk_endpoint(tmp_path: Path) -> None:
    clear = bytes.fromhex("00 00 00 00 00 01 5A 30 30 02 41 30 04")
    async with plugged(tmp_path, "alpha_sign") as (port,), claimed(port) as sign:
        assert not sign.reads
        await asyncio.to_thread(sign.write, clear * 20)


@pytest.mark.parametrize(
    ("call", "fault", "kind", "remedy"),
    [
        (UsbCall.OPEN, UsbFault.ACCESS, PermanentTransportError, "udev"),
        (UsbCall.CLAIM, UsbFault.BUSY, PermanentTransportError, "in use by another"),
        (UsbCall.DETACH_DRIVER, UsbFault.NO_DEVICE, TransientTransportError, "gone"),
        (UsbCall.CONTROL, UsbFault.STALL, TransientTransportError, "stalls"),
        (UsbCall.CONTROL, UsbFault.TIMEOUT, TransientTransportError, "takes too long"),
    ],
)
async def test_a_device_that_cannot_be_taken_is_left_as_it_was(
    call: UsbCall, fault: UsbFault, kind: type[TransportError], remedy: str, tmp_path: Path
) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        port.fail(call, fault)
        with pytest.raises(kind, match=remedy):
            async with claimed(port):
                pass
        port.mend()
        assert drivers(port) == {0, 1}
        async with claimed(port):
            pass


async def test_two_programs_do_not_share_a_device(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        async with claimed(port):
            with pytest.raises(PermanentTransportError, match="in use by another"):
                async with claimed(port):
                    pass
        async with claimed(port):
            pass


async def test_a_keyboard_speaks_as_a_machine_that_starts_understands_it(tmp_path: Path) -> None:
    async with plugged(tmp_path, "hid_pos_wedge:K1") as (port,), claimed(port) as wedge:
        port.line.show_unreadable("1")  # type: ignore[attr-defined]
        assert await asyncio.to_thread(wedge.read, 1000) == bytes((0, 0, 0x1E, 0, 0, 0, 0, 0))


async def test_a_descriptor_that_says_nothing_is_another_usage(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,):
        interface = port.model.interfaces[0]
        object.__setattr__(interface, "report_descriptor", b"\x05")
        with pytest.raises(PermanentTransportError, match="it has none"):
            async with claimed(port):
                pass
    assert "cut off" in caplog.text


async def test_a_system_that_has_no_drivers_to_detach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> bool:
        raise NotImplementedError("not on this system")

    monkeypatch.setattr("bridge.transports.usb_socket_backend.SocketBackend.is_kernel_driver_active", unknown)
    async with plugged(tmp_path, "alpha_sign") as (port,), claimed(port) as sign:
        await asyncio.to_thread(sign.touch)
