"""A simulated USB bus behind a unix socket: the devices on it, who has opened which, and what the system holds.

The bridge reaches it through its own USB library (``bridge.transports.usb_socket_backend``), from any process. The
rules are those of a Linux machine: a driver of the system that has an interface keeps others out, a claim belongs
to whoever opened the device, and a device that was pulled out is gone for every handle.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bridge.transports.presence import SIMULATED_NODES
from bridge.transports.usb_socket_calls import Message, UsbCall, UsbFault, decode, encode
from simulators.port import PathTakenError
from simulators.usb_model import UsbModel

_TO_AN_INTERFACE = 1
_RECIPIENT = 0x1F


class UsbFailure(Exception):  # noqa: N818 - it is the answer of a device, and no fault of the program
    """A call that fails as libusb says it."""

    def __init__(self, fault: UsbFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class BusDevice(Protocol):
    """What the bus asks of a device."""

    model: UsbModel
    place: str
    """Where it is plugged in: ``1-1.4``."""

    def check(self, call: UsbCall) -> None:
        """Raise ``UsbFailure`` if a call is to fail."""

    def forget(self) -> None:
        """Drop what was said before anybody listened."""

    async def transfer_in(self, length: int, gone: Callable[[], bool]) -> bytes:
        """Wait for the device to say something."""

    def transfer_out(self, data: bytes) -> None:
        """Take what the host writes to an endpoint."""

    async def control(self, setup: tuple[int, int, int, int], data: bytes, length: int) -> bytes:
        """Answer a control transfer: kind, request, value and index, then the data either way."""


@dataclass(slots=True, eq=False)
class _Plugged:
    """A device from the moment it is put in to the moment it is taken out."""

    port: BusDevice
    address: int
    drivers: set[int]
    """Interfaces that a driver of the system has."""
    claims: dict[int, int] = field(default_factory=dict)
    """Which handle has which interface."""
    gone: bool = False


class UsbBus:
    """One bus, bus 1, and everything on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.nodes = path.with_name(path.name + SIMULATED_NODES)
        self._plugged: list[_Plugged] = []
        self._handles: dict[int, _Plugged] = {}
        self._addresses = 0
        self._numbers = 0
        self._calls: set[asyncio.Task[None]] = set()

    def has(self, port: BusDevice) -> bool:
        """Return whether a device is plugged in."""
        return any(plugged.port is port for plugged in self._plugged)

    def drivers_of(self, port: BusDevice) -> set[int]:
        """Return the interfaces of a device that the system's drivers have."""
        return next(set(plugged.drivers) for plugged in self._plugged if plugged.port is port)

    def put_in(self, port: BusDevice) -> None:
        """Plug a device in: it gets the next address, and the system's drivers take what is theirs."""
        self._addresses += 1
        self._node(self._addresses).touch()
        drivers = {number for number, interface in enumerate(port.model.interfaces) if interface.has_driver}
        self._plugged.append(_Plugged(port, self._addresses, drivers))

    def take_out(self, port: BusDevice) -> None:
        """Pull a device out; harmless when it is not there."""
        for plugged in [plugged for plugged in self._plugged if plugged.port is port]:
            plugged.gone = True
            self._node(plugged.address).unlink(missing_ok=True)
            self._plugged.remove(plugged)

    def _node(self, address: int) -> Path:
        """Return the node of a device, which says to whoever waits that it is there."""
        return self.nodes / f"{address:03d}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection: one call, or a device that is open for as long as the connection stands."""
        opened: int | None = None
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - asyncio makes one for each connection
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        try:
            call = decode(await reader.readline())
            try:
                async with asyncio.timeout(_timeout_s(call)):
                    answer = await self._answer(call)
            except UsbFailure as failure:
                answer = {"fault": failure.fault.value}
            except TimeoutError:
                answer = {"fault": UsbFault.TIMEOUT.value}
            opened = _number(answer, "handle") if "handle" in answer else None
            writer.write(encode(answer))
            await writer.drain()
            if opened is not None:
                await reader.read()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass  # whoever called is gone, or is not one of us; or the bus is
        finally:
            if opened is not None:
                self._close(opened)
            writer.close()

    async def hang_up(self) -> None:
        """End every connection: the bus is gone."""
        calls = list(self._calls)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    async def _answer(self, call: Message) -> Message:
        match UsbCall(str(call["call"])):
            case UsbCall.DEVICES:
                return {"devices": [_listed(plugged) for plugged in self._plugged]}
            case UsbCall.OPEN:
                return {"handle": self._open(_number(call, "address"))}
            case other:
                handle = _number(call, "handle")
                plugged = self._handles.get(handle)
                if plugged is None or plugged.gone:
                    raise UsbFailure(UsbFault.NO_DEVICE)
                plugged.port.check(other)
                return await _on_device(plugged, handle, other, call)

    def _open(self, address: int) -> int:
        for plugged in self._plugged:
            if plugged.address == address:
                plugged.port.check(UsbCall.OPEN)
                self._numbers += 1
                self._handles[self._numbers] = plugged
                return self._numbers
        raise UsbFailure(UsbFault.NO_DEVICE)

    def _close(self, handle: int) -> None:
        plugged = self._handles.pop(handle)
        plugged.claims = {interface: owner for interface, owner in plugged.claims.items() if owner != handle}


