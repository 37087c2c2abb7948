from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bridge.domain.identity import DeviceId
from bridge.profiles import load_installed
from bridge.transports import open_transport
from bridge.transports.errors import PermanentTransportError
from bridge.transports.usb_address import UsbAddress, completed, parse_usb
from bridge.wire.spec import SerialSettings, Unit
from simulators.models import simulate_line
from simulators.port import Port
from simulators.table_ports import USB_BUS, Hosting, PortKind, TableLine, table_ports
from simulators.usb_port import UsbPort
from tests.transports.usb_buses import refused


def line(name: str, profile: str, url: str = "") -> TableLine:
    """Return a line with one device, as a table has it with this port."""
    spec = load_installed(profile)
    usb: UsbAddress | None = parse_usb(completed(url, spec.usb)) if url else None
    devices = ((DeviceId(name), Unit(address=1 if profile == "modbus_io8" else 0, spec=spec)),)
    return TableLine(name=name, serial=spec.serial, devices=devices, usb=usb)


@asynccontextmanager
async def hosted_lines(
    folder: Path, *lines: TableLine, kind: PortKind = PortKind.TERMINAL
) -> AsyncIterator[dict[str, Port]]:
    simulated = {one.name: simulate_line(one, {}, {}) for one in lines}
    async with table_ports(lines, simulated, Hosting(directory=folder, kind=kind, paced=False)) as ports:
        yield ports


def left_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [(PortKind.TERMINAL, "/"), (PortKind.TCP, "socket://127.0.0.1:"), (PortKind.RFC2217, "rfc2217://127.0.0.1:")],
)
async def test_lines_are_put_on_what_is_asked_for_and_can_be_opened(
    tmp_path: Path, kind: PortKind, scheme: str
) -> None:
    async with hosted_lines(tmp_path, line("a", "modbus_io8"), line("b", "hid_pos_reader"), kind=kind) as ports:
        assert list(ports) == ["a", "b"]
        assert len({port.url for port in ports.values()}) == 2
        for port in ports.values():
            assert port.url.startswith(scheme)
            await (await open_transport(port.url, SerialSettings())).close()
    assert left_in(tmp_path) == []


async def test_lines_on_usb_are_on_one_bus_whatever_the_others_are_on(tmp_path: Path) -> None:
    lines = (line("sign", "alpha_sign", "usb:"), line("panel", "xkeys_xk24", "usb:"), line("a", "modbus_io8"))
    async with hosted_lines(tmp_path, *lines, kind=PortKind.TCP) as ports:
        bus = f"bus={tmp_path}/{USB_BUS}"
        assert ports["sign"].url == f"usb:8765:1234?pipe=bulk&{bus}"
        assert ports["panel"].url == f"usb:05F3:0405,0403?usage=000C:0001&{bus}"
        assert ports["a"].url.startswith("socket://")
        for port in ports.values():
            await (await open_transport(port.url, SerialSettings())).close()
    assert left_in(tmp_path) == []


async def test_a_unit_is_the_one_that_its_line_asks_for(tmp_path: Path) -> None:
    lines = (
        line("somewhere", "xkeys_xk12", "usb:05F3:04AB?serial=A1"),
        line("there", "xkeys_xk12", "usb:?port=1-1"),
        line("own", "hid_pos_wedge", "usb:05F9:2206?serial=A2&port=1-3.2"),
    )
    async with hosted_lines(tmp_path, *lines) as ports:
        told = {}
        for name, port in ports.items():
            assert isinstance(port, UsbPort)
            told[name] = (f"{port.model.vendor:04X}:{port.model.product:04X}", port.place)
            await (await open_transport(port.url, SerialSettings())).close()
        assert told == {
            "somewhere": ("05F3:04AB", "1-2"),
            "there": ("05F3:04A8", "1-1"),
            "own": ("05F9:2206", "1-3.2"),
        }
        reason = await refused(ports["somewhere"].url.replace("serial=A1", "serial=A2"))
        assert "no unit with this serial number" in str(reason)


async def test_a_table_that_asks_for_nothing_in_particular_finds_two_of_a_kind(tmp_path: Path) -> None:
    lines = (line("one", "blinkstick", "usb:?serial=B1"), line("other", "blinkstick", "usb:?serial=B2"))
    async with hosted_lines(tmp_path, *lines) as ports:
        unsaid = ports["one"].url.replace("serial=B1&", "")
        reason = await refused(unsaid)
        assert isinstance(reason, PermanentTransportError)
        assert "the units at 1-1 and 1-2 all fit" in str(reason)
