import asyncio
from pathlib import Path

import pytest
from usb.backend import IBackend

from bridge.domain.cards import Card
from bridge.domain.devices import DeviceState
from bridge.domain.events import CardDrawn, DeviceLost, DeviceReady
from bridge.profiles import installed_profiles, load_installed
from bridge.transports.usb_address import UsbAddress, parse_usb
from bridge.transports.usb_bus import find_unit, open_bus
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from bridge.wire.messages import SetOutput
from simulators.usb_port import UsbPort
from simulators.usb_socket import UsbFailure
from tests.drivers.lines import READER_WIRING, WIRING
from tests.simulators.driven import driven
from tests.transports.ports import eventually
from tests.transports.usb_buses import plugged, refused

ON_USB = [name for name in installed_profiles() if load_installed(name).usb is not None]


def on_bus(url: str) -> tuple[UsbAddress, IBackend]:
    address = parse_usb(url)
    return address, open_bus(address)


@pytest.mark.parametrize("name", ON_USB)
async def test_every_device_of_a_profile_with_usb_is_driven_over_the_library(name: str, tmp_path: Path) -> None:
    wiring = READER_WIRING if name.startswith("hid_pos") else WIRING
    async with plugged(tmp_path, f"{name}:A17") as (port,), driven(name, port, {0: wiring}) as bridge:
        await bridge.record.until(DeviceReady)
        port.unplug()
        await bridge.record.until(DeviceLost)
        bridge.record.forget()
        port.plug_in()
        await bridge.record.until(DeviceReady)


async def test_a_card_that_is_shown_to_a_reader_on_usb(tmp_path: Path) -> None:
    async with (
        plugged(tmp_path, "hid_pos_honeywell") as (port,),
        driven("hid_pos_honeywell", port, {0: READER_WIRING}) as bridge,
    ):
        await eventually(lambda: port.line.speaks)  # type: ignore[attr-defined]
        port.line.show(Card.parse("Kh"))  # type: ignore[attr-defined]
        assert (await bridge.record.until(CardDrawn)).card == Card.parse("Kh")


@pytest.mark.parametrize("name", ["xkeys_xk24", "blinkstick", "delcom_switch"])
async def test_what_was_lit_is_lit_again_after_it_was_plugged_in_anew(name: str, tmp_path: Path) -> None:
    async with plugged(tmp_path, name) as (port,), driven(name, port) as bridge:
        await bridge.record.until(DeviceReady)
        bridge.order(SetOutput(address=0, channel=2, active=True), SetOutput(address=0, channel=3, active=True))

        def lit() -> bool:
            return bool(port.line.outputs.active == {2, 3})  # type: ignore[attr-defined]

        await eventually(lit)
        port.unplug()
        await bridge.record.until(DeviceLost)
        port.plug_in()
        assert not lit()
        await eventually(lit)


async def test_a_device_that_is_refused_is_told_with_its_remedy_and_comes_back(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        port.fail(UsbCall.OPEN, UsbFault.ACCESS)
        async with driven("xkeys_xk24", port) as bridge:
            lost = await bridge.record.until(DeviceLost)
            assert "udev" in lost.reason
            assert bridge.record.status().state is DeviceState.BLOCKED
            port.mend()
            await bridge.record.until(DeviceReady)


async def test_an_address_names_the_unit_by_its_serial_number_or_else_its_place(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1.4", "alpha_sign@1-2") as (panel, sign):
        assert panel.url == f"usb:05F3:0405?serial=A17&bus={tmp_path}/bus"
        assert sign.url == f"usb:8765:1234?port=1-2&pipe=bulk&bus={tmp_path}/bus"


async def test_an_exchanged_unit_and_one_at_another_place_are_not_the_one_that_was_there(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1.4") as (panel,):
        named = panel.url
        panel.plug_in_as("A18")
        assert "there is A18 at 1-1.4" in str(await refused(named))
        panel.plug_in_as("A17")
        panel.plug_in_at("1-2")
        assert f"{(await asyncio.to_thread(find_unit, *on_bus(named))).port}" == "1-2"
        assert "but one is at 1-2" in str(await refused(f"usb:05F3:0405?port=1-1.4&bus={tmp_path}/bus"))


async def test_plugging_twice_is_harmless(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        port.plug_in()
        port.unplug()
        port.unplug()
        port.say(b"to nobody")
        assert not port.plugged_in


async def test_requests_of_the_makers_driver_are_answered_like_those_of_a_strict_host(tmp_path: Path) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,):
        await port.control((0x20, 0x09, 0x0001, 0), bytes((1, 0, 255, 0)), 0)
        loose = await port.control((0xA0, 0x01, 0x0006, 0), b"", 26)
        strict = await port.control((0xA1, 0x01, 0x0306, 0), b"", 26)
        assert loose == strict
        assert port.line.outputs.active == {1}  # type: ignore[attr-defined]


@pytest.mark.parametrize("setup", [(0x80, 6, 0x0309, 0), (0x81, 6, 0x2200, 7), (0xC0, 1, 0, 0)])
async def test_what_a_device_does_not_know_stalls(setup: tuple[int, int, int, int], tmp_path: Path) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,):
        with pytest.raises(UsbFailure, match="stall"):
            await port.control(setup, b"", 8)


async def test_bulk_bytes_are_cut_to_what_was_asked_for(tmp_path: Path) -> None:
    async with plugged(tmp_path, "alpha_sign") as (port,):
        port.say(b"0123456789")
        first = await port.transfer_in(4, lambda: False)
        assert first + await port.transfer_in(64, lambda: False) == b"0123456789"


async def test_a_device_that_goes_while_it_is_listened_to(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        reading = asyncio.create_task(port.transfer_in(64, lambda: not port.plugged_in))
        await asyncio.sleep(0)
        port.unplug()
        with pytest.raises(UsbFailure, match="no_device"):
            await reading


async def test_calls_fail_as_often_as_was_ordered(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        port.fail(UsbCall.READ, UsbFault.IO, times=1)
        assert isinstance(port, UsbPort)
        with pytest.raises(UsbFailure, match="io"):
            port.check(UsbCall.READ)
        port.check(UsbCall.READ)
        assert port.failing == {}
