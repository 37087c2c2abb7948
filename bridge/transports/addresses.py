"""How a port is written in the configuration: parsed once, into where it is."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from bridge.transports.errors import PermanentTransportError
from bridge.transports.usb_address import SCHEME as USB, UsbAddress, parse_usb, query_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialPath:
    """A serial port by its path, or by its name where ports have names."""

    path: str
    serial: str | None = None
    """The serial number of the adapter that must be there; None if any may."""
    place: str | None = None
    """Where the adapter must be plugged in, as ``1-1.4``; None if anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketAddress:
    """A serial line behind a device server."""

    host: str
    port: int


Address = SerialPath | SocketAddress | UsbAddress


def parse_url(url: str) -> Address:
    """Return where a port is; raise ``PermanentTransportError`` if it is not written as one.

    ``/dev/ttyUSB0`` or ``serial:/dev/ttyUSB0`` is a serial port, with ``?serial=A50285BI`` or ``?port=1-1.4`` one
    of which the adapter must have this serial number, or be plugged in there. ``socket://host:port`` is a device
    server, ``usb:VENDOR:PRODUCT`` a device on USB (``usb_address``).
    """
    if url.startswith(USB):
        return parse_usb(url)
    if "://" not in url:
        path, given = _serial_path(url), query_of(url, ("serial", "port"))
        if not path:
            raise PermanentTransportError(f"{url!r}: no path; write it as in serial:/dev/ttyUSB0")
        return SerialPath(path=path, serial=given.get("serial"), place=given.get("port"))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise PermanentTransportError(f"{url}: {error}; write it as in socket://192.168.1.20:4001") from error
    if parts.scheme != "socket":
        raise PermanentTransportError(
            f"{url}: {parts.scheme}:// is not known; write a path as /dev/ttyUSB0, socket://host:port, or usb:"
        )
    if not host or not port or parts.path.strip("/"):
        raise PermanentTransportError(
            f"{url}: not a host and a port; write both, and nothing more, as in socket://192.168.1.20:4001"
        )
    return SocketAddress(host=host, port=port)


def _serial_path(url: str) -> str:
    return url.removeprefix("serial:").partition("?")[0]
