import asyncio
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.drivers.line import Line
from bridge.plugged_in import PluggedIn, look, out_of_reach
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from tests.config.writing import write_table
from tests.drivers.lines import Scripted
from tests.transports.adapters import Adapter, adapters
from tests.transports.ports import PseudoTerminal
from tests.transports.usb_buses import plugged


def line(name: str, url: str) -> Line:
    return Scripted().line(url, name=name)


async def on_bus(folder: Path, *lines: Line) -> list[PluggedIn]:
    return await asyncio.to_thread(lambda: look(lines=lines, bus=str(folder / "bus")))


def without_libusb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usb.backend.libusb1.get_backend", lambda: None)


async def test_devices_on_usb_are_told_with_the_models_that_they_fit(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1.4", "blinkstick@1-2", "hid_pos_wedge"):
        found = await on_bus(tmp_path)

    assert [(one.port, one.profiles, one.serial, one.place, one.problems) for one in found] == [
        (f"usb:05F3:0405?serial=A17&bus={tmp_path}/bus", ("xkeys_xk24",), "A17", "1-1.4", ()),
        (f"usb:20A0:41E5?port=1-2&bus={tmp_path}/bus", ("blinkstick",), None, "1-2", ()),
    ]


async def test_two_units_with_one_serial_number_are_told_and_named_by_their_place(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1", "xkeys_xk24:A17@1-2", "xkeys_xk24:A18@1-3"):
        first, second, third = await on_bus(tmp_path)

    assert first.port == f"usb:05F3:0405?port=1-1&bus={tmp_path}/bus"
    assert "the unit at 1-2 has the same serial number; name both by their place" in first.problems[0]
    assert "the unit at 1-1 has the same serial number" in second.problems[0]
    assert third.problems == ()


async def test_a_missing_permission_is_told_with_its_rule(tmp_path: Path) -> None:
    async with plugged(tmp_path, "delcom_switch:D1") as (port,):
        port.fail(UsbCall.OPEN, UsbFault.ACCESS)
        (found,) = await on_bus(tmp_path)

    assert 'ATTR{idVendor}=="0fc5"' in found.problems[0]


async def test_a_device_without_a_serial_number_that_must_not_be_opened_is_told_too(tmp_path: Path) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,):
        port.fail(UsbCall.OPEN, UsbFault.ACCESS)
        (found,) = await on_bus(tmp_path)

    assert "no permission to open the device; write the line" in found.problems[0]


async def test_a_line_that_may_mean_several_units_or_whose_unit_was_exchanged_is_out_of_reach(
    tmp_path: Path,
) -> None:
    bus = str(tmp_path / "bus")
    lines = [
        line("any", "usb:05F3:0405"),
        line("exchanged", "usb:05F3:0405?serial=A17&port=1-2"),
        line("there", "usb:05F3:0405?serial=A18"),
        line("serial", "/dev/none"),
    ]
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1", "xkeys_xk24:A18@1-2"):
        why = {each.name: said for each, said in await asyncio.to_thread(lambda: out_of_reach(lines, bus=bus))}
        found = await on_bus(tmp_path, *lines)

    assert why.keys() == {"any", "exchanged"}, "on a simulated bus there are no serial ports"
    assert "the units at 1-1 and 1-2 all fit; say which is meant" in why["any"]
    assert "another unit is in its place (serial number A18 at 1-2)" in why["exchanged"]
    assert [one.lines for one in found] == [("any",), ("any", "there")]


async def test_a_device_says_which_line_names_it_and_a_line_that_names_none_is_missing(tmp_path: Path) -> None:
    bus = f"bus={tmp_path}/bus"
    lines = [
        line("one", f"usb:05F3:0405?serial=A17&{bus}"),
        line("other", f"usb:05F3:0405?serial=A18&{bus}"),
        line("own", f"usb:FFFE:0001?port=1-2&{bus}"),
        line("server", "socket://127.0.0.1:4001"),
        line("nonsense", "usb:nonsense"),
        line("unsaid", f"usb:?{bus}"),
    ]
    async with plugged(tmp_path, "xkeys_xk24:A17@1-1", "hid_pos_wedge@1-2"):
        found = await on_bus(tmp_path, *lines)
        why = await asyncio.to_thread(out_of_reach, lines)

    assert [(one.lines, one.profiles) for one in found] == [(("one",), ("xkeys_xk24",)), (("own",), ())]
    assert [each.name for each, _ in why] == ["other", "unsaid"]
    assert "no unit with this serial number is plugged in (there is A17 at 1-1)" in why[0][1]
    assert "names no device" in why[1][1]


async def test_the_buses_that_lines_name_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_libusb(monkeypatch)
    async with plugged(tmp_path, "xkeys_xk24:A17"):
        lines = [line("panel", f"usb:05F3:0405?bus={tmp_path}/bus")]
        with adapters(tmp_path, monkeypatch, []):
            (found,) = await asyncio.to_thread(look, lines=lines)

    assert found.lines == ("panel",)


def test_a_serial_port_is_named_by_what_lasts_and_a_line_that_names_it_otherwise_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_libusb(monkeypatch)
    monkeypatch.setattr("bridge.plugged_in.is_in_order_of_plugging", lambda path: path.startswith("/dev/pts/"))
    with adapters(tmp_path, monkeypatch, [Adapter(serial="A1", place="1-1", by_id="usb-A1")]) as (terminal,):
        lasting = f"{tmp_path}/serial/by-id/usb-A1"
        lines = [line("rs485", terminal.path), line("same", lasting), line("gone", "/dev/none")]
        (found,) = look(lines=lines)
        (alone,) = look(lines=lines[1:2])
        away = out_of_reach(lines)

    assert (found.port, found.ids, found.lines) == (lasting, "0403:6001", ("rs485", "same"))
    assert found.problems == (
        f"line rs485 names it {terminal.path}, which may be another port tomorrow; write {lasting}",
    )
    assert alone.problems == ()
    ((gone, why),) = away
    assert (gone.name, why.partition(";")[0]) == ("gone", "/dev/none: no such port")


def test_a_port_that_the_system_does_not_list_is_there_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_libusb(monkeypatch)
    with adapters(tmp_path, monkeypatch, []), PseudoTerminal() as terminal:
        lines = [line("simulated", terminal.path)]
        (found,) = look(lines=lines)
        away = out_of_reach(lines)

    assert (found.port, found.kind, found.lines, away) == (terminal.path, "serial", ("simulated",), [])


def test_another_adapter_than_the_one_that_is_named_is_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_libusb(monkeypatch)
    with adapters(tmp_path, monkeypatch, [Adapter(serial="A1", place="1-1")]) as (terminal,):
        ((_, why),) = out_of_reach([line("rs485", f"{terminal.path}?serial=A2")])

    assert "another adapter is there: its serial number is A1, not A2" in why


def test_serial_ports_without_permission_and_with_a_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_libusb(monkeypatch)
    monkeypatch.setattr("os.access", lambda *_: False)
    both = [Adapter(serial="A1", place=place) for place in ("1-1", "1-2")]
    with adapters(tmp_path, monkeypatch, both):
        first, *_, library = look()

    assert "no permission" in first.problems[0]
    assert "the unit at 1-2 has the same serial number" in first.problems[1]
    assert (library.port, library.title) == ("", "devices on USB cannot be seen")
    assert library.problems[0].startswith("the library libusb 1.0 is not on this machine")
    assert "apt install libusb-1.0-0" in library.problems[0]


def test_a_table_without_usb_does_not_need_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_libusb(monkeypatch)
    lines = load_table(write_table(tmp_path)).lines
    with adapters(tmp_path, monkeypatch, []):
        assert look(lines=lines) == []


def test_a_bus_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(_: object) -> None:
        raise NotImplementedError("no such thing here")

    monkeypatch.setattr("bridge.plugged_in.plugged_in", fail)
    assert "no such thing here" in look(bus=str(tmp_path / "bus"))[0].problems[0]
