"""What a port is to the rest of the bridge, and the one way to get one."""

import asyncio
from typing import Protocol, assert_never

from bridge.transports.addresses import ReplayFile, Rfc2217Address, SerialPath, SocketAddress, parse_url
from bridge.transports.replay import open_replay
from bridge.transports.rfc2217_port import open_rfc2217
from bridge.transports.serial_adapters import check_unit
from bridge.transports.serial_port import open_serial_port
from bridge.transports.tcp import open_tcp
from bridge.transports.usb_address import UsbAddress
from bridge.wire.spec import SerialSettings


class Transport(Protocol):
    """A byte stream to a device."""

    async def read(self) -> bytes:
        """Wait for bytes and return whatever arrived; raise ``TransientTransportError`` when the port is gone.

        Bytes that arrived before the end are returned before it is raised. One reader at a time;
        cancelling it loses nothing.
        """

    def write(self, data: bytes) -> None:
        """Hand bytes to the port, at once if it takes them; a failure shows in ``read``."""

    async def close(self) -> None:
        """Release the port, so that it may be opened again; harmless when it is gone already."""


async def open_transport(url: str, settings: SerialSettings) -> Transport:
    """Open a port; raise ``TransientTransportError`` or ``PermanentTransportError``, which say what to do.

    ``settings`` are for serial ports; a device server keeps its own unless it speaks RFC 2217, and USB has none.
    """
    address = parse_url(url)
    match address:
        case SerialPath(path=path, serial=serial, place=place):
            if serial is not None or place is not None:
                await asyncio.to_thread(check_unit, path, serial, place)
            return await open_serial_port(path, settings)
        case SocketAddress(host=host, port=port):
            return await open_tcp(url, host, port)
        case UsbAddress():
            # The library of USB takes longest to import of all, and most tables are on serial lines.
            from bridge.transports.usb import open_usb  # noqa: PLC0415

            return await open_usb(address)
        case Rfc2217Address():
            return await open_rfc2217(url, settings)
        case ReplayFile(path=path, speed=speed):
            return await open_replay(path, speed)
        case _:
            assert_never(address)
