import dataclasses
from dataclasses import replace

import pytest

from bridge.transports.addresses import SocketAddress
from bridge.wire.spec import UsbMatch
from tests.drivers.lines import SPEC, Scripted, device


def test_a_line_is_a_value_and_its_family_makes_its_codec() -> None:
    scripted = Scripted()
    line = scripted.line("/dev/ttyUSB0", device(1), device(2))
    line.family.codec([each.unit for each in line.devices])

    assert [unit.address for unit in scripted.codecs[0].units] == [1, 2]
    with pytest.raises(dataclasses.FrozenInstanceError):
        line.url = "/dev/ttyUSB1"  # type: ignore[misc]


def test_a_line_on_usb_is_opened_as_its_profile_knows_the_device() -> None:
    on_usb = device(1)
    match = UsbMatch(vendors=(0x05F3,), products=(0x0405,))
    on_usb = replace(on_usb, unit=replace(on_usb.unit, spec=replace(SPEC, usb=match)))
    line = Scripted().line("usb:?serial=A17", on_usb)

    assert line.full_url == "usb:05F3:0405?serial=A17"
    assert Scripted().line("/dev/ttyUSB0", on_usb).full_url == "/dev/ttyUSB0"


def test_where_a_line_is_or_nothing_if_its_port_is_not_written_as_one() -> None:
    scripted = Scripted()
    assert scripted.line("socket://box:4001", device(1)).address == SocketAddress(host="box", port=4001)
    assert scripted.line("soket://box:4001", device(1)).address is None
