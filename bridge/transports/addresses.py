"""How a port is written in the configuration: parsed once, into where it is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rfc2217Address:
    """A serial port behind a device server that takes its settings over the network."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFile:
    """A capture that is played instead of a device; ``speed`` divides its pauses, 0 leaves none."""

    path: str
    speed: float = 1


Address = SerialPath | SocketAddress | Rfc2217Address | ReplayFile | UsbAddress

_REPLAY = "replay:"
_DEVICE_SERVERS: Mapping[str, type[SocketAddress] | type[Rfc2217Address]] = MappingProxyType(
    {"socket": SocketAddress, "rfc2217": Rfc2217Address}
)


def parse_url(url: str) -> Address:
    """Return where a port is; raise ``PermanentTransportError`` if it is not written as one.

    ``/dev/ttyUSB0`` or ``serial:/dev/ttyUSB0`` is a serial port, with ``?serial=A50285BI`` or ``?port=1-1.4`` one
    of which the adapter must have this serial number, or be plugged in there. ``socket://host:port`` is a device
    server, ``rfc2217://host:port`` one that is told how to set its port up, ``usb:VENDOR:PRODUCT`` a device on
    USB (``usb_address``), ``replay:FILE`` or ``replay:FILE?speed=10`` a capture that is played.
    """
    if url.startswith(USB):
        return parse_usb(url)
    if url.startswith(_REPLAY):
        return _replay(url)
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
    kind = _DEVICE_SERVERS.get(parts.scheme)
    if kind is None:
        raise PermanentTransportError(
            f"{url}: {parts.scheme}:// is not known; write a path as /dev/ttyUSB0, socket://host:port, "
            "rfc2217://host:port, or usb:"
        )
    if not host or not port or parts.path.strip("/"):
        raise PermanentTransportError(
            f"{url}: not a host and a port; write both, and nothing more, as in socket://192.168.1.20:4001"
        )
    return kind(host=host, port=port)


def _replay(url: str) -> ReplayFile:
    path, _, speed = url.removeprefix(_REPLAY).partition("?speed=")
    try:
        found = ReplayFile(path=path, speed=float(speed or "1"))
    except ValueError:
        found = ReplayFile(path="")
    if not found.path or not math.isfinite(found.speed) or found.speed < 0:
        raise PermanentTransportError(
            f"{url}: not a capture and a speed; write a file, and a number from 0 up if it is to be faster, "
            "as in replay:rs485.capture?speed=10"
        )
    return found


def _serial_path(url: str) -> str:
    return url.removeprefix("serial:").partition("?")[0]
