import asyncio
import errno
from pathlib import Path

import pytest
from usb.core import USBError

from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.usb_address import UsbAddress, parse_usb
from bridge.transports.usb_bus import UsbUnit, find_unit, open_bus, plugged_in
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from bridge.wire.hid_reports import ask_feature, pack
from tests.transports.usb_buses import opened, plugged

TWINS = ("xkeys_xk24:A17@1-1.4", "xkeys_xk24:A18@1-1.5", "blinkstick@1-2")


async def found(folder: Path, url: str) -> UsbUnit:
    address = parse_usb(f"{url}{'&' if '?' in url else '?'}bus={folder}/bus")
    return await asyncio.to_thread(lambda: find_unit(address, open_bus(address)))


async def test_what_is_plugged_in_is_listed_by_its_place(tmp_path: Path) -> None:
    address = parse_usb(f"usb:?bus={tmp_path}/bus")
    async with plugged(tmp_path, *TWINS):
        units = await asyncio.to_thread(lambda: plugged_in(open_bus(address)))

    assert [(unit.port, unit.ids) for unit in units] == [
        ("1-1.4", (0x05F3, 0x0405)),
        ("1-1.5", (0x05F3, 0x0405)),
        ("1-2", (0x20A0, 0x41E5)),
    ]


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("usb:05F3:0405?serial=A18", "1-1.5"),
        ("usb:05F3:0405?port=1-1.4", "1-1.4"),
        ("usb:05F3?serial=A17&port=1-1.4", "1-1.4"),
        ("usb:20A0", "1-2"),
        ("usb:05F3,20A0?port=1-2", "1-2"),
    ],
)
async def test_one_unit_is_meant(url: str, place: str, tmp_path: Path) -> None:
    async with plugged(tmp_path, *TWINS):
        assert (await found(tmp_path, url)).port == place


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("usb:05F3:0405", "the units at 1-1.4 and 1-1.5 all fit; say which"),
        ("usb:05F3:0405?serial=A17&port=1-1.5", r"another unit is in its place \(serial number A18 at 1-1.5\)"),
        ("usb:05F3:0405?port=1-2", r"another device is in its place \(20A0:41E5\)"),
        ("usb:20A0?serial=A17&port=1-2", r"another unit is in its place \(serial number none at 1-2\)"),
        ("usb:", "names no device"),
    ],
)
async def test_the_wrong_unit_is_worse_than_none(url: str, complaint: str, tmp_path: Path) -> None:
    async with plugged(tmp_path, *TWINS):
        with pytest.raises(PermanentTransportError, match=complaint):
            await found(tmp_path, url)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("usb:0FC5:B080", "no such device is plugged in; plug it in"),
        ("usb:20A0?port=1-3", "no such device is plugged in there, but one is at 1-2"),
        ("usb:05F3?serial=A19", r"no unit with this serial number .* A17 at 1-1.4, A18 at 1-1.5"),
    ],
)
async def test_what_is_not_there_may_come(url: str, complaint: str, tmp_path: Path) -> None:
    async with plugged(tmp_path, *TWINS):
        with pytest.raises(TransientTransportError, match=complaint):
            await found(tmp_path, url)


async def test_two_units_with_one_serial_number_are_reported_and_told_apart_by_place(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1", "xkeys_xk24:A17@1-2"):
        with pytest.raises(PermanentTransportError, match=r"at 1-1 and 1-2 have the same serial number.*port=1-1"):
            await found(tmp_path, "usb:05F3?serial=A17")
        assert (await found(tmp_path, "usb:05F3?serial=A17&port=1-2")).port == "1-2"


async def test_a_unit_that_may_not_be_asked_is_told_with_its_rule(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        port.fail(UsbCall.OPEN, UsbFault.ACCESS)
        with pytest.raises(PermanentTransportError, match='idProduct}=="0405"'):
            await found(tmp_path, "usb:05F3?serial=A17")


async def test_nobody_simulates_the_bus(tmp_path: Path) -> None:
    with pytest.raises(TransientTransportError, match="no such device"):
        await found(tmp_path, "usb:05F3:0405")


def test_a_machine_without_libusb_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    address: UsbAddress = parse_usb("usb:05F3:0405")
    monkeypatch.setattr("usb.backend.libusb1.get_backend", lambda: None)
    with pytest.raises(PermanentTransportError, match="apt install libusb"):
        open_bus(address)


async def test_opening_once_tells_a_missing_permission_and_disturbs_nobody(tmp_path: Path) -> None:
    async with plugged(tmp_path, "blinkstick@1-2") as (port,):
        unit = await found(tmp_path, "usb:20A0")
        held = await opened(port.url)
        await asyncio.to_thread(unit.open_once)
        held.write(pack(ask_feature(1, 4)))
        assert await held.read()
        await held.close()
        port.fail(UsbCall.OPEN, UsbFault.ACCESS)
        with pytest.raises(USBError) as caught:
            await asyncio.to_thread(unit.open_once)
    assert caught.value.errno == errno.EACCES


async def test_a_unit_has_a_node_by_bus_and_address(tmp_path: Path) -> None:
    async with plugged(tmp_path, *TWINS):
        assert (await found(tmp_path, "usb:20A0")).node(Path("/dev/bus/usb")) == Path("/dev/bus/usb/001/003")
