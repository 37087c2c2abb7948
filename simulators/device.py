"""What every simulated device is: something on a line that answers, with channels that people touch and see.

A line is one cable with one or more devices on it. It is told the time and holds no port, so the same
line runs on a pseudo-terminal, behind a TCP port, or joined to the bridge in memory.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError


class NoSuchChannelError(BridgeError):
    """A channel number is not printed on the device."""


class NoSuchAddressError(BridgeError, ValueError):
    """No device of this kind can be at that address."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Bytes that a device says, and how long after it was asked."""

    data: bytes
    delay_us: int = 0


class SimulatedLine(Protocol):
    """The device's end of one cable."""

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        """Take bytes from the host; return what is said to them. Never raises on anything a host can send."""

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Be given the way to say something unasked; the port calls this once."""

    def power_cycle(self) -> None:
        """Start afresh, as after a power cut: outputs off, half a frame forgotten; inputs are what they are."""


class Signal:
    """Wakes whoever waits for something about a device to change."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Let everybody who waits look again."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; it is looked at now and after each change."""
        while not condition():
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)


class Reaction(Signal):
    """Does something at once whenever the device changes, besides waking whoever waits."""

    def __init__(self, react: Callable[[], None]) -> None:
        super().__init__()
        self._react = react

    def notify(self) -> None:
        """React, and let everybody who waits look again."""
        self._react()
        super().notify()


class Channels:
    """The inputs or the outputs of a device: which of the channels 1 to ``count`` are active."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._active: frozenset[int] = frozenset()
        self._changed = [Signal()]

    @property
    def active(self) -> frozenset[int]:
        """The active channels at this moment."""
        return self._active

    def set(self, channel: int, *, active: bool) -> None:
        """Make one channel active or not; raise ``NoSuchChannelError`` if the device has no such channel."""
        if not 1 <= channel <= self.count:
            raise NoSuchChannelError(f"channel {channel}: this device has channels 1 to {self.count}")
        self.replace(self._active | {channel} if active else self._active - {channel})

    def replace(self, active: frozenset[int]) -> None:
        """Set all channels at once."""
        if active != self._active:
            self._active = active
            for signal in self._changed:
                signal.notify()

    def also_notify(self, signal: Signal) -> None:
        """Let somebody who watches several devices know of every change."""
        self._changed.append(signal)

    async def until(self, condition: Callable[[frozenset[int]], bool]) -> frozenset[int]:
        """Wait until the active channels satisfy a condition; return them."""
        await self._changed[0].until(lambda: condition(self._active))
        return self._active


class SimulatedDevice(Protocol):
    """One device with inputs that people touch, and outputs that they see."""

    @property
    def inputs(self) -> Channels:
        """What sensors, buttons and keys are connected to."""

    @property
    def outputs(self) -> Channels:
        """What lamps and locks are connected to."""

    async def until_polled(self, times: int) -> None:
        """Wait until the inputs were asked for, and answered, so many more times."""


class SimulatedCardReader(Protocol):
    """One device that cards are shown to."""

    def show(self, card: Card) -> None:
        """Hold a card before the reader."""

    def show_unreadable(self, text: str) -> None:
        """Let the reader read something that is no card's code."""
