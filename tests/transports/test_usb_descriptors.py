from bridge.transports.usb_descriptors import configuration_descriptor, device_descriptor, interfaces

CONFIGURATION = bytes.fromhex(
    "09 02 3B 00 02 01 00 A0 32"
    "09 04 00 00 01 03 01 01 00" "09 21 11 01 00 01 22 3F 00" "07 05 81 03 08 00 0A"
    "09 04 01 00 01 03 01 02 00" "09 21 11 01 00 01 22 32 00" "07 05 82 03 08 00 0A"
)  # fmt: skip
"""A keyboard with a mouse in it, of the kind that appendix E of the HID specification 1.11 describes."""


def test_a_device_is_described_with_its_place() -> None:
    raw = bytes.fromhex("12 01 00 02 00 00 00 40 C5 0F 80 B0 39 00 01 02 03 01")
    device = vars(device_descriptor(raw, bus=1, address=7, port_numbers=(1, 4)))

    assert (device["idVendor"], device["idProduct"], device["bcdDevice"]) == (0x0FC5, 0xB080, 0x0039)
    assert (device["bMaxPacketSize0"], device["iSerialNumber"], device["bNumConfigurations"]) == (64, 3, 1)
    assert (device["bus"], device["address"], device["port_number"], device["port_numbers"]) == (1, 7, 4, (1, 4))


def test_a_configuration_is_described() -> None:
    configuration = vars(configuration_descriptor(CONFIGURATION))

    assert configuration["wTotalLength"] == len(CONFIGURATION)
    assert (configuration["bNumInterfaces"], configuration["bConfigurationValue"]) == (2, 1)
    assert (configuration["bmAttributes"], configuration["bMaxPower"]) == (0xA0, 50)


def test_interfaces_have_their_own_endpoints_and_what_their_class_says_besides() -> None:
    keyboard, mouse = interfaces(CONFIGURATION)

    assert [vars(one.descriptor)["bInterfaceNumber"] for one in (keyboard, mouse)] == [0, 1]
    assert [vars(one.descriptor)["bInterfaceProtocol"] for one in (keyboard, mouse)] == [1, 2]
    assert bytes(vars(keyboard.descriptor)["extra_descriptors"]) == bytes.fromhex("09 21 11 01 00 01 22 3F 00")
    assert bytes(vars(mouse.descriptor)["extra_descriptors"]) == bytes.fromhex("09 21 11 01 00 01 22 32 00")
    ((of_keyboard,), (of_mouse,)) = keyboard.endpoints, mouse.endpoints
    assert (vars(of_keyboard)["bEndpointAddress"], vars(of_mouse)["bEndpointAddress"]) == (0x81, 0x82)
    assert (vars(of_mouse)["wMaxPacketSize"], vars(of_mouse)["bInterval"]) == (8, 10)
