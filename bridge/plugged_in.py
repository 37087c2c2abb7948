"""What is plugged into this machine: by a name that lasts, what it fits, and what keeps it from being used."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bridge.drivers.line import Line
from bridge.profiles.load import installed_profiles, load_installed
from bridge.transports.addresses import SerialPath, parse_url
from bridge.transports.errors import TransportError
from bridge.transports.port_holders import port_holders
from bridge.transports.serial_adapters import (
    SerialAdapter,
    is_in_order_of_plugging,
    lasting_name,
    serial_adapters,
    twins,
)
from bridge.transports.serial_port import permission_remedy
from bridge.transports.usb_address import UsbAddress
from bridge.transports.usb_bus import UsbUnit, open_bus, plugged_in
from bridge.transports.usb_errors import USB_FAILURES, explained
from bridge.wire.spec import DeviceSpec, UsbMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class PluggedIn:
    """One thing that is plugged in, or the reason why nothing can be seen."""

    port: str
    """How a table names it, by a name that lasts as far as there is one; empty where nothing can be seen."""
    kind: str
    """``serial`` or ``usb``."""
    ids: str | None
    """Vendor and product, hexadecimal; None for a serial port that is no adapter on USB."""
    serial: str | None
    place: str | None
    title: str
    profiles: tuple[str, ...]
    """Device models that it is, by its ids; an adapter does not say what is behind it."""
    lines: tuple[str, ...]
    """Lines of the table that name it."""
    used_by: tuple[str, ...]
    """Who has it open, as far as that can be seen."""
    problems: tuple[str, ...]
    """What keeps it from being used, or from being told from another, each with what to do."""


def look(*, lines: Sequence[Line] = (), bus: str | None = None) -> list[PluggedIn]:
    """Return what is plugged in; ``lines`` are those of a table, ``bus`` is the socket of a simulated bus.

    The simulated buses that lines name are looked at too.
    """
    adapters = serial_adapters() if bus is None else []
    found = [_serial_port(adapter, adapters, lines) for adapter in adapters]
    buses = dict.fromkeys([bus, *(address.bus for line in lines if (address := _usb_of(line)))])
    for one in buses:
        on_it = [line for line in lines if (address := _usb_of(line)) and address.bus == one]
        seen = _usb_devices(UsbAddress(match=UsbMatch(), bus=one), on_it)
        # That USB cannot be looked at is no matter of a table without a device on it.
        found += seen if on_it or not lines else [each for each in seen if each.port]
    return found


def missing(lines: Iterable[Line], found: Sequence[PluggedIn]) -> list[Line]:
    """Return the lines of a table whose port is none of what is plugged in; device servers are not looked for."""
    seen = {line for one in found for line in one.lines}
    return [line for line in lines if line.name not in seen and _is_plugged(line)]


# --- serial ports ---


def _serial_port(adapter: SerialAdapter, adapters: Sequence[SerialAdapter], lines: Sequence[Line]) -> PluggedIn:
    name = lasting_name(adapter, adapters)
    named = [(line, address) for line in lines if (address := _serial_of(line)) and _leads_to(address, adapter)]
    problems = []
    if not os.access(adapter.path, os.R_OK | os.W_OK):
        problems.append(f"no permission to open it; {permission_remedy(adapter.path)}")
    same = twins(adapter, adapters)
    if same and adapter.serial is not None:
        places = " and ".join(twin.place or twin.path for twin in same)
        problems.append(f"the unit at {places} has the same serial number; name both by their place, as {name}")
    problems += [
        f"line {line.name} names it {address.path}, which may be another port tomorrow; write {name}"
        for line, address in named
        if is_in_order_of_plugging(address.path) and name != address.path
    ]
    return PluggedIn(
        port=name,
        kind="serial",
        ids=None if adapter.vendor is None else f"{adapter.vendor:04X}:{adapter.product or 0:04X}",
        serial=adapter.serial,
        place=adapter.place,
        title=adapter.title,
        profiles=(),
        lines=tuple(line.name for line, _ in named),
        used_by=port_holders(adapter.path),
        problems=tuple(problems),
    )


def _serial_of(line: Line) -> SerialPath | None:
    try:
        address = parse_url(line.url)
    except TransportError:
        return None
    return address if isinstance(address, SerialPath) else None


def _leads_to(address: SerialPath, adapter: SerialAdapter) -> bool:
    return os.path.realpath(address.path) == os.path.realpath(adapter.path)


# --- devices on USB ---


def _usb_devices(everywhere: UsbAddress, lines: Sequence[Line]) -> list[PluggedIn]:
    """Return the devices that a profile fits, or a line names; of a machine without the library, how to get it."""
    specs = [spec for name in installed_profiles() if (spec := load_installed(name)).usb is not None]
    try:
        units = plugged_in(open_bus(everywhere))
    except TransportError as error:
        return [_nothing_seen(str(error))]
    except USB_FAILURES as error:
        return [_nothing_seen(str(explained(everywhere.url, error, "the bus is looked at")))]
    found = []
    for unit in units:
        fitting = [spec for spec in specs if spec.usb and spec.usb.vendors and spec.usb.fits(*unit.ids)]
        named = [line for line in lines if (address := _usb_of(line)) and _may_mean(address, unit)]
        if fitting or named:
            found.append(_usb_device(unit, fitting, named, everywhere.bus))
    return _told_apart([_of_its_lines(one, lines) for one in found])


def _usb_device(unit: UsbUnit, fitting: Sequence[DeviceSpec], named: Sequence[Line], bus: str | None) -> PluggedIn:
    vendor, product = unit.ids
    address = UsbAddress(match=UsbMatch(vendors=(vendor,), products=(product,)), port=unit.port, bus=bus)
    serial, problems = None, []
    try:
        serial = unit.serial_number()
    except USB_FAILURES as error:
        problems.append(str(explained(address.url, error, "it is asked for its serial number", unit.ids)))
    if serial is not None:
        address = replace(address, serial=serial, port=None)
    return PluggedIn(
        port=address.url,
        kind="usb",
        ids=f"{vendor:04X}:{product:04X}",
        serial=serial,
        place=unit.port,
        title=fitting[0].title if fitting else "named by the table, and fits no installed profile",
        profiles=tuple(spec.profile for spec in fitting),
        lines=tuple(line.name for line in named),
        used_by=(),
        problems=tuple(problems),
    )


def _of_its_lines(one: PluggedIn, lines: Sequence[Line]) -> PluggedIn:
    """Leave out the lines that name another unit by its serial number."""
    wanted = {line.name: address.serial for line in lines if (address := _usb_of(line))}
    return replace(one, lines=tuple(name for name in one.lines if wanted[name] in {None, one.serial}))


def _told_apart(found: Sequence[PluggedIn]) -> list[PluggedIn]:
    """Name units with the same serial number by their place, and say so."""
    told = []
    for one in found:
        same = [
            other.place or ""
            for other in found
            if other is not one and one.serial is not None and (other.ids, other.serial) == (one.ids, one.serial)
        ]
        if same:
            address = parse_url(one.port)
            assert isinstance(address, UsbAddress)  # noqa: S101 - it was written a few lines above
            port = replace(address, serial=None, port=one.place).url
            why = (
                f"the unit at {' and '.join(same)} has the same serial number; name both by their place, as {port}"
            )
            told.append(replace(one, port=port, problems=(*one.problems, why)))
        else:
            told.append(one)
    return told


def _usb_of(line: Line) -> UsbAddress | None:
    try:
        address = parse_url(line.full_url)
    except TransportError:
        return None
    return address if isinstance(address, UsbAddress) else None


def _may_mean(address: UsbAddress, unit: UsbUnit) -> bool:
    return bool(address.match.vendors) and address.match.fits(*unit.ids) and address.port in {None, unit.port}


def _is_plugged(line: Line) -> bool:
    return _usb_of(line) is not None or _serial_of(line) is not None


def _nothing_seen(why: str) -> PluggedIn:
    return PluggedIn(
        port="",
        kind="usb",
        ids=None,
        serial=None,
        place=None,
        title="devices on USB cannot be seen",
        profiles=(),
        lines=(),
        used_by=(),
        problems=(why,),
    )
