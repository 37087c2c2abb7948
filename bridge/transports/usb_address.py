"""How a USB device is written in the configuration.

    usb:                               whatever fits the profile of the line's device
    usb:05F3:0405                      vendor and product, hexadecimal; several with commas, no product for any
    usb:05F3:0405?serial=A17           the unit with this serial number
    usb:05F3:0405?port=1-1.4           the unit at this place: bus, then the port of each hub on the way
    usb:05F3:0405?usage=000C:0001      the interface with this HID usage page and usage
    usb:8765:1234?pipe=bulk            plain bytes over bulk endpoints, instead of HID reports
    usb:05F3:0405?bus=/tmp/usb         a simulated bus, behind this socket

What is left out is taken from the profile, as far as that says it (``completed``).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote

from bridge.transports.errors import PermanentTransportError
from bridge.wire.spec import UsbMatch, UsbPipe

SCHEME = "usb:"
_KEYS = ("serial", "port", "usage", "pipe", "bus")
_ID = re.compile(r"[0-9A-Fa-f]{4}")
_PORT = re.compile(r"\d+-\d+(\.\d+)*")
_EXAMPLE = "write it as in usb:05F3:0405?serial=A17"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbAddress:
    """A USB device, by what it is and which unit of it."""

    match: UsbMatch
    serial: str | None = None
    """The serial number of the one unit that is meant; None if any."""
    port: str | None = None
    """The place where it is plugged in, as ``1-1.4``; None if any."""
    bus: str | None = None
    """The socket of a simulated bus; None for the buses of this machine."""

    @property
    def url(self) -> str:
        """Return the address as ``parse_usb`` reads it."""
        match = self.match
        ids = ",".join(map(_hex, match.vendors)) + (":" if match.products else "")
        given = {
            "serial": self.serial,
            "port": self.port,
            "usage": None
            if match.usage_page is None
            else _hex(match.usage_page) + ("" if match.usage is None else f":{_hex(match.usage)}"),
            "pipe": None if match.pipe is UsbPipe.HID else match.pipe.value,
            "bus": self.bus,
        }
        query = "&".join(
            f"{key}={quote(value, safe='/:', errors='surrogateescape')}"
            for key, value in given.items()
            if value is not None
        )
        return f"{SCHEME}{ids}{','.join(map(_hex, match.products))}{'?' if query else ''}{query}"


def parse_usb(url: str) -> UsbAddress:
    """Return which device a URL means; raise ``PermanentTransportError`` if it is not written as one."""
    ids = url.removeprefix(SCHEME).partition("?")[0]
    given = query_of(url, _KEYS)
    vendors, _, products = ids.partition(":")
    page, _, usage = given.get("usage", "").partition(":")
    pipe = given.get("pipe", UsbPipe.HID.value)
    if pipe not in list(UsbPipe):
        raise PermanentTransportError(f"{url}: {pipe} is no pipe; write pipe={UsbPipe.HID} or pipe={UsbPipe.BULK}")
    return UsbAddress(
        match=UsbMatch(
            vendors=_ids(url, vendors),
            products=_ids(url, products),
            usage_page=next(iter(_ids(url, page)), None),
            usage=next(iter(_ids(url, usage)), None),
            pipe=UsbPipe(pipe),
        ),
        serial=given.get("serial"),
        port=given.get("port"),
        bus=given.get("bus"),
    )


def query_of(url: str, keys: Sequence[str]) -> dict[str, str]:
    """Return what stands behind the question mark; raise ``PermanentTransportError`` for any but these keys."""
    query = url.partition("?")[2]
    try:
        pairs = parse_qsl(query, strict_parsing=True) if query else []
    except ValueError as error:
        raise PermanentTransportError(f"{url}: {error}; write it as in ?serial=A17") from error
    given = dict(pairs)
    unknown = [key for key in given if key not in keys]
    if unknown or len(given) < len(pairs):
        what = f"{unknown[0]} is not known" if unknown else "a key is given twice"
        raise PermanentTransportError(f"{url}: {what}; keys are {', '.join(keys)}, each once")
    port = given.get("port")
    if port is not None and not _PORT.fullmatch(port):
        raise PermanentTransportError(f"{url}: {port} is no port; write bus and ports, as in port=1-1.4")
    return given


def completed(url: str, profile: UsbMatch | None) -> str:
    """Return the URL with what it leaves out and a profile says; any other URL, or a faulty one, as it is."""
    if profile is None or not url.startswith(SCHEME):
        return url
    try:
        address = parse_usb(url)
    except PermanentTransportError:
        return url
    match = address.match
    if not match.vendors:
        match = replace(match, vendors=profile.vendors, products=profile.products)
    if match.usage_page is None:
        match = replace(match, usage_page=profile.usage_page, usage=profile.usage)
    if "pipe=" not in url:
        match = replace(match, pipe=profile.pipe)
    return replace(address, match=match).url


def _ids(url: str, text: str) -> tuple[int, ...]:
    parts = text.split(",") if text else []
    for part in parts:
        if not _ID.fullmatch(part):
            raise PermanentTransportError(f"{url}: {part!r} is not four hexadecimal digits; {_EXAMPLE}")
    return tuple(int(part, 16) for part in parts)


def _hex(number: int) -> str:
    return f"{number:04X}"
