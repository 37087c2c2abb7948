"""What can be seen of a port without opening it: whether something has changed, so that opening it is worth a try.

udev makes, removes and permits the nodes of devices, so their nodes are looked at. A look is one system call for a
serial port and one for each device on USB, less than a millisecond in all: cheap enough to be done several times a
second by a line that is out of service, and true in containers too, where messages of udev do not arrive.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from bridge.transports.addresses import SerialPath, parse_url
from bridge.transports.errors import PermanentTransportError
from bridge.transports.usb_address import UsbAddress

NODES = Path("/dev/bus/usb")
"""Where the system keeps a node for each device on USB, by bus and address."""
SIMULATED_NODES = ".nodes"
"""What the folder of a simulated bus's nodes is called, after the name of its socket."""

Look = frozenset[tuple[str, int, int, int, int]]
"""Path, inode, last change, mode and group of each node: it differs when made anew or permitted, not when used."""


def look(url: str) -> Look:
    """Return what can be seen of a port, nothing where nothing is there; looks differ if something has changed."""
    try:
        address = parse_url(url)
    except PermanentTransportError:
        return frozenset()
    match address:
        case SerialPath(path=path):
            return _nodes([path])
        case UsbAddress(bus=None):
            return _nodes(_below(str(NODES)))
        case UsbAddress(bus=bus):
            return _nodes([str(bus), *_below(f"{bus}{SIMULATED_NODES}")])
        case _:
            return frozenset()


def _below(folder: str) -> list[str]:
    """Return every file below a folder."""
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]  # noqa: PTH118 - as below


def _nodes(paths: Iterable[str]) -> Look:
    found = []
    for path in paths:
        try:
            status = os.stat(path)  # noqa: PTH116 - a Path is dearer than the system call
        except OSError:  # not there, or a link that leads nowhere
            continue
        found.append((path, status.st_ino, status.st_ctime_ns, status.st_mode, status.st_gid))
    return frozenset(found)
