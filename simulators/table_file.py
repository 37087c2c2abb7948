"""The lines of a table as its configuration names them: just enough to put its devices on ports.

What the channels mean is none of a simulator's business; the bridge checks the whole file.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from bridge.documents.document import read_text
from bridge.documents.read_toml import toml_data
from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId
from bridge.profiles import load_named
from bridge.profiles.form import SerialForm
from bridge.profiles.load import serial_settings
from bridge.transports.addresses import parse_url
from bridge.transports.usb_address import UsbAddress, completed
from bridge.wire.spec import DeviceSpec, SerialSettings, Unit
from simulators.table_ports import TableLine

_T = TypeVar("_T")
_Table = Mapping[str, object]


class TableFileError(BridgeError):
    """A table's file does not say which devices are on which line."""


def read_lines(path: Path) -> tuple[TableLine, ...]:
    """Return the lines of a table; raise ``TableFileError`` for what is missing, by file and key.

    Raise ``DocumentError`` for a file that is no text and for a profile with faults, ``PermanentTransportError``
    for a port that is none.
    """
    try:
        document = toml_data(read_text(path)[1])
    except ValueError as error:
        raise TableFileError(f"{path}: not TOML: {error}") from error
    lines = {_value(line, "id", str, f"{path}: line"): line for line in _tables(document, "line", path)}
    devices: dict[str, list[tuple[DeviceId, Unit]]] = {line: [] for line in lines}
    for device in _tables(document, "device", path):
        where = f"{path}: device {device.get('id', '')}"
        line = _value(device, "line", str, where)
        if line not in devices:
            raise TableFileError(f"{where}: line: there is no line {line}; lines are {', '.join(devices)}")
        address = _value({"address": 0} | device, "address", int, where)
        spec = load_named(_value(device, "profile", str, where), path.parent)
        devices[line].append(
            (DeviceId(_value(device, "id", str, where)), Unit(address=address, spec=_set_up(spec, device)))
        )
    for name, units in devices.items():
        if not units:
            raise TableFileError(f"{path}: line {name}: no device is on it")
    return tuple(_line(name, lines[name], tuple(units), path) for name, units in devices.items())


def _line(name: str, line: _Table, devices: tuple[tuple[DeviceId, Unit], ...], path: Path) -> TableLine:
    spec = devices[0][1].spec
    address = parse_url(completed(_value(line, "port", str, f"{path}: line {name}"), spec.usb))
    return TableLine(
        name=name,
        serial=_serial(line, spec.serial, f"{path}: line {name}"),
        devices=devices,
        usb=address if isinstance(address, UsbAddress) else None,
    )


def _set_up(spec: DeviceSpec, device: _Table) -> DeviceSpec:
    """Return the model with the parameters that the table sets; those that it does not take are left out."""
    given = device.get("parameters")
    known = {
        name: value
        for name, value in (given if isinstance(given, dict) else {}).items()
        if name in spec.parameters and type(value) is type(spec.parameters[name])
    }
    return replace(spec, parameters={**spec.parameters, **known})


def _serial(line: _Table, base: SerialSettings, where: str) -> SerialSettings:
    try:
        return serial_settings(SerialForm.model_validate(line.get("serial", {})), base)
    except ValueError as error:
        raise TableFileError(f"{where}: serial: {error}") from error


def _tables(document: _Table, key: str, path: Path) -> list[dict[str, object]]:
    found = document.get(key)
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        raise TableFileError(f"{path}: {key}: missing; write at least one [[{key}]]")
    return found


def _value(table: _Table, key: str, kind: type[_T], where: str) -> _T:
    value = table.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TableFileError(f"{where}: {key}: takes a {'text' if kind is str else 'whole number'}, not {value!r}")
    return value
