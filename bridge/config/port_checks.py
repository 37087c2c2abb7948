"""Whether each line has a port that can be opened, and one that no other line may mean.

A device that two lines may mean is found by the one that is opened first, and its positions move with it. So what
cannot be told apart by what the document says is refused, whatever is plugged in at the moment.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from bridge.config.devices import FoundDevice
from bridge.config.form import PORT
from bridge.config.uniqueness import check_unique
from bridge.documents.document import KeyPath, print_path
from bridge.documents.inspection import ABSENT, Inspection
from bridge.drivers.line import Line
from bridge.transports.addresses import Address, Rfc2217Address, SerialPath, SocketAddress, parse_url
from bridge.transports.errors import PermanentTransportError
from bridge.transports.serial_adapters import is_in_order_of_plugging
from bridge.transports.usb_address import SCHEME as USB, UsbAddress, completed
from bridge.wire.spec import DeviceSpec, UsbPipe

_ANOTHER = "a port that means no device of another line"
_TOLD_APART = (
    "give both a serial number, or both a place, as in usb:?serial=A17 or usb:?port=1-1.4 "
    "(table-bridge devices tells them)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Port:
    """The port of a line, as far as the document and the profile of the first device on it say."""

    place: KeyPath
    address: Address


def check_ports(inspection: Inspection, devices: Sequence[FoundDevice]) -> None:
    """Note what is wrong with the ports of lines, each by itself and beside the others."""
    places = [(*place, "port") for place in inspection.places(("line",))]
    # What usb: alone means is the profile's to say, and so another device on another line.
    named = [place for place in places if not str(inspection.value(place, str)).startswith(USB)]
    check_unique(inspection, named, "a port that no other line has")
    ports: list[_Port] = []
    for line, place in zip(inspection.places(("line",)), places, strict=True):
        address = _address(inspection, place, _spec_on(inspection, line, devices))
        if address is None:
            continue
        for other in ports:
            why = _may_be_one(other.address, address)
            if why:
                hint = f"{print_path(other.place)} may mean the same one; {why}"
                inspection.fault(place, _ANOTHER, hint=hint)
                break
        ports.append(_Port(place=place, address=address))


def port_advice(lines: Sequence[Line]) -> list[str]:
    """Return what had better be changed about the ports of a table that can be played with them all the same."""
    return [
        f"line {line.name}: {address.path} is named in the order of plugging, and may be another port after the "
        "next start; write its name in /dev/serial/by-id or /dev/serial/by-path (table-bridge devices tells it)"
        for line in lines
        if isinstance(address := line.address, SerialPath) and is_in_order_of_plugging(address.path)
    ]


def _spec_on(inspection: Inspection, line: KeyPath, devices: Sequence[FoundDevice]) -> DeviceSpec | None:
    """Return the profile of the first device on a line; None if it is not known."""
    name = inspection.value((*line, "id"), str)
    for place in inspection.places(("device",)):
        if name is not ABSENT and inspection.value((*place, "line"), str) == name:
            return next((device.spec for device in devices if device.place == place), None)
    return None


def _address(inspection: Inspection, place: KeyPath, spec: DeviceSpec | None) -> Address | None:
    """Return where a port is; None if it has a fault, which is noted, or if that depends on a profile with one."""
    url = inspection.value(place, str)
    if url is ABSENT:
        return None
    try:
        address = parse_url(completed(url, None if spec is None else spec.usb))
    except PermanentTransportError as error:
        inspection.fault(place, PORT, hint=str(error).removeprefix(f"{url}: ").removeprefix(f"{url!r}: "))
        return None
    if not isinstance(address, UsbAddress):
        return address
    if spec is None:
        return None
    if spec.usb is None and address.match.pipe is UsbPipe.HID:
        hint = f"{spec.profile} has no section usb; is it behind an adapter, or is the profile another one?"
        inspection.fault(place, "a serial port, or a device server", hint=hint)
        return None
    if not address.match.vendors:
        hint = f"{spec.profile} says neither; table-bridge devices tells what is plugged in"
        inspection.fault(place, "vendor and product of the device, as in usb:05F3:0405", hint=hint)
        return None
    return address


def _may_be_one(one: Address, other: Address) -> str:
    """Return what to do about two ports that may mean one device; nothing if they cannot."""
    match one, other:
        case SerialPath(), SerialPath():
            target = os.path.realpath(other.path)
            if os.path.realpath(one.path) == target:
                return f"both lead to {target}; write for each line the name of its own adapter"
        case SocketAddress() | Rfc2217Address(), SocketAddress() | Rfc2217Address():
            if (one.host, one.port) == (other.host, other.port):
                return "write for each line the device server, or its port, that is its own"
        case UsbAddress(), UsbAddress():
            if one.bus == other.bus and _ids_meet(one, other) and _same_unit(one, other):
                return _TOLD_APART
        case _:
            pass
    return ""


def _ids_meet(one: UsbAddress, other: UsbAddress) -> bool:
    """Say whether a device may have ids of both. Its interfaces are left aside: it is one line's as a whole."""
    vendors = set(one.match.vendors) & set(other.match.vendors)
    products = set(one.match.products) & set(other.match.products)
    return bool(vendors) and (bool(products) or not one.match.products or not other.match.products)


def _same_unit(one: UsbAddress, other: UsbAddress) -> bool:
    """Say whether neither serial number nor place tells two units apart."""
    pairs = ((one.serial, other.serial), (one.port, other.port))
    return all(None in pair or pair[0] == pair[1] for pair in pairs)
