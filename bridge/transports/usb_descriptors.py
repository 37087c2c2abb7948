"""Descriptors of a USB device, cut out of their bytes with the names that the USB library has for their fields.

The shapes are those of the USB 2.0 specification, section 9.6.
"""

from dataclasses import dataclass, field

_INTERFACE, _ENDPOINT = 4, 5
"""Types of descriptors."""


class Descriptor:
    """The fields of a descriptor, as attributes."""

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface and its endpoints."""

    descriptor: Descriptor
    endpoints: list[Descriptor] = field(default_factory=list)


def device_descriptor(raw: bytes, *, bus: int, address: int, port_numbers: tuple[int, ...]) -> Descriptor:
    """Return the device descriptor, with the place on the bus."""
    return Descriptor(
        bLength=raw[0],
        bDescriptorType=raw[1],
        bcdUSB=_word(raw, 2),
        bDeviceClass=raw[4],
        bDeviceSubClass=raw[5],
        bDeviceProtocol=raw[6],
        bMaxPacketSize0=raw[7],
        idVendor=_word(raw, 8),
        idProduct=_word(raw, 10),
        bcdDevice=_word(raw, 12),
        iManufacturer=raw[14],
        iProduct=raw[15],
        iSerialNumber=raw[16],
        bNumConfigurations=raw[17],
        bus=bus,
        address=address,
        port_number=port_numbers[-1],
        port_numbers=port_numbers,
        speed=None,
    )


def configuration_descriptor(raw: bytes) -> Descriptor:
    """Return the descriptor that a configuration begins with."""
    return Descriptor(
        bLength=raw[0],
        bDescriptorType=raw[1],
        wTotalLength=_word(raw, 2),
        bNumInterfaces=raw[4],
        bConfigurationValue=raw[5],
        iConfiguration=raw[6],
        bmAttributes=raw[7],
        bMaxPower=raw[8],
        extra_descriptors=[],
    )


def interfaces(configuration: bytes) -> list[Interface]:
    """Return the interfaces of a configuration with their endpoints."""
    found: list[Interface] = []
    extra = bytearray()
    at = configuration[0]
    while at < len(configuration):
        raw = configuration[at : at + configuration[at]]
        if raw[1] == _INTERFACE:
            extra = bytearray()
            found.append(Interface(_interface_descriptor(raw, extra)))
        elif raw[1] == _ENDPOINT:
            found[-1].endpoints.append(_endpoint_descriptor(raw))
        else:
            extra += raw
        at += configuration[at]
    return found


def _interface_descriptor(raw: bytes, extra: bytearray) -> Descriptor:
    """Return the descriptor of an interface; ``extra`` is filled with those of its class, which follow it."""
    return Descriptor(
        bLength=raw[0],
        bDescriptorType=raw[1],
        bInterfaceNumber=raw[2],
        bAlternateSetting=raw[3],
        bNumEndpoints=raw[4],
        bInterfaceClass=raw[5],
        bInterfaceSubClass=raw[6],
        bInterfaceProtocol=raw[7],
        iInterface=raw[8],
        extra_descriptors=extra,
    )


def _endpoint_descriptor(raw: bytes) -> Descriptor:
    return Descriptor(
        bLength=raw[0],
        bDescriptorType=raw[1],
        bEndpointAddress=raw[2],
        bmAttributes=raw[3],
        wMaxPacketSize=_word(raw, 4),
        bInterval=raw[6],
        bRefresh=0,
        bSynchAddress=0,
        extra_descriptors=[],
    )


def _word(raw: bytes, at: int) -> int:
    return int.from_bytes(raw[at : at + 2], "little")
