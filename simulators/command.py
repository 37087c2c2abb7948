"""``python -m simulators``: a simulated line on a port, or all the lines of a table, and a console to touch them.

python -m simulators modbus --units 1 2 --path /tmp/rs485
python -m simulators reader --tcp 4001
python -m simulators shoe --tcp 4002 --baud 4800
python -m simulators acceptors --units 2 3
python -m simulators modbus --rfc2217 4005
python -m simulators panel --profile xkeys_xk24 --tcp 4003
python -m simulators button --tcp 4004
python -m simulators device generic_line --path /tmp/box
python -m simulators device my_board.yaml --address 1 --path /tmp/board
python -m simulators table simulators/tables/blackjack.toml --directory /tmp/table
python -m simulators table simulators/tables/blackjack_usb.toml --on tcp
python -m simulators usb /tmp/usb-bus xkeys_xk24:A17@1-1.4 blinkstick@1-2
python -m simulators modbus --faults FILE.toml
"""

import argparse
import asyncio
import os
import shlex
import stat
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TextIO
from zlib import crc32

from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId
from bridge.profiles import load_named
from bridge.starting import open_missing_streams
from bridge.wire.spec import SerialSettings, Unit
from simulators.console import HELP, Console
from simulators.device import SimulatedLine
from simulators.fault_script import FaultScript, read_fault_script
from simulators.faults import Cables
from simulators.models import simulate_line
from simulators.pacing import UNPACED, Pacing
from simulators.port import Port, hosted
from simulators.pty_port import PtyPort
from simulators.rfc2217_port import Rfc2217Port
from simulators.running import running
from simulators.table_file import read_lines
from simulators.table_ports import Hosting, PortKind, TableLine, table_ports
from simulators.tcp_port import TcpPort
from simulators.trouble import Trouble
from simulators.usb_port import UsbPort
from simulators.usb_socket import UsbBus, usb_bus

_Touched = tuple[str, Port, Console]
"""A line's name, its port, and the console that touches it."""


