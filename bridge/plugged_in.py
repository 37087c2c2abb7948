"""What is plugged into this machine: by a name that lasts, what it fits, and what keeps it from being used."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.drivers.line import Line
from bridge.profiles.load import installed_profiles, load_installed
from bridge.transports.addresses import SerialPath, parse_url
from bridge.transports.errors import TransportError
from bridge.transports.port_holders import port_holders
from bridge.transports.presence import NODES
from bridge.transports.serial_adapters import (
    SerialAdapter,
    check_unit,
    is_in_order_of_plugging,
    lasting_name,
    serial_adapters,
    twins,
)
from bridge.transports.serial_port import no_such_port, permission_remedy
from bridge.transports.usb_address import UsbAddress
from bridge.transports.usb_bus import UsbUnit, find_unit, open_bus, plugged_in
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
    """Return what is plugged in; ``lines`` are those of a table.

    ``bus`` is the socket of a simulated bus, in place of the buses and serial ports of this machine, for the lines
    too; the simulated buses that they name are looked at in any case.
    """
    adapters = serial_adapters() if bus is None else []
    ports = [*adapters, *(_unlisted(lines, adapters) if bus is None else ())]
    found = [_serial_port(port, adapters, lines) for port in ports]
    buses = dict.fromkeys([bus, *(address.bus for line in lines if (address := _usb_of(line, bus)))])
    for one in buses:
        on_it = [line for line in lines if (address := _usb_of(line, bus)) and address.bus == one]
        seen = _usb_devices(UsbAddress(match=UsbMatch(), bus=one), on_it)
        # That USB cannot be looked at is no matter of a table without a device on it.
        found += seen if on_it or not lines else [each for each in seen if each.port]
    return found


def out_of_reach(lines: Iterable[Line], *, bus: str | None = None) -> list[tuple[Line, str]]:
    """Return the lines of a table whose unit is not there, or cannot be told, each with why and what to do.

    Device servers are not looked for; nor are serial ports, where a simulated ``bus`` stands for everything.
    """
    return [(line, why) for line in lines if (why := _why_out_of_reach(line, bus))]


def _why_out_of_reach(line: Line, bus: str | None) -> str:
    """Return what the daemon would say on opening a line, as far as looking tells it; nothing if all is well."""
    try:
        match line.address:
            case SerialPath(path=path) as address if bus is None:
                if not Path(path).exists():
                    raise no_such_port(path)
                check_unit(path, address.serial, address.place)
            case UsbAddress():
                unit = _usb_of(line, bus)
                assert unit is not None  # noqa: S101 - it is one
                find_unit(unit, open_bus(unit))
            case _:
                pass
    except TransportError as error:
        return str(error)
    return ""


# --- serial ports ---


def _serial_port(adapter: SerialAdapter, adapters: Sequence[SerialAdapter], lines: Sequence[Line]) -> PluggedIn:
    name = lasting_name(adapter, adapters)
    named = [
        (line, address)
        for line in lines
        if isinstance(address := line.address, SerialPath) and _leads_to(address, adapter)
    ]
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


def _unlisted(lines: Sequence[Line], adapters: Sequence[SerialAdapter]) -> list[SerialAdapter]:
    """Return the ports that lines name and the system does not list, such as pseudo-terminals."""
    listed = {os.path.realpath(adapter.path) for adapter in adapters}
    named = [os.path.realpath(one.path) for line in lines if isinstance(one := line.address, SerialPath)]
    return [
        SerialAdapter(path=path, title="a port that the system does not list")
        for path in dict.fromkeys(named)
        if path not in listed and Path(path).exists()
    ]


def _leads_to(address: SerialPath, adapter: SerialAdapter) -> bool:
    return os.path.realpath(address.path) == os.path.realpath(adapter.path)


# --- devices on USB ---


def _usb_devices(everywhere: UsbAddress, lines: Sequence[Line]) -> list[PluggedIn]:
    """Return the devices that a profile fits, or a line names; of a machine without the library, how to get it."""
    specs = [spec for name in installed_profiles() if (spec := load_installed(name)).usb is not None]
    try:
        units = plugged_in(open_bus(everywhere))
    except TransportError as error:
        return [_nothing_seen(str(error).removeprefix(f"{everywhere.url}: "))]
    except USB_FAILURES as error:
        why = str(explained(everywhere.url, error, "the bus is looked at"))
        return [_nothing_seen(why.removeprefix(f"{everywhere.url}: "))]
    found = []
    for unit in units:
        fitting = [spec for spec in specs if spec.usb and spec.usb.vendors and spec.usb.fits(*unit.ids)]
        named = [line for line in lines if (address := _usb_of(line, everywhere.bus)) and _may_mean(address, unit)]
        if fitting or named:
            found.append(_usb_device(unit, fitting, named, everywhere.bus))
    return _told_apart([_of_its_lines(one, lines) for one in found])


def _usb_device(unit: UsbUnit, fitting: Sequence[DeviceSpec], named: Sequence[Line], bus: str | None) -> PluggedIn:
    vendor, product = unit.ids
    address = UsbAddress(match=UsbMatch(vendors=(vendor,), products=(product,)), port=unit.port, bus=bus)
    serial, problems = None, []
    try:
        unit.open_once()
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
        used_by=() if bus is not None else port_holders(str(unit.node(NODES))),
        problems=tuple(problems),
    )


def _of_its_lines(one: PluggedIn, lines: Sequence[Line]) -> PluggedIn:
    """Leave out the lines that name another unit by its serial number."""
    wanted = {line.name: address.serial for line in lines if isinstance(address := line.address, UsbAddress)}
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


def _may_mean(address: UsbAddress, unit: UsbUnit) -> bool:
    return bool(address.match.vendors) and address.match.fits(*unit.ids) and address.port in {None, unit.port}


def _usb_of(line: Line, bus: str | None) -> UsbAddress | None:
    """Return the unit that a line asks for; on a simulated bus, if that stands for the machine's own."""
    address = line.address
    if not isinstance(address, UsbAddress):
        return None
    return address if bus is None or address.bus is not None else replace(address, bus=bus)


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
