from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from bridge.transports import open_transport
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.serial_adapters import (
    check_unit,
    is_in_order_of_plugging,
    lasting_name,
    serial_adapters,
    twins,
)
from bridge.wire.spec import SerialSettings
from tests.transports.adapters import Adapter, adapters

LEFT = Adapter(serial="A1", place="1-1.1", by_id="usb-FTDI_A1-port0")
RIGHT = Adapter(serial="A2", place="1-1.2", by_id="usb-FTDI_A2-port0")


def test_an_adapter_is_named_by_its_id_where_that_is_one_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with adapters(tmp_path, monkeypatch, [LEFT, RIGHT]) as (left, _):
        found = {one.path: one for one in serial_adapters()}
        one = found[left.path]

        assert (one.vendor, one.product, one.serial, one.place) == (0x0403, 0x6001, "A1", "1-1.1")
        assert twins(one, found.values()) == []
        assert lasting_name(one, found.values()) == f"{tmp_path}/serial/by-id/usb-FTDI_A1-port0"


@pytest.mark.parametrize("serial", [None, "A1"])
def test_twins_are_named_by_their_place(
    serial: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [Adapter(serial=serial, place=place, by_id="usb-FTDI-port0") for place in ("1-1.1", "1-1.2")]
    with adapters(tmp_path, monkeypatch, both):
        found = serial_adapters()

        assert [twins(one, found) for one in found] == [[found[1]], [found[0]]]
        assert {lasting_name(one, found) for one in found} == {
            f"{tmp_path}/serial/by-path/usb-{place}-port0" for place in ("1-1.1", "1-1.2")
        }


def test_a_port_of_the_machine_has_no_other_name_and_no_twin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with adapters(tmp_path, monkeypatch, [Adapter(vendor=None, product=None)] * 2) as (port, _):
        found = serial_adapters()
        assert twins(found[0], found) == []
        assert lasting_name(found[0], found) == found[0].path
        assert port.path in {one.path for one in found}


def test_a_port_of_which_the_system_says_nothing_is_a_serial_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [ListPortInfo("/dev/ttyS0")])

    assert [(one.path, one.title) for one in serial_adapters()] == [("/dev/ttyS0", "a serial port")]


def test_a_machine_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with adapters(tmp_path, monkeypatch, [Adapter()]):
        monkeypatch.setattr("bridge.transports.serial_adapters.LINKS", tmp_path / "none")
        assert serial_adapters()[0].names == ()


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/dev/ttyUSB0", True), ("/dev/ttyACM12", True), ("/dev/ttyS0", False), ("/dev/serial/by-id/x", False)],
)
def test_a_path_that_says_only_the_order_of_plugging(path: str, expected: object) -> None:
    assert is_in_order_of_plugging(path) is expected


async def test_adapters_that_were_swapped_while_unplugged_do_not_swap_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "ttyUSB0"
    url = f"serial:{named}?serial=A1&port=1-1.1"
    with adapters(tmp_path, monkeypatch, [LEFT, RIGHT]) as (left, right):
        left.link(named)
        port = await open_transport(url, SerialSettings())
        left.write(b"from the left")
        assert await port.read() == b"from the left"
        await port.close()

        right.link(named)
        with pytest.raises(
            PermanentTransportError, match="another adapter is there: its serial number is A2, not A1"
        ):
            await open_transport(url, SerialSettings())

        left.link(named)
        port = await open_transport(url, SerialSettings())
        await port.close()


def test_an_adapter_at_another_place_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with adapters(tmp_path, monkeypatch, [LEFT]) as (left,):
        check_unit(left.path, None, "1-1.1")
        with pytest.raises(
            PermanentTransportError, match=r"its place is 1-1\.1, not 1-1\.2; put the adapters back"
        ):
            check_unit(left.path, None, "1-1.2")


def test_a_port_that_says_nothing_of_itself_is_not_the_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with adapters(tmp_path, monkeypatch, []):
        check_unit(str(tmp_path / "none"), "A1", None)
        (tmp_path / "there").touch()
        with pytest.raises(PermanentTransportError, match="serial number is not known"):
            check_unit(str(tmp_path / "there"), "A1", None)


async def test_where_nothing_is_the_open_says_so(tmp_path: Path) -> None:
    with pytest.raises(TransientTransportError, match="no such port"):
        await open_transport(f"serial:{tmp_path}/none?serial=A1", SerialSettings())
