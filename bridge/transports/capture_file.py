"""The file that a capture is kept in: text, a chunk of bytes a line, documented here and nowhere else.

    table-bridge capture 1
    line rs485
    serial 9600 8N1
    unit 1 modbus_io8 debounce_polls=2 active_low=false
    started 2026-11-29T20:15:00.250000Z
    0 opened
    812 > 01 02 00 00 00 08 79 CC
    17034 < 01 02 01 20 A0 50
    910034 gone /dev/ttyUSB0: the port is gone

First the version of the format, then what is known of the line (a ``unit`` for each device: its address, its
profile, and the parameters that it was run with), then what happened: microseconds since the start, which never
fall, and ``>`` for bytes to the device, ``<`` for bytes from it, ``opened``, ``closed``, or ``gone`` with the
reason. A line that begins with ``#`` is for people. A capture of a card reader holds cards that were hidden.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from bridge.clock import in_zone, timestamp_of
from bridge.domain.errors import BridgeError
from bridge.domain.identity import Timestamp
from bridge.wire.spec import Parity, SerialSettings

VERSION_LINE = "table-bridge capture 1"
_SERIAL = re.compile(r"(\d{1,9}) ([5-8])([NEO])([12])", re.ASCII)
_EVENT = re.compile(r"(\d{1,18}) (>|<|opened|closed|gone)(?: (.*))?", re.ASCII)


class CaptureError(BridgeError):
    """A capture cannot be read, or cannot be written; the message says where, and what to do."""


class Happening(StrEnum):
    """What a line of a capture tells."""

    TO_DEVICE = ">"
    FROM_DEVICE = "<"
    OPENED = "opened"
    CLOSED = "closed"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened on the line."""

    at_us: int
    """Since the start of the capture."""
    what: Happening
    data: bytes = b""
    reason: str = ""
    place: int = 0
    """The number of its line in the file; 0 for one that was not read from a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedUnit:
    """One device of the line."""

    address: int
    profile: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    """As they are printed; their types are those of the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureHead:
    """What is known of the line."""

    line: str
    serial: SerialSettings
    units: tuple[CapturedUnit, ...]
    started: Timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureFile:
    """A whole capture."""

    name: str
    """The file, for messages."""
    head: CaptureHead
    events: tuple[Event, ...]


def print_head(head: CaptureHead) -> str:
    """Return the lines that a capture begins with."""
    serial = head.serial
    started = in_zone(head.started).isoformat(timespec="microseconds")
    return "".join(
        f"{line}\n"
        for line in (
            VERSION_LINE,
            f"line {head.line}",
            f"serial {serial.baud} {serial.data_bits}{serial.parity}{serial.stop_bits}",
            *(_print_unit(unit) for unit in head.units),
            f"started {started.removesuffix('+00:00')}Z",
        )
    )


def _print_unit(unit: CapturedUnit) -> str:
    parameters = (shlex.quote(f"{name}={value}") for name, value in unit.parameters.items())
    return " ".join(("unit", str(unit.address), unit.profile, *parameters))


def print_event(event: Event) -> str:
    """Return the line of an event."""
    rest = event.data.hex(" ").upper() if event.data else " ".join(event.reason.split())
    return f"{event.at_us} {event.what}{' ' if rest else ''}{rest}\n"