class NotOnTheBusError(BridgeError):
    """A device cannot be put where the command line says."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the console ends; return the exit status: 0 done, 2 wrong use."""
    open_missing_streams()
    chosen = _parser().parse_args(arguments)
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(_run(chosen, sys.stdin))
    except (BridgeError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simulators", description="Simulated devices on real ports.")
    what = parser.add_subparsers(dest="what", required=True)
    modbus = what.add_parser("modbus", help="a line of 8-in/8-out Modbus RTU modules")
    modbus.add_argument("--units", type=int, nargs="+", default=[1], help="their addresses (default: 1)")
    modbus.set_defaults(profile="modbus_io8")
    reader = what.add_parser("reader", help="a card reader in line mode")
    reader.add_argument("--profile", default="hid_pos_reader", help="whose card codes it reads")
    shoe = what.add_parser("shoe", help="an Angel Eye II-EX baccarat shoe")
    shoe.add_argument("--profile", default="angel_eye_ii_ex", help="which checks it uses")
    acceptors = what.add_parser("acceptors", help="coin acceptors on one ccTalk wire")
    acceptors.add_argument("--units", type=int, nargs="+", default=[2], help="their addresses (default: 2)")
    acceptors.add_argument(
        "--profile", default="cctalk_acceptor", help="which coins they take, and how they speak"
    )
    panel = what.add_parser("panel", help="an X-keys panel or switch interface, its reports as records")
    panel.add_argument("--profile", default="xkeys_xk24", help="which model it is")
    button = what.add_parser("button", help="a Delcom lighted button, its reports as records")
    button.add_argument("--profile", default="delcom_switch", help="which model it is")
    device = what.add_parser("device", help="one device of any profile; those of USB speak in records of reports")
    device.add_argument("profile", help="which model it is: an installed one, or a file")
    device.add_argument("--address", dest="units", type=int, nargs=1, help="where it is on its line (default: 0)")
    for alone in (reader, shoe, panel, button, device):
        alone.set_defaults(units=[0])
    table = what.add_parser("table", help="every line of a table, each on a port; those on USB on a bus")
    table.add_argument("table", type=Path, help="the table's configuration")
    table.add_argument(
        "--directory",
        type=Path,
        default=Path(),
        help="folder for the ports, made if need be (default: here)",
    )
    table.add_argument(
        "--on",
        type=PortKind,
        choices=list(PortKind),
        default=PortKind.TERMINAL,
        help="what its lines are on that are not on USB (default: terminal)",
    )
    lines = (modbus, reader, shoe, acceptors, panel, button, device)
    for one in (*lines, table):
        one.add_argument(
            "--faults",
            type=Path,
            metavar="FILE.toml",
            help="what goes wrong when (see simulators/fault_script.py)",
        )
    for one in lines:
        port = one.add_mutually_exclusive_group()
        port.add_argument(
            "--path", type=Path, default=Path("simulated-line"), help="of the pseudo-terminal's link"
        )
        port.add_argument(
            "--tcp", type=_port_number, default=-1, metavar="PORT", help="listen here instead; 0 for any"
        )
        port.add_argument(
            "--rfc2217",
            type=_port_number,
            default=-1,
            metavar="PORT",
            help="the same, and let the bridge set it up",
        )
        one.add_argument(
            "--baud", type=_baud, default=0, help="let bytes take their time (default: they take none)"
        )
    usb = what.add_parser("usb", help="a USB bus behind a socket, with devices on it")
    usb.set_defaults(faults=None)
    usb.add_argument("socket", type=Path, help="what the bridge's ports name, as in usb:05F3:0405?bus=SOCKET")
    usb.add_argument(
        "devices", nargs="+", metavar="PROFILE[:SERIAL][@PLACE]", help="a device, its serial number and its port"
    )
    return parser


def _port_number(text: str) -> int:
    return _within(text, 65_535)


def _baud(text: str) -> int:
    return _within(text, 10_000_000)


def _within(text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not from 0 to {most}")
    return int(text)


async def _run(chosen: argparse.Namespace, stdin: TextIO) -> None:
    script = read_fault_script(chosen.faults) if chosen.faults else FaultScript()
    async with AsyncExitStack() as stack:
        consoles: dict[str, Console] = {}
        match chosen.what:
            case "table":
                ports = await stack.enter_async_context(_table(chosen, script.seed))
            case "usb":
                bus = await stack.enter_async_context(usb_bus(chosen.socket))
                ports = await _plugged_in(stack, _on_bus(bus, chosen.devices))
            case _:
                ports = await _plugged_in(stack, [_port(chosen, script.seed)])
        for name, port, console in ports:
            consoles[name] = console
            _say(f"{name} {port.url}")
        if stdin.isatty():
            _say(_welcome(chosen, ports))
        scripted = script.run(partial(_answer, consoles), _say)
        await stack.enter_async_context(running(scripted, name="fault script"))
        async for text in _lines(stdin):
            try:
                _say(_answer(consoles, text))
            except BridgeError as error:
                _say(str(error))


async def _plugged_in(stack: AsyncExitStack, ports: Sequence[_Touched]) -> Sequence[_Touched]:
    for _, port, _ in ports:
        await stack.enter_async_context(hosted(port))
    return ports


@asynccontextmanager
async def _table(chosen: argparse.Namespace, seed: int) -> AsyncIterator[Sequence[_Touched]]:
    """Put the lines of a table on ports."""
    lines = read_lines(chosen.table)
    simulated: dict[str, SimulatedLine] = {line.name: simulate_line(line, {}, {}) for line in lines}
    troubles = {line.name: _trouble(line, seed) for line in lines}
    cables: dict[str, Cables] = {name: trouble.cables for name, trouble in troubles.items()}
    async with table_ports(lines, simulated, _hosting(chosen, cables)) as ports:
        yield [(name, port, Console(port, simulated[name], troubles[name])) for name, port in ports.items()]


def _hosting(chosen: argparse.Namespace, cables: Mapping[str, Cables]) -> Hosting:
    chosen.directory.mkdir(parents=True, exist_ok=True)
    return Hosting(directory=chosen.directory, kind=chosen.on, cables=cables)


def _port(chosen: argparse.Namespace, seed: int) -> _Touched:
    """Return a line's name, port and console."""
    line = _line(chosen)
    simulated, trouble = simulate_line(line, {}, {}), _trouble(line, seed)
    pacing = Pacing.of(SerialSettings(baud=chosen.baud)) if chosen.baud else UNPACED
    if chosen.rfc2217 >= 0:
        port: Port = Rfc2217Port(
            simulated, baud=line.serial.baud, port=chosen.rfc2217, pacing=pacing, cables=trouble.cables
        )
    elif chosen.tcp >= 0:
        port = TcpPort(simulated, port=chosen.tcp, pacing=pacing, cables=trouble.cables)
    else:
        port = PtyPort(simulated, chosen.path, pacing=pacing, cables=trouble.cables)
    return chosen.what, port, Console(port, simulated, trouble)


def _trouble(line: TableLine, seed: int) -> Trouble:
    # The lines of a table are damaged each in its own way, the same way in every run.
    return Trouble(
        seed=seed + crc32(line.name.encode()),
        baud=line.serial.baud,
        protocol=line.devices[0][1].spec.protocol,
    )


def _on_bus(bus: UsbBus, devices: Sequence[str]) -> list[_Touched]:
    """Return the place, the port and the console of each device; those without a place are put in side by side."""
    found: list[_Touched] = []
    for number, device in enumerate(devices, start=1):
        named, _, place = device.partition("@")
        profile, _, serial = named.partition(":")
        spec = load_named(profile)
        if spec.usb is None:
            raise NotOnTheBusError(f"{device}: a {profile} is not on USB; put it on a line of its own")
        line = TableLine(
            name=profile, serial=spec.serial, devices=((DeviceId(profile), Unit(address=0, spec=spec)),)
        )
        simulated = simulate_line(line, {}, {})
        port = UsbPort.of(spec, simulated, bus, serial=serial or None, place=place or f"1-{number}")
        if any(port.place == taken for taken, _, _ in found):
            raise NotOnTheBusError(f"{device}: two devices cannot be at {port.place}; give each its own place")
        found.append((port.place, port, Console(port, simulated)))
    return found


def _line(chosen: argparse.Namespace) -> TableLine:
    spec = load_named(chosen.profile)
    devices = tuple((DeviceId(f"{chosen.what}-{at}"), Unit(address=at, spec=spec)) for at in chosen.units)
    return TableLine(name=chosen.what, serial=spec.serial, devices=devices)


def _welcome(chosen: argparse.Namespace, ports: Sequence[_Touched]) -> str:
    """Return what a person at a terminal does next."""
    hint = "help tells what can be done here; Ctrl-D ends it"
    if chosen.what != "table":
        return hint
    options = " ".join(f"--port {shlex.quote(f'{name}={port.url}')}" for name, port, _ in ports)
    return f"table-bridge daemon {shlex.quote(str(chosen.table))} {options}\n{hint}"


def _answer(consoles: Mapping[str, Console], text: str) -> str:
    """Let the only line, or the one that the text names first, do what it says."""
    if len(consoles) == 1:
        return next(iter(consoles.values())).do(text)
    name, _, rest = text.strip().partition(" ")
    if name == "help":
        return f"{HELP}\nEverything begins with the name of a line: {', '.join(consoles)}."
    if name not in consoles:
        return f"begin with the name of a line: {', '.join(consoles)}; help tells what it does"
    return consoles[name].do(rest)


async def _lines(stdin: TextIO) -> AsyncIterator[str]:
    """Yield what a person types, or what a file says; end with it."""
    kind = os.fstat(stdin.fileno()).st_mode
    if not (stdin.isatty() or stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        for text in stdin:
            yield text
        return
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdin)
    try:
        while True:
            try:
                line = await reader.readline()
            except ValueError:  # and what has arrived of it is dropped
                _say("a line without an end says nothing to this device")
                continue
            if not line:
                return
            yield line.decode(errors="replace")
    finally:
        transport.close()


def _say(text: str) -> None:
    if text:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
