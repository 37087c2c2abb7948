"""A simulated line at a port, of whatever kind, that can be unplugged and plugged in again."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from bridge.domain.errors import BridgeError
from simulators.device import SimulatedLine
from simulators.faults import Cables, Delivery
from simulators.pacing import UNPACED, Belt, Pacing, monotonic_us
from simulators.running import running

READ_BYTES_MAX: Final = 4096
SOUND: Final = Cables()


class PathTakenError(BridgeError):
    """Something that no simulator has left stands where one should be."""


class Port(ABC):
    """A simulated line at a port that can be unplugged and plugged in again."""

    def __init__(self, line: SimulatedLine, *, pacing: Pacing = UNPACED, cables: Cables = SOUND) -> None:
        self.line = line
        self._cables = cables
        self._arriving = Belt(self._ask, self.unplug, pacing)
        self._leaving = Belt(self._write, self.unplug, pacing)
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


PortT = TypeVar("PortT", bound=Port)


@asynccontextmanager
async def hosted(port: PortT) -> AsyncIterator[PortT]:
    """Keep a port running, plugged in at first."""
    port.plug_in()
    try:
        async with running(port.run(), name=f"simulated line at {port.url}"):
            yield port
    finally:
        port.unplug()
