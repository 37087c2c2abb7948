"""The lines of a table as its configuration names them: just enough to put its devices on ports.

What the channels mean is none of a simulator's business; the bridge checks the whole file.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId
from bridge.profiles import load_installed
from bridge.wire.spec import Unit
from simulators.table import TableLine

_T = TypeVar("_T")


class TableFileError(BridgeError):
    """A table's file does not say which devices are on which line."""


def read_lines(path: Path) -> tuple[TableLine, ...]:
    """Return the lines of a table; raise ``TableFileError`` for what is missing, by file and key."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TableFileError(f"{path}: cannot be read: {error}") from error
    devices: dict[str, list[tuple[DeviceId, Unit]]] = {
        _value(line, "id", str, f"{path}: line"): [] for line in _tables(document, "line", path)
    }
    for device in _tables(document, "device", path):
        where = f"{path}: device {device.get('id', '')}"
        line = _value(device, "line", str, where)
        if line not in devices:
            raise TableFileError(f"{where}: line: there is no line {line}; lines are {', '.join(devices)}")
        address = _value({"address": 0} | device, "address", int, where)
        unit = Unit(address=address, spec=load_installed(_value(device, "profile", str, where)))
        devices[line].append((DeviceId(_value(device, "id", str, where)), unit))
    for line, units in devices.items():
        if not units:
            raise TableFileError(f"{path}: line {line}: no device is on it")
    return tuple(
        TableLine(name=name, serial=units[0][1].spec.serial, devices=tuple(units))
        for name, units in devices.items()
    )


def _tables(document: Mapping[str, object], key: str, path: Path) -> list[dict[str, object]]:
    found = document.get(key)
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        raise TableFileError(f"{path}: {key}: missing; write at least one [[{key}]]")
    return found


def _value(table: Mapping[str, object], key: str, kind: type[_T], where: str) -> _T:
    value = table.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TableFileError(f"{where}: {key}: takes a {'text' if kind is str else 'whole number'}, not {value!r}")
    return value
