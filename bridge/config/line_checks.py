"""Which devices may share a line, and at which addresses."""

from collections.abc import Sequence

from bridge.config.devices import FoundDevice
from bridge.config.uniqueness import check_unique
from bridge.documents.document import KeyPath, print_path
from bridge.documents.inspection import ABSENT, Inspection
from bridge.wire.spec import ProtocolFamily


def check_lines(inspection: Inspection, devices: Sequence[FoundDevice]) -> None:
    """Note what is wrong with lines, and with the devices on them."""
    lines = inspection.places(("line",))
    check_unique(inspection, [(*place, "id") for place in lines], "a name that no other line has")
    _check_references(inspection, lines)
    for place in lines:
        name = inspection.value((*place, "id"), str)
        here = [device for device in devices if inspection.value((*device.place, "line"), str) == name]
        if name is ABSENT or not here:
            continue
        _check_neighbours(inspection, place, here)
        _check_addresses(inspection, here)


def _check_references(inspection: Inspection, lines: Sequence[KeyPath]) -> None:
    """Require every device's line to exist, and every line to have a device."""
    devices = inspection.places(("device",))
    names = {name: place for place in lines if (name := inspection.value((*place, "id"), str)) is not ABSENT}
    if len(names) == len(lines):
        for device in devices:
            path = (*device, "line")
            if inspection.value(path, str) not in {*names, ABSENT}:
                inspection.fault(path, "the name of a line", valid=names)
    used = [inspection.value((*device, "line"), str) for device in devices]
    if ABSENT in used:
        return
    for name, place in names.items():
        if name not in used:
            inspection.fault((*place, "id"), "a line that a device is on", hint="take the line out")


def _check_neighbours(inspection: Inspection, line: KeyPath, devices: Sequence[FoundDevice]) -> None:
    """Require one protocol on a line, and one way to open it unless the line itself says how."""
    first = devices[0]
    settled = bool(inspection.places((*line, "serial")))
    for device in devices[1:]:
        path = (*device.place, "profile")
        if device.spec.protocol != first.spec.protocol:
            hint = f"{print_path(first.place)} on the same line speaks it; put the device on a line of its own"
            inspection.fault(path, f"a profile of protocol {first.spec.protocol}", hint=hint)
        elif device.spec.serial != first.spec.serial and not settled:
            inspection.fault(
                path,
                f"a profile that opens the line as {first.spec.profile} does",
                hint="set the devices alike and say how in [line.serial]",
            )


def _check_addresses(inspection: Inspection, devices: Sequence[FoundDevice]) -> None:
    shared: list[KeyPath] = []
    alone: dict[str, KeyPath] = {}
    for device in devices:
        path = (*device.place, "address")
        if len(device.family.addresses) > 1:
            _check_address(inspection, path, device.family)
            shared.append(path)
            continue
        if inspection.value(path, int) not in {ABSENT, device.family.addresses[0]}:
            inspection.fault(path, f"no address, as {device.family.name} has none", hint="take it out")
        if device.family.name in alone:
            hint = f"{print_path(alone[device.family.name])} is on it already; give this one a line of its own"
            inspection.fault(
                (*device.place, "line"), f"a line with one device, as {device.family.name} asks", hint=hint
            )
        alone.setdefault(device.family.name, device.place)
    check_unique(inspection, shared, "an address that no other device on the line has")


def _check_address(inspection: Inspection, path: KeyPath, family: ProtocolFamily) -> None:
    """Require an address that the protocol allows; it has no default on a line that devices share."""
    address = inspection.value(path, int)
    allowed = f"an address of {family.name}, {family.addresses[0]} to {family.addresses[-1]}"
    if address is ABSENT:
        if inspection.sound(path):
            inspection.fault(path, allowed)
    elif address not in family.addresses:
        inspection.fault(path, allowed)
