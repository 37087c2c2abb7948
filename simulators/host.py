"""Puts a simulated line on a real port: a pseudo-terminal with a stable path, or a TCP port.

A pseudo-terminal carries bytes in no time whatever baud rate is set, so the wire's own time is kept
here: with ``Pacing`` what is said arrives, in either direction, when its last byte would at the baud rate.
It arrives in one piece, as from an adapter that collects bytes: a device sends without a pause however
crowded the machine is that simulates it. Without pacing a line answers in the very call in which the request
was read.
"""

import asyncio
import os
import socket
import time
import tty
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from bridge.domain.errors import BridgeError
from bridge.wire.spec import SerialSettings
from simulators.device import SimulatedLine
from simulators.faults import Arrival, Cables, Delivery, PulledOut

READ_BYTES_MAX: Final = 4096
SOUND: Final = Cables()


class PathTakenError(BridgeError):
    """Something that is not a simulated port stands where the port should be."""


@dataclass(frozen=True, slots=True)
class Pacing:
    """How long one byte takes on the wire."""

    byte_us: int

    @classmethod
    def of(cls, serial: SerialSettings) -> "Pacing":
        """Return the pacing of a serial line: start bit, data, parity and stop bits at its baud rate."""
        return cls(serial.character_bits * 1_000_000 // serial.baud)


UNPACED = Pacing(0)
"""Bytes take no time: for benchmarks, and for tests that must not wait."""


class _Belt:
    """Carries arrivals to one end, in order, each when it is due."""

    def __init__(self, deliver: Callable[[bytes], None], pulled_out: Callable[[], None], pacing: Pacing) -> None:
        self._deliver = deliver
        self._pulled_out = pulled_out
        self._byte_us = pacing.byte_us
        self._items: deque[tuple[int, Arrival]] = deque()
        self._free_us = 0
        self._changed = asyncio.Event()

    def put(self, arrival: Arrival, delay_us: int) -> None:
        """Let something arrive after a delay; at once, if nothing is before it and it takes no time."""
        now_us = monotonic_us()
        start_us = max(self._free_us, now_us + delay_us)
        taken_us = len(arrival.data) * self._byte_us if isinstance(arrival, Delivery) else 0
        self._free_us = start_us + taken_us
        self._items.append((self._free_us, arrival))
        self._deliver_due(now_us)
        self._changed.set()

    def clear(self) -> None:
        """Lose everything that is still on its way."""
        self._items.clear()
        self._free_us = 0
        self._changed.set()

    async def run(self) -> None:
        """Deliver what falls due, until cancelled."""
        while True:
            self._changed.clear()
            wait_s = (self._items[0][0] - monotonic_us()) / 1_000_000 if self._items else None
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()
            self._deliver_due(monotonic_us())

    def _deliver_due(self, now_us: int) -> None:
        while self._items and self._items[0][0] <= now_us:
            match self._items.popleft()[1]:
                case Delivery(data=data):
                    self._deliver(data)
                case PulledOut():
                    self._pulled_out()


class Port(ABC):
    """A simulated line at a port that can be unplugged and plugged in again."""

    def __init__(self, line: SimulatedLine, *, pacing: Pacing = UNPACED, cables: Cables = SOUND) -> None:
        self.line = line
        self._cables = cables
        self._arriving = _Belt(self._ask, self.unplug, pacing)
        self._leaving = _Belt(self._write, self.unplug, pacing)
        line.connect(self.say)

    @property
    @abstractmethod
    def url(self) -> str:
        """What a bridge opens to reach the line."""

    @property
    @abstractmethod
    def plugged_in(self) -> bool:
        """Whether a bridge can open the port."""

    @abstractmethod
    def plug_in(self) -> None:
        """Make the port reachable; harmless when it is."""

    def unplug(self) -> None:
        """Take the port away under whoever has it open; what is on its way is lost. Harmless when unplugged."""
        self._arriving.clear()
        self._leaving.clear()
        self._take_away()

    def say(self, data: bytes, delay_us: int = 0) -> None:
        """Say something to the host; unplugged, it is heard by nobody."""
        for arrival in self._cables.to_host.carry(data):
            later_us = arrival.delay_us if isinstance(arrival, Delivery) else 0
            self._leaving.put(arrival, delay_us + later_us)

    def hear(self, data: bytes) -> None:
        """Let bytes of the host travel to the device."""
        for arrival in self._cables.to_device.carry(data):
            self._arriving.put(arrival, arrival.delay_us if isinstance(arrival, Delivery) else 0)

    async def run(self) -> None:
        """Carry what takes time, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._arriving.run(), name=f"to the device: {self.url}")
            tasks.create_task(self._leaving.run(), name=f"to the host: {self.url}")

    @abstractmethod
    def _take_away(self) -> None: ...

    @abstractmethod
    def _write(self, data: bytes) -> None: ...

    def _ask(self, data: bytes) -> None:
        if not data:
            return
        for utterance in self.line.receive(data, monotonic_us()):
            self.say(utterance.data, utterance.delay_us)


class PtyPort(Port):
    """A pseudo-terminal behind a symbolic link, which is what a bridge opens; replugging keeps its name."""

    def __init__(
        self,
        line: SimulatedLine,
        path: Path,
        *,
        pacing: Pacing = UNPACED,
        cables: Cables = SOUND,
    ) -> None:
        super().__init__(line, pacing=pacing, cables=cables)
        self.path = path
        self._ends: tuple[int, int] | None = None
        """The device's end, and the host's: held open too, or reading fails whenever no bridge is there."""

    @property
    def url(self) -> str:
        """The stable path."""
        return str(self.path)

    @property
    def plugged_in(self) -> bool:
        """Whether the path leads to a pseudo-terminal of ours."""
        return self._ends is not None

    def plug_in(self) -> None:
        """Make the path lead to a fresh pseudo-terminal; raise ``PathTakenError`` if something else is there."""
        if self._ends:
            return
        if self.path.exists() and not self.path.is_symlink():
            raise PathTakenError(f"{self.path} exists and is no simulated port; choose another path or remove it")
        ours, theirs = os.openpty()
        self._ends = (ours, theirs)
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        fresh = self.path.with_name(self.path.name + ".fresh")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(theirs))
        fresh.replace(self.path)
        asyncio.get_running_loop().add_reader(ours, self._readable, ours)

    def plug_in_as(self, name: str) -> None:
        """Come back under another name in the same folder, as an adapter does that was given another number."""
        self.unplug()
        self.path = self.path.with_name(name)
        self.plug_in()

    def _take_away(self) -> None:
        if not self._ends:
            return
        ours, theirs = self._ends
        self._ends = None
        self.path.unlink(missing_ok=True)
        asyncio.get_running_loop().remove_reader(ours)
        os.close(ours)
        os.close(theirs)

    def _readable(self, ours: int) -> None:
        with suppress(BlockingIOError):
            self.hear(os.read(ours, READ_BYTES_MAX))

    def _write(self, data: bytes) -> None:
        if data and self._ends:
            # Full only if nobody reads: then bytes are lost, as they are on a wire.
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)


class TcpPort(Port):
    """A listening TCP port, like a one-port serial device server: one host at a time."""

    def __init__(
        self,
        line: SimulatedLine,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        pacing: Pacing = UNPACED,
        cables: Cables = SOUND,
    ) -> None:
        super().__init__(line, pacing=pacing, cables=cables)
        self._address = (host, port)
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None

    @property
    def url(self) -> str:
        """The URL under which a bridge reaches the port."""
        host, port = self._address
        return f"socket://{host}:{port}"

    @property
    def plugged_in(self) -> bool:
        """Whether the port listens."""
        return self._listener is not None

    @property
    def address(self) -> tuple[str, int]:
        """Host and port; the port is known once it is plugged in, and stays the same."""
        return self._address

    def plug_in(self) -> None:
        """Listen; raise ``OSError`` if the port is in use."""
        if self._listener:
            return
        listener = socket.create_server(self._address)
        listener.setblocking(False)  # noqa: FBT003 - the socket module's own signature
        self._address = listener.getsockname()[:2]
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _take_away(self) -> None:
        self._hang_up()
        if self._listener:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _accept(self, listener: socket.socket) -> None:
        with suppress(BlockingIOError):
            connection, _ = listener.accept()
            if self._connection:
                connection.close()
                return
            connection.setblocking(False)  # noqa: FBT003 - the socket module's own signature
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection = connection
            asyncio.get_running_loop().add_reader(connection, self._readable, connection)
            self._connected()

    def _readable(self, connection: socket.socket) -> None:
        try:
            data = connection.recv(READ_BYTES_MAX)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._arrived(data)
        else:
            self._hang_up()

    def _connected(self) -> None:
        """Take note that a host is there."""

    def _arrived(self, data: bytes) -> None:
        """Take what a host has sent."""
        self.hear(data)

    def _write(self, data: bytes) -> None:
        if data and self._connection:
            # A host that does not read, or has just gone, loses bytes, as it does on a wire.
            with suppress(OSError):
                self._connection.send(data)

    def _hang_up(self) -> None:
        if self._connection:
            asyncio.get_running_loop().remove_reader(self._connection)
            self._connection.close()
            self._connection = None


PortT = TypeVar("PortT", bound=Port)


def monotonic_us() -> int:
    """Return the time that delays and pacing are measured in."""
    return time.monotonic_ns() // 1000


@asynccontextmanager
async def hosted(port: PortT) -> AsyncIterator[PortT]:
    """Keep a port running, plugged in at first."""
    port.plug_in()
    try:
        async with running(port.run(), name=f"simulated line at {port.url}"):
            yield port
    finally:
        port.unplug()


@asynccontextmanager
async def running(work: Coroutine[object, object, None], *, name: str) -> AsyncIterator[None]:
    """Run something beside the body and end it with the body; if it fails, end the body and raise what failed."""
    try:
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(work, name=name)
            yield
            task.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