def read_capture(path: Path) -> CaptureFile:
    """Read a capture; raise ``CaptureError`` with file, line, what is there and what was expected."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.readline(_SHOWN + 1)
            if text.startswith(VERSION_LINE):  # What is no capture may have no end.
                text += file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise CaptureError(f"{path}: cannot be read ({reason}); expected a capture") from error
    return _Reader(path).read(text)


class _Reader:
    """Reads one file, line by line, and knows where it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = 0
        self._line = ""
        self._now_us = 0

    def read(self, text: str) -> CaptureFile:
        lines = text.splitlines()
        self._next(lines[0] if lines else "")
        if self._line != VERSION_LINE:
            raise self._error(f"{VERSION_LINE!r}, the first line of a capture that this version can read")
        found: dict[str, str] = {}
        units: list[CapturedUnit] = []
        events: list[Event] = []
        for line in lines[1:]:
            self._next(line)
            if not line.strip() or line.startswith("#"):
                continue
            if line[0].isdecimal():
                events.append(self._event())
            elif events:
                raise self._error("what happened: microseconds, then <, >, opened, closed or gone")
            else:
                word, _, rest = line.partition(" ")
                if word == "unit":
                    units.append(self._unit(rest))
                elif word in {"line", "serial", "started"}:
                    found[word] = rest
                    self._check(word, rest)
                else:
                    raise self._error("line, serial, unit or started, or the first thing that happened")
        if text and not text.endswith("\n"):
            raise self._error("a whole line; the file ends inside it: delete it to use what is before")
        return CaptureFile(name=str(self._path), head=self._head(found, tuple(units)), events=tuple(events))

    def _next(self, line: str) -> None:
        self._place += 1
        self._line = line

    def _head(self, found: Mapping[str, str], units: tuple[CapturedUnit, ...]) -> CaptureHead:
        missing = [word for word in ("line", "serial", "started") if word not in found] + ["unit"] * (not units)
        if missing:
            raise CaptureError(f"{self._path}: got no line that begins with {missing[0]}, expected one at the top")
        return CaptureHead(
            line=found["line"],
            serial=self._serial(found["serial"]),
            units=units,
            started=self._started(found["started"]),
        )

    def _check(self, word: str, rest: str) -> None:
        """Read a line of the head while it is known where it stands."""
        if word == "serial":
            self._serial(rest)
        elif word == "started":
            self._started(rest)
        elif not rest:
            raise self._error("the name of the line behind it")

    def _serial(self, text: str) -> SerialSettings:
        found = _SERIAL.fullmatch(text)
        if found is None:
            raise self._error("serial settings such as serial 9600 8N1")
        baud, data_bits, parity, stop_bits = found.groups()
        return SerialSettings(
            baud=int(baud), data_bits=int(data_bits), parity=Parity(parity), stop_bits=int(stop_bits)
        )

    def _started(self, text: str) -> Timestamp:
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            at = None
        if at is None or at.tzinfo is None:
            raise self._error("a time such as started 2026-11-29T20:15:00.250000Z")
        return timestamp_of(at)

    def _unit(self, text: str) -> CapturedUnit:
        try:
            address, profile, *rest = shlex.split(text)
            parameters = dict(word.split("=", 1) for word in rest)
            return CapturedUnit(address=int(address), profile=profile, parameters=parameters)
        except ValueError:
            raise self._error("a unit such as unit 1 modbus_io8 active_low=false") from None

    def _event(self) -> Event:
        found = _EVENT.fullmatch(self._line)
        if found is None:
            raise self._error("microseconds, then <, >, opened, closed or gone")
        at_us, what, rest = int(found[1]), Happening(found[2]), found[3] or ""
        if at_us < self._now_us:
            raise self._error(f"a time that is not before {self._now_us}, that of the line before")
        self._now_us = at_us
        if what not in {Happening.FROM_DEVICE, Happening.TO_DEVICE}:
            return Event(at_us=at_us, what=what, reason=rest, place=self._place)
        try:
            data = bytes.fromhex(rest)
        except ValueError:
            data = b""
        if not data:
            raise self._error(f"bytes in hexadecimal behind {what}, two digits a byte")
        return Event(at_us=at_us, what=what, data=data, place=self._place)

    def _error(self, expected: str) -> CaptureError:
        got = self._line if len(self._line) <= _SHOWN else f"{self._line[:_SHOWN]}..."
        return CaptureError(f"{self._path}:{self._place}: got {got!r}, expected {expected}")


_SHOWN = 80
"""As much of a faulty line as finds it again."""
