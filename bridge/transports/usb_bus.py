"""What is plugged in, and which unit of it an address means.

Looking opens nothing, but for serial numbers, which a device is asked for. Nothing here waits for long, and all of
it blocks: call it on a thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import usb.backend.libusb1
import usb.core
import usb.util
from usb.backend import IBackend

from bridge.transports.errors import PermanentTransportError, TransientTransportError, TransportError
from bridge.transports.usb_address import UsbAddress
from bridge.transports.usb_errors import USB_FAILURES, explained, no_libusb
from bridge.transports.usb_socket_backend import SocketBackend


@dataclass(frozen=True, slots=True, eq=False)
class UsbUnit:
    """One device on a bus."""

    device: usb.core.Device

    @property
    def ids(self) -> tuple[int, int]:
        """Vendor and product."""
        return self.device.idVendor, self.device.idProduct

    @property
    def port(self) -> str:
        """The place where it is plugged in, as the system writes it: ``1-1.4``."""
        return f"{self.device.bus}-{'.'.join(map(str, self.device.port_numbers))}"

    def node(self, nodes: Path) -> Path:
        """Return what the system has for it, below the folder of the nodes."""
        return nodes / f"{self.device.bus:03d}" / f"{self.device.address:03d}"

    def open_once(self) -> None:
        """Open the device and close it again, which disturbs nobody who has it; raises what the library raises."""
        try:
            self.device.get_active_configuration()
        except usb.core.USBError as error:
            if error.errno is not None:  # without a number: it has no configuration yet, and is open all the same
                raise
        finally:
            usb.util.dispose_resources(self.device)

    def serial_number(self) -> str | None:
        """Ask the device for its serial number; None if it has none. Raises what the library raises."""
        if not self.device.iSerialNumber:
            return None
        try:
            # Asked for directly: the library's own way takes a missing permission for a missing language.
            languages = usb.util.get_langids(self.device)
            number = self.device.iSerialNumber
            return str(usb.util.get_string(self.device, number, languages[0])) if languages else None
        finally:
            usb.util.dispose_resources(self.device)


def open_bus(address: UsbAddress) -> IBackend:
    """Return the library's way to the bus of an address; raise ``TransportError`` if there is none."""
    if address.bus is not None:
        return SocketBackend(address.bus)
    backend = usb.backend.libusb1.get_backend()
    if backend is None:
        raise no_libusb(address.url)
    return backend


def plugged_in(backend: IBackend) -> list[UsbUnit]:
    """Return the devices of a bus by place, hubs that are part of the machine left out."""
    found = [UsbUnit(device) for device in usb.core.find(find_all=True, backend=backend) if device.port_numbers]
    return sorted(found, key=lambda unit: (unit.device.bus, unit.device.port_numbers))


def find_unit(address: UsbAddress, backend: IBackend) -> UsbUnit:
    """Return the one unit that an address means.

    Raise ``TransientTransportError`` if it is not there, ``PermanentTransportError`` if another is in its place,
    or several may be meant: the wrong unit is worse than none.
    """
    if not address.match.vendors:
        raise PermanentTransportError(
            f"{address.url}: names no device, and neither does its profile; write vendor and product as in "
            "usb:05F3:0405"
        )
    try:
        everything = plugged_in(backend)
    except USB_FAILURES as error:
        raise explained(address.url, error, "the bus is looked at") from error
    fitting = [unit for unit in everything if address.match.fits(*unit.ids)]
    here = fitting if address.port is None else [unit for unit in fitting if unit.port == address.port]
    meant = (
        here if address.serial is None else [unit for unit in here if _serial_of(unit, address) == address.serial]
    )
    match meant:
        case [unit]:
            return unit
        case []:
            raise _missing(address, everything, fitting, here)
        case several:
            raise _ambiguous(address, several)


def _serial_of(unit: UsbUnit, address: UsbAddress) -> str | None:
    try:
        return unit.serial_number()
    except USB_FAILURES as error:
        raise explained(address.url, error, "it is asked for its serial number", unit.ids) from error


def _missing(
    address: UsbAddress, everything: Sequence[UsbUnit], fitting: Sequence[UsbUnit], here: Sequence[UsbUnit]
) -> TransportError:
    url = address.url
    in_its_place = [unit for unit in everything if unit.port == address.port]
    if here:  # so the serial number differs
        seen = ", ".join(f"{_serial_of(unit, address) or 'none'} at {unit.port}" for unit in here)
        if address.port is not None:
            return PermanentTransportError(
                f"{url}: another unit is in its place (serial number {seen}); put the units back where they "
                "belong, or correct the serial number in the table's configuration"
            )
        return TransientTransportError(
            f"{url}: no unit with this serial number is plugged in (there is {seen}); plug it in, or correct the "
            "serial number in the table's configuration"
        )
    if in_its_place:
        vendor, product = in_its_place[0].ids
        return PermanentTransportError(
            f"{url}: another device is in its place ({vendor:04X}:{product:04X}); put the devices back where they "
            "belong, or correct the port in the table's configuration"
        )
    elsewhere = ", ".join(unit.port for unit in fitting)
    return TransientTransportError(
        f"{url}: no such device is plugged in{f' there, but one is at {elsewhere}' if elsewhere else ''}; "
        "plug it in, or correct the port in the table's configuration (table-bridge devices shows what is there)"
    )


def _ambiguous(address: UsbAddress, several: Sequence[UsbUnit]) -> TransportError:
    places = " and ".join(unit.port for unit in several)
    if address.serial is not None:
        return PermanentTransportError(
            f"{address.url}: the units at {places} have the same serial number; tell them apart by their "
            f"place, as in port={several[0].port}, or exchange one"
        )
    return PermanentTransportError(
        f"{address.url}: the units at {places} all fit; say which is meant, as in "
        f"port={several[0].port} or serial=..."
    )
