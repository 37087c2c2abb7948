import pytest

from bridge.profiles import installed_profiles, load_installed
from bridge.wire.hid_descriptor import read_report_descriptor
from bridge.wire.spec import UsbPipe
from simulators.usb_model import PRODUCT, SERIAL, model_of, report_descriptor

ON_USB = [name for name in installed_profiles() if load_installed(name).usb is not None]


def test_a_descriptor_of_the_simulator_reads_as_the_bridge_reads_descriptors() -> None:
    raw = report_descriptor(0xFF00, 2, inputs={1: 7, 2: 63}, outputs=35, features={100: 7})
    descriptor = read_report_descriptor(raw)

    assert descriptor.usages == {(0xFF00, 2)}
    assert descriptor.numbered
    assert descriptor.input_length == 64


@pytest.mark.parametrize("name", ON_USB)
def test_a_device_of_every_profile_has_an_interface_that_fits_it(name: str) -> None:
    spec = load_installed(name)
    match = spec.usb
    assert match is not None
    model = model_of(spec, serial="A17")
    fitting = [
        interface
        for interface in model.interfaces
        if (
            not interface.report_descriptor
            if match.pipe is UsbPipe.BULK
            else read_report_descriptor(interface.report_descriptor).has(match.usage_page, match.usage)
        )
    ]

    assert match.fits(model.vendor, model.product)
    assert fitting
    assert len(model.device_descriptor) == model.device_descriptor[0] == 18
    assert int.from_bytes(model.configuration_descriptor[2:4], "little") == len(model.configuration_descriptor)


def test_strings_are_those_that_it_has() -> None:
    model = model_of(load_installed("xkeys_xk24"))

    assert model.string_descriptor(0) == bytes.fromhex("04 03 09 04")
    assert (model.string_descriptor(PRODUCT) or b"")[2:].decode("utf-16-le") == "X-keys XK-24 panel"
    assert model.string_descriptor(SERIAL) is None
    assert model.device_descriptor[14:17] == bytes((1, 2, 0))


def test_a_model_without_ids_of_its_own_has_those_of_nobody() -> None:
    assert model_of(load_installed("hid_pos_wedge")).vendor == 0xFFFE
    assert model_of(load_installed("modbus_io8")).product == 0x0001
