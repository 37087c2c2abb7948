import array
import asyncio
import errno
import socket
import threading
from pathlib import Path

import pytest
import usb.core
import usb.util

from bridge.transports.usb_socket_backend import SocketBackend
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from simulators.usb_port import UsbPort
from tests.transports.usb_buses import plugged


def device_on(folder: Path) -> usb.core.Device:
    device = usb.core.find(backend=SocketBackend(str(folder / "bus")))
    assert device is not None
    return device


def error_of(folder: Path) -> usb.core.USBError:
    device = device_on(folder)
    try:
        with pytest.raises(usb.core.USBError) as caught:
            device.ctrl_transfer(0x80, 0, 0, 0, 2, 100)
    finally:
        usb.util.dispose_resources(device)
    return caught.value


async def test_the_library_finds_a_device_with_its_descriptors(tmp_path: Path) -> None:
    def look() -> tuple[object, ...]:
        device = device_on(tmp_path)
        interfaces = [
            (one.bInterfaceNumber, one.bInterfaceClass, [hex(point.bEndpointAddress) for point in one])
            for one in device.get_active_configuration()
        ]
        names = device.manufacturer, device.product, device.serial_number
        usb.util.dispose_resources(device)
        return interfaces, names, (device.bus, device.port_numbers, device.bcdDevice)

    async with plugged(tmp_path, "xkeys_xk24:Ä17@1-1.4"):
        interfaces, names, place = await asyncio.to_thread(look)

    assert interfaces == [(0, 3, ["0x81", "0x1"]), (1, 3, ["0x82"])]
    assert names == ("simulated", "X-keys XK-24 panel", "Ä17")
    assert place == (1, (1, 4), 0x0100)


@pytest.mark.parametrize(
    ("fault", "number", "kind"),
    [
        (UsbFault.TIMEOUT, errno.ETIMEDOUT, usb.core.USBTimeoutError),
        (UsbFault.NO_DEVICE, errno.ENODEV, usb.core.USBError),
        (UsbFault.BUSY, errno.EBUSY, usb.core.USBError),
        (UsbFault.ACCESS, errno.EACCES, usb.core.USBError),
        (UsbFault.STALL, errno.EPIPE, usb.core.USBError),
        (UsbFault.OVERFLOW, errno.EOVERFLOW, usb.core.USBError),
        (UsbFault.NOT_FOUND, errno.ENOENT, usb.core.USBError),
        (UsbFault.IO, errno.EIO, usb.core.USBError),
    ],
)
async def test_a_call_fails_as_libusb_fails(
    fault: UsbFault, number: int, kind: type[usb.core.USBError], tmp_path: Path
) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,):
        port.fail(UsbCall.CONTROL, fault)
        error = await asyncio.to_thread(error_of, tmp_path)

    assert (type(error), error.errno) == (kind, number)


async def test_a_configuration_is_set_once_no_driver_has_the_device(tmp_path: Path) -> None:
    def configure(port: UsbPort) -> list[int | None]:
        device = device_on(tmp_path)
        tried: list[int | None] = []
        for driven in (True, False):
            if not driven:
                device.detach_kernel_driver(0)
            try:
                device.set_configuration()
                tried.append(None)
            except usb.core.USBError as error:
                tried.append(error.errno)
        device.attach_kernel_driver(0)
        usb.util.dispose_resources(device)
        assert port.plugged_in
        return tried

    async with plugged(tmp_path, "blinkstick") as (port,):
        assert await asyncio.to_thread(configure, port) == [errno.EBUSY, None]


async def test_an_answer_that_is_longer_than_asked_for_is_an_overflow(tmp_path: Path) -> None:
    def read_too_little(backend: SocketBackend) -> int | None:
        device = usb.core.find(backend=backend)
        device.detach_kernel_driver(0)
        usb.util.claim_interface(device, 0)
        handle = device._ctx.handle
        try:
            backend.intr_read(handle, 0x81, 0, array.array("B", bytes(4)), 1000)
        except usb.core.USBError as error:
            return int(error.errno)
        finally:
            usb.util.dispose_resources(device)
        return None

    async with plugged(tmp_path, "hid_pos_newland") as (port,):
        reading = asyncio.create_task(asyncio.to_thread(read_too_little, SocketBackend(str(tmp_path / "bus"))))
        while not reading.done():
            port.line.show_unreadable("9999")  # type: ignore[attr-defined]
            await asyncio.wait([reading], timeout=0.01)
        assert await reading == errno.EOVERFLOW


def test_a_device_has_one_configuration_and_no_alternate_settings(tmp_path: Path) -> None:
    backend = SocketBackend(str(tmp_path / "bus"))
    with pytest.raises(IndexError):
        backend.get_configuration_descriptor(None, 1)  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        backend.get_interface_descriptor(None, 0, 1, 0)  # type: ignore[arg-type]
    assert backend.enumerate_devices() == []


def test_a_bus_that_hangs_up_without_an_answer_is_a_device_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "bus"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def hang_up() -> None:
            connection, _ = listener.accept()
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        assert SocketBackend(str(path)).enumerate_devices() == []
        thread.join()
