"""What a USB device says of itself: its descriptors, byte by byte, as the bus lists them.

Source: Universal Serial Bus Specification 2.0, chapter 9; Device Class Definition for HID 1.11, chapters 6 and 7.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bridge.wire import hid_pos_reports
from bridge.wire.protocols import hid_pos
from bridge.wire.spec import DeviceSpec, UsbPipe

_DEVICE, _CONFIGURATION, _STRING, _INTERFACE, _ENDPOINT = 1, 2, 3, 4, 5
_HID, _REPORT = 0x21, 0x22
_HID_CLASS, _VENDOR_CLASS = 0x03, 0xFF
_BULK, _INTERRUPT = 2, 3
_ENGLISH = b"\x04\x03\x09\x04"
PACKET = 64
MAKER, PRODUCT, SERIAL = 1, 2, 3
"""Which string is which."""
_VENDOR_DEFINED = 0xFF00
_KEYBOARD = (0x01, 0x06)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbInterfaceModel:
    """One interface."""

    endpoints: tuple[tuple[int, int], ...]
    """Address and longest packet of each."""
    report_descriptor: bytes = b""
    """Empty for an interface that is not HID."""
    boots: bool = False
    """Whether it is a keyboard that a machine understands as it starts."""
    has_driver: bool = False
    """Whether a driver of the system takes it when it is plugged in, as it does with everything that is HID."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbModel:
    """A device as it is made."""

    vendor: int
    product: int
    release: int = 0x0100
    strings: Mapping[int, str] = field(default_factory=dict)
    interfaces: tuple[UsbInterfaceModel, ...]

    @property
    def device_descriptor(self) -> bytes:
        """The device descriptor."""
        ids = b"".join(_word(number) for number in (self.vendor, self.product, self.release))
        names = bytes(name if name in self.strings else 0 for name in (MAKER, PRODUCT, SERIAL))
        return bytes((18, _DEVICE)) + _word(0x0200) + bytes((0, 0, 0, PACKET)) + ids + names + b"\x01"

    @property
    def configuration_descriptor(self) -> bytes:
        """The configuration with everything in it."""
        inside = b"".join(_interface(number, one) for number, one in enumerate(self.interfaces))
        head = bytes((9, _CONFIGURATION)) + _word(9 + len(inside)) + bytes((len(self.interfaces), 1, 0, 0x80, 50))
        return head + inside

    def string_descriptor(self, number: int) -> bytes | None:
        """Return a string as it is asked for; string 0 says the language. None for one that there is not."""
        if number == 0:
            return _ENGLISH
        text = self.strings.get(number)
        if text is None:
            return None
        said = text.encode("utf-16-le")
        return bytes((2 + len(said), _STRING)) + said


def model_of(spec: DeviceSpec, *, serial: str | None = None) -> UsbModel:
    """Return the device of a profile, as its makers' documents or drivers describe it.

    A profile without vendor or product ids is a device of ids that are nobody's.
    """
    match = spec.usb
    vendor = match.vendors[0] if match and match.vendors else 0xFFFE
    product = match.products[0] if match and match.products else 0x0001
    strings = {MAKER: "simulated", PRODUCT: spec.title} | ({} if serial is None else {SERIAL: serial})
    return UsbModel(vendor=vendor, product=product, strings=strings, interfaces=_interfaces(spec))


def report_descriptor(
    page: int,
    usage: int,
    *,
    inputs: Mapping[int, int],
    outputs: int = 0,
    features: Mapping[int, int] | None = None,
) -> bytes:
    """Return the descriptor of one collection; reports are length by number, without it; number 0 for none."""
    items = bytearray(b"\x06" + _word(page) + b"\x0a" + _word(usage) + b"\xa1\x01\x15\x00\x26\xff\x00\x75\x08")
    for lengths, main in ((inputs, 0x81), ({0: outputs} if outputs else {}, 0x91), (features or {}, 0xB1)):
        for number, length in lengths.items():
            items += bytes((0x85, number)) if number else b""
            items += b"\x96" + _word(length) + b"\x09\x01" + bytes((main, 0x02))
    return bytes(items + b"\xc0")


def _interfaces(spec: DeviceSpec) -> tuple[UsbInterfaceModel, ...]:
    match = spec.usb
    if match is not None and match.pipe is UsbPipe.BULK:
        # The Prism has one way only; endpoint 2 is what its drivers write to.
        return (UsbInterfaceModel(endpoints=((0x02, PACKET),)),)
    page = match.usage_page if match and match.usage_page is not None else _VENDOR_DEFINED
    usage = match.usage if match and match.usage is not None else 1
    match spec.protocol, spec.parameters.get("mode"):
        case "xkeys", _:
            length = int(spec.parameters["report_bytes"])
            panel = report_descriptor(page, usage, inputs={0: length}, outputs=35)
            return (_hid(panel, PACKET, out=True), _keyboard())
        case "delcom_switch", _:
            numbered = dict.fromkeys((8, 10, 100, 101), 7) | {102: 15}
            return (_hid(report_descriptor(page, usage, inputs={1: 7}, features=numbered), 8),)
        case "blinkstick", _:
            lengths = {1: 3, 2: 32, 3: 32, 4: 1, 5: 5, 6: 25, 7: 49, 8: 97, 9: 193}
            return (_hid(report_descriptor(page, usage, inputs={1: 3}, features=lengths), 8),)
        case "hid_pos", hid_pos.WEDGE:
            return (_keyboard(),)
        case "hid_pos", hid_pos_reports.HONEYWELL | hid_pos_reports.NEWLAND:
            return (_hid(report_descriptor(page, usage, inputs={2: 63}, features={0xFE: 1}), PACKET),)
        case _:
            return (_hid(report_descriptor(page, usage, inputs={0: 64}, outputs=64), PACKET, out=True),)


def _hid(descriptor: bytes, packet: int, *, out: bool = False) -> UsbInterfaceModel:
    endpoints = ((0x81, packet), *(((0x01, packet),) if out else ()))
    return UsbInterfaceModel(endpoints=endpoints, report_descriptor=descriptor, has_driver=True)


def _keyboard() -> UsbInterfaceModel:
    return UsbInterfaceModel(
        endpoints=((0x82, 8),),
        report_descriptor=report_descriptor(*_KEYBOARD, inputs={0: 8}),
        boots=True,
        has_driver=True,
    )


def _interface(number: int, model: UsbInterfaceModel) -> bytes:
    is_hid = bool(model.report_descriptor)
    kind = bytes((_HID_CLASS if is_hid else _VENDOR_CLASS, model.boots, model.boots))
    said = bytes((9, _INTERFACE, number, 0, len(model.endpoints))) + kind + b"\x00"
    if is_hid:
        said += bytes((9, _HID)) + _word(0x0111) + bytes((0, 1, _REPORT)) + _word(len(model.report_descriptor))
    for address, packet in model.endpoints:
        said += bytes((7, _ENDPOINT, address, _INTERRUPT if is_hid else _BULK)) + _word(packet) + b"\x0a"
    return said


def _word(number: int) -> bytes:
    return number.to_bytes(2, "little")
