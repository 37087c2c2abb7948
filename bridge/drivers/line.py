"""What a driver is given: one line, and the devices on it."""

from dataclasses import dataclass

from bridge.domain.chips import NO_CHIPS, ChipRegister
from bridge.domain.identity import DeviceId
from bridge.domain.setup import DeviceWiring
from bridge.transports.addresses import Address, parse_url
from bridge.transports.errors import PermanentTransportError
from bridge.transports.usb_address import completed
from bridge.wire.spec import ProtocolFamily, SerialSettings, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class LineDevice:
    """A device at its address, and what its channels mean."""

    device: DeviceId
    unit: Unit
    wiring: DeviceWiring
    register: ChipRegister = NO_CHIPS
    """What chips are worth, for a device that reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One port with one or more devices of one protocol family."""

    name: str
    url: str
    """``/dev/ttyUSB0``, ``socket://host:port``, ``usb:``: whatever ``open_transport`` takes."""
    serial: SerialSettings
    family: ProtocolFamily
    devices: tuple[LineDevice, ...]

    @property
    def full_url(self) -> str:
        """Return the URL to open: for a USB device with what its profile says of it."""
        return completed(self.url, self.devices[0].unit.spec.usb)

    @property
    def address(self) -> Address | None:
        """Return where its port is; None if its URL is not written as one."""
        try:
            return parse_url(self.full_url)
        except PermanentTransportError:
            return None
