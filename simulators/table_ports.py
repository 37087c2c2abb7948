"""Where the lines of a table are: each on a pseudo-terminal or a TCP port of its own, or on one simulated USB bus.

What a line's port says in the table's file decides for USB: a unit is what its line asks for, with these ids, this
serial number, at this place. All others go where whoever simulates them wants them.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path
from types import MappingProxyType

from bridge.domain.identity import DeviceId
from bridge.transports.usb_address import UsbAddress
from bridge.wire.spec import SerialSettings, Unit
from simulators.device import SimulatedLine
from simulators.faults import Cables
from simulators.pacing import UNPACED, Pacing
from simulators.port import SOUND, Port, hosted
from simulators.pty_port import PtyPort
from simulators.rfc2217_port import Rfc2217Port
from simulators.tcp_port import TcpPort
from simulators.usb_port import UsbPort
from simulators.usb_socket import usb_bus

USB_BUS = "usb-bus"
"""What the socket of the bus is called, in the directory of the ports."""


class PortKind(StrEnum):
    """On what the lines are that are not on USB."""

    TERMINAL = "terminal"
    TCP = "tcp"
    RFC2217 = "rfc2217"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """One line of the table: its name, how it is opened, and what is on it."""

    name: str
    serial: SerialSettings
    devices: tuple[tuple[DeviceId, Unit], ...]
    usb: UsbAddress | None = None
    """The unit that the table asks for, with what its profile says; None for a line that is not on USB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """How the lines of a table are put on ports."""

    directory: Path
    """Where the links of pseudo-terminals go, and the socket of the bus."""
    kind: PortKind = PortKind.TERMINAL
    paced: bool = True
    """Whether bytes take the time that the line's baud rate gives them; on USB they take none."""
    cables: Mapping[str, Cables] = field(default_factory=lambda: MappingProxyType({}))
    """Those that are not sound, by the name of the line."""


@asynccontextmanager
async def table_ports(
    lines: Sequence[TableLine], simulated: Mapping[str, SimulatedLine], hosting: Hosting
) -> AsyncIterator[dict[str, Port]]:
    """Put lines on ports, by their names, for as long as the body; ``simulated`` is what is on each."""
    places = _places(lines)
    async with AsyncExitStack() as stack:
        bus = await stack.enter_async_context(usb_bus(hosting.directory / USB_BUS)) if places else None
        ports: dict[str, Port] = {}
        for line in lines:
            on_line = simulated[line.name]
            if bus is not None and line.usb is not None:
                spec, cables = line.devices[0][1].spec, hosting.cables.get(line.name, SOUND)
                port: Port = UsbPort.named(line.usb, spec, on_line, bus, place=places[line.name], cables=cables)
            else:
                port = _serial_port(line, on_line, hosting)
            ports[line.name] = await stack.enter_async_context(hosted(port))
        yield ports


def _serial_port(line: TableLine, on_line: SimulatedLine, hosting: Hosting) -> Port:
    pacing = Pacing.of(line.serial) if hosting.paced else UNPACED
    cables = hosting.cables.get(line.name, SOUND)
    match hosting.kind:
        case PortKind.TCP:
            return TcpPort(on_line, pacing=pacing, cables=cables)
        case PortKind.RFC2217:
            return Rfc2217Port(on_line, baud=line.serial.baud, pacing=pacing, cables=cables)
        case PortKind.TERMINAL:
            return PtyPort(on_line, hosting.directory / line.name, pacing=pacing, cables=cables)


def _places(lines: Sequence[TableLine]) -> dict[str, str]:
    """Return where on the bus each unit is plugged in: where its line asks for it, the others side by side."""
    on_usb = [(line.name, line.usb.port) for line in lines if line.usb is not None]
    free = _side_by_side(taken={place for _, place in on_usb})
    return {name: next(free) if place is None else place for name, place in on_usb}


def _side_by_side(taken: set[str | None]) -> Iterator[str]:
    return (place for number in count(1) if (place := f"1-{number}") not in taken)
