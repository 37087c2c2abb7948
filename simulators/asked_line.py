"""A line whose devices speak only when they are asked, and on which a pause ends a frame."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from typing import Generic, Protocol, TypeVar

from bridge.wire.receive_buffer import ReceiveBuffer
from simulators.device import Utterance

_Frame = TypeVar("_Frame")


class PoweredDevice(Protocol):
    """A device on a line."""

    def power_cycle(self) -> None:
        """Start afresh, as after a power cut."""


class AskedLine(ABC, Generic[_Frame]):
    """One cable with such devices on it: a ``SimulatedLine``."""

    def __init__(
        self, devices: Collection[PoweredDevice], *, frame_length_max: int, pause_us: int, turnaround_us: int
    ) -> None:
        self._devices = devices
        self._pause_us = pause_us
        self._turnaround_us = turnaround_us
        self._buffer = ReceiveBuffer(frame_length_max)
        self._heard_us = 0

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Take note of nothing: nobody here speaks unasked."""

    def power_cycle(self) -> None:
        """Cut the power of every device on the line."""
        self._buffer.clear()
        for device in self._devices:
            device.power_cycle()

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        """Take bytes from the host; return the answers to the requests that they complete."""
        if now_us - self._heard_us > self._pause_us:
            self._buffer.clear()
        self._heard_us = now_us
        self._buffer.append(data)
        said: list[Utterance] = []
        while (frame := self._next_frame()) is not None:
            said += [Utterance(answer, self._turnaround_us) for answer in self._answers(frame, now_us)]
        return tuple(said)

    @abstractmethod
    def _next_frame(self) -> _Frame | None:
        """Take the next sound request from the buffer; None if there is none, or not all of it."""

    @abstractmethod
    def _answers(self, frame: _Frame, now_us: int) -> Iterable[bytes]:
        """Let the devices hear a request, and yield what they answer."""
