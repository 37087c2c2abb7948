"""Which serial ports there are, what they are plugged in by, and whether one is the unit that a line was given.

A path such as ``/dev/ttyUSB0`` says in which order things were plugged in. The links below ``/dev/serial`` say
what and where: ``by-id`` the adapter, ``by-path`` its place. Adapters without a serial number share one name by
id, and the last to be plugged in has it.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

from bridge.transports.errors import PermanentTransportError

LINKS = Path("/dev/serial")
BY_ID, BY_PATH = "by-id", "by-path"
_NOT_KNOWN = ("", "n/a", None)
"""What pyserial describes a port as, of which the system tells nothing."""
_IN_ORDER_OF_PLUGGING = re.compile(r"/dev/tty(USB|ACM)\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialAdapter:
    """A serial port; what USB says of it is None where it is no adapter on USB."""

    path: str
    title: str
    vendor: int | None = None
    product: int | None = None
    serial: str | None = None
    place: str | None = None
    """Bus and ports, as ``1-1.4``."""
    names: tuple[str, ...] = ()
    """Links that lead to it and do not change, by id first."""


def serial_adapters() -> list[SerialAdapter]:
    """Return the serial ports of this machine that have something behind them."""
    names = _links(LINKS)
    return [
        SerialAdapter(
            path=port.device,
            title="a serial port" if port.description in _NOT_KNOWN else port.description,
            vendor=port.vid,
            product=port.pid,
            serial=port.serial_number,
            place=port.location.partition(":")[0] if port.location else None,
            names=tuple(name for name, target in names if target == os.path.realpath(port.device)),
        )
        for port in sorted(list_ports.comports())
    ]


def is_in_order_of_plugging(path: str) -> bool:
    """Say whether a path may be another device's after the next start."""
    return _IN_ORDER_OF_PLUGGING.fullmatch(path) is not None


def twins(adapter: SerialAdapter, others: Iterable[SerialAdapter]) -> list[SerialAdapter]:
    """Return adapters elsewhere that cannot be told from this one by what they are, only by where."""
    return [
        other
        for other in others
        if adapter.vendor is not None
        and other.place != adapter.place
        and (other.vendor, other.product, other.serial) == (adapter.vendor, adapter.product, adapter.serial)
    ]


def lasting_name(adapter: SerialAdapter, others: Iterable[SerialAdapter]) -> str:
    """Return the best name for a configuration: by id where that is one unit's, else by place, else the path."""
    by_id = [name for name in adapter.names if f"/{BY_ID}/" in name]
    by_place = [name for name in adapter.names if f"/{BY_PATH}/" in name]
    if adapter.serial is None or twins(adapter, others):
        by_id = []
    return next(iter([*by_id, *by_place]), adapter.path)


def check_unit(path: str, serial: str | None, place: str | None) -> None:
    """Raise ``PermanentTransportError`` if an adapter other than the one that was named is at a path.

    Where nothing is, nothing is said: opening it will.
    """
    target = os.path.realpath(path)
    if not Path(target).exists():
        return
    here = next((adapter for adapter in serial_adapters() if adapter.path == target), None)
    for wanted, found, what in (
        (serial, here and here.serial, "serial number"),
        (place, here and here.place, "place"),
    ):
        if wanted is not None and found != wanted:
            raise PermanentTransportError(
                f"{path}: another adapter is there: its {what} is {found or 'not known'}, not {wanted}; put the "
                "adapters back where they belong, or correct the port in the table's configuration"
            )


def _links(folder: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for kind in (BY_ID, BY_PATH):
        try:
            entries = sorted((folder / kind).iterdir())
        except OSError:
            continue
        found += [(str(entry), os.path.realpath(entry)) for entry in entries]
    return found
