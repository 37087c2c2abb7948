import asyncio
import json
from pathlib import Path

import pytest

from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from tests.cli.program import TABLES, run
from tests.config.writing import write_table
from tests.transports.adapters import Adapter, adapters
from tests.transports.usb_buses import plugged

ON_USB = TABLES / "blackjack_usb.toml"


@pytest.fixture(autouse=True)
def no_libusb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usb.backend.libusb1.get_backend", lambda: None)


async def test_what_is_plugged_in_is_told_for_people_and_for_programs(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1.4"):
        told = await asyncio.to_thread(run, "devices", "--bus", tmp_path / "bus")
        listed = await asyncio.to_thread(run, "devices", "--bus", tmp_path / "bus", "--json")

    assert told.exit_code == 0
    assert told.output.splitlines() == [
        f"usb:05F3:0405?serial=A17&bus={tmp_path}/bus",
        "    X-keys XK-24 panel; fits xkeys_xk24; ids 05F3:0405; serial number A17; at 1-1.4",
    ]
    assert json.loads(listed.output)["profiles"] == ["xkeys_xk24"]


async def test_what_keeps_a_device_from_being_used_is_told_and_status_1(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1", "xkeys_xk24:A17@1-2"):
        told = await asyncio.to_thread(run, "devices", "--bus", tmp_path / "bus")

    assert told.exit_code == 1
    assert "    ! the unit at 1-2 has the same serial number" in told.output


async def test_the_lines_of_a_table_on_a_simulated_bus_are_told(tmp_path: Path) -> None:
    bus = tmp_path / "bus"
    async with plugged(tmp_path, "hid_pos_honeywell@1-1", "delcom_switch@1-2", "blinkstick:other@1-3") as (
        *_,
        lamps,
    ):
        lamps.fail(UsbCall.OPEN, UsbFault.ACCESS)
        told = await asyncio.to_thread(run, "devices", ON_USB, "--bus", bus)

    assert told.exit_code == 1
    assert "USB HID point-of-sale reports of Honeywell and Youjie; fits hid_pos_honeywell; " in told.output
    assert "; at 1-2; line button\n" in told.output
    assert "line panel\n    ! usb:05F3:0405,0403?usage=000C:0001" in told.output
    assert ": no such device is plugged in; plug it in, or correct the port" in told.output
    assert "no permission to open the device; write the line SUBSYSTEM" in told.output


def test_a_line_whose_port_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with adapters(tmp_path, monkeypatch, [Adapter(serial="A1", place="1-1")]) as (terminal,):
        there = write_table(tmp_path, [["/dev/ttyUSB0", terminal.path]])
        good = run("devices", there)
        absent = write_table(tmp_path, [["/dev/ttyUSB0", "/dev/none"]])
        bad, listed = run("devices", absent), run("devices", absent, "--json")

    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert "; line rs485" in good.output
    assert "line rs485\n    ! /dev/none: no such port; plug the device in, or correct the port" in bad.output
    assert json.loads(listed.output.splitlines()[-1])["line"] == "rs485"


def test_nothing_is_plugged_in(tmp_path: Path) -> None:
    told = run("devices", "--bus", tmp_path / "none")

    assert (told.exit_code, told.output) == (0, "nothing is plugged in that a table could use\n")