async def _on_device(plugged: _Plugged, handle: int, call: UsbCall, given: Message) -> Message:
    port = plugged.port
    interface = _number(given, "interface")
    match call:
        case UsbCall.GET_CONFIGURATION:
            return {"value": 1}
        case UsbCall.SET_CONFIGURATION:
            if plugged.drivers or plugged.claims:
                raise UsbFailure(UsbFault.BUSY)
        case UsbCall.CLAIM:
            if plugged.drivers or plugged.claims.get(interface, handle) != handle:
                raise UsbFailure(UsbFault.BUSY)
            plugged.claims[interface] = handle
            port.forget()
        case UsbCall.RELEASE:
            plugged.claims.pop(interface, None)
        case UsbCall.DRIVER_ACTIVE:
            return {"value": int(interface in plugged.drivers)}
        case UsbCall.DETACH_DRIVER:
            if interface not in plugged.drivers:
                raise UsbFailure(UsbFault.NOT_FOUND)
            plugged.drivers.remove(interface)
        case UsbCall.ATTACH_DRIVER:
            if interface in plugged.claims:
                raise UsbFailure(UsbFault.BUSY)
            plugged.drivers.add(interface)
        case UsbCall.CONTROL:
            return await _control(plugged, handle, given)
        case UsbCall.READ:
            _check_endpoint(plugged, handle, _number(given, "endpoint"))
            data = await port.transfer_in(_number(given, "length"), lambda: plugged.gone)
            return {"data": data.hex()}
        case UsbCall.WRITE:
            _check_endpoint(plugged, handle, _number(given, "endpoint"))
            data = bytes.fromhex(str(given["data"]))
            port.transfer_out(data)
            return {"count": len(data)}
        case _:
            pass
    return {}


async def _control(plugged: _Plugged, handle: int, given: Message) -> Message:
    kind, request, value, index = (_number(given, name) for name in ("type", "request", "value", "index"))
    if kind & _RECIPIENT == _TO_AN_INTERFACE and plugged.claims.get(index) != handle:
        raise UsbFailure(UsbFault.BUSY)
    data = bytes.fromhex(str(given.get("data", "")))
    answer = await plugged.port.control((kind, request, value, index), data, _number(given, "length"))
    return {"data": answer.hex()}


def _check_endpoint(plugged: _Plugged, handle: int, endpoint: int) -> None:
    """Require an endpoint of an interface that this handle has claimed."""
    for number, interface in enumerate(plugged.port.model.interfaces):
        if endpoint in {address for address, _ in interface.endpoints}:
            if plugged.claims.get(number) != handle:
                raise UsbFailure(UsbFault.NOT_FOUND)
            return
    raise UsbFailure(UsbFault.NOT_FOUND)


def _listed(plugged: _Plugged) -> dict[str, object]:
    model = plugged.port.model
    return {
        "bus": 1,
        "address": plugged.address,
        "ports": [int(number) for number in plugged.port.place.partition("-")[2].split(".")],
        "device": model.device_descriptor.hex(),
        "configuration": model.configuration_descriptor.hex(),
    }


def _timeout_s(call: Message) -> float | None:
    timeout_ms = _number(call, "timeout")
    return timeout_ms / 1000 if timeout_ms else None


def _number(message: Message, name: str) -> int:
    value = message.get(name, 0)
    return value if isinstance(value, int) else 0


@asynccontextmanager
async def usb_bus(path: Path) -> AsyncIterator[UsbBus]:
    """Keep a bus behind a socket, with nothing on it at first.

    What a killed simulator has left is replaced; raise ``PathTakenError`` for what is somebody else's.
    """
    bus = UsbBus(path)
    _clear(path, bus.nodes)
    server = await asyncio.start_unix_server(bus.serve, path)
    try:
        bus.nodes.mkdir()
        yield bus
    finally:
        server.close()
        await bus.hang_up()
        _remove(bus.nodes)
        path.unlink(missing_ok=True)  # noqa: ASYNC240


def _clear(path: Path, nodes: Path) -> None:
    """Take away the socket that nobody listens to any more, and the nodes beside it."""
    if path.is_socket():
        if _is_served(path):
            raise PathTakenError(f"another simulator has its bus at {path}; stop it, or choose another path")
        path.unlink()
    elif path.exists() or path.is_symlink():
        raise PathTakenError(f"{path} exists and is no simulated bus; choose another path or remove it")
    if nodes.is_dir():
        _remove(nodes)


def _is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return False
    return True


def _remove(nodes: Path) -> None:
    """Remove the nodes and their folder; raise ``PathTakenError`` if there is anything else in it."""
    for node in nodes.glob("[0-9][0-9][0-9]"):
        node.unlink()
    try:
        nodes.rmdir()
    except OSError as error:
        raise PathTakenError(f"{nodes} has what is no simulated node: {error.strerror}; remove it") from error
