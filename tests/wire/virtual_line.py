"""A codec at one end of a line and a simulated device at the other, in virtual time."""

from collections.abc import Callable

from bridge.wire.codec import Codec
from bridge.wire.messages import Order, WireMessage
from simulators.device import SimulatedLine

Cable = Callable[[bytes], bytes]
"""What becomes of bytes on their way."""


def sound(data: bytes) -> bytes:
    return data


class VirtualLine:
    """Bytes arrive a microsecond after they were said, or after the device's own delay, through the cables."""

    def __init__(self, codec: Codec, device: SimulatedLine) -> None:
        self.codec = codec
        self.device = device
        self.now_us = 1_000_000
        self.messages: list[WireMessage] = []
        self.written: list[tuple[int, bytes]] = []
        """What the codec wrote, and when."""
        self.to_device: Cable = sound
        self.to_host: Cable = sound
        self._arrivals: list[tuple[int, bytes]] = []
        device.connect(self.say)

    def say(self, data: bytes, delay_us: int = 0) -> None:
        self._arrivals.append((self.now_us + max(1, delay_us), self.to_host(data)))

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.codec.order(order)

    def step(self, until_us: int) -> None:
        """Do what is due, as a driver does; then go on to the next thing that happens, or to a time."""
        self.messages += self.codec.wake(self.now_us)
        data = self.codec.data_to_send(self.now_us)
        if data:
            self.written.append((self.now_us, data))
            for utterance in self.device.receive(self.to_device(data), self.now_us):
                self.say(utterance.data, utterance.delay_us)
        wakeup_us = self.codec.next_wakeup()
        assert data or wakeup_us is None or wakeup_us > self.now_us, "it asks to be woken at once and does nothing"
        self._arrivals.sort(key=lambda arrival: arrival[0])
        due = [until_us, *(at_us for at_us, _ in self._arrivals[:1])]
        self.now_us = max(self.now_us, min(due if wakeup_us is None else [*due, wakeup_us]))
        if self._arrivals and self._arrivals[0][0] <= self.now_us:
            self.messages += self.codec.receive_data(self._arrivals.pop(0)[1], self.now_us)

    def run(self, duration_us: int) -> list[WireMessage]:
        """Let time pass; return what was said meanwhile."""
        said, end_us = len(self.messages), self.now_us + duration_us
        while self.now_us < end_us:
            self.step(end_us)
        return self.messages[said:]

    def run_until(self, done: Callable[[], bool], steps: int = 20_000) -> None:
        """Go on until something has happened."""
        for _ in range(steps):
            if done():
                return
            self.step(self.now_us + 3_600_000_000)
        raise AssertionError(f"did not happen; the last messages are {self.messages[-5:]}")

    def lose(self) -> list[WireMessage]:
        """Let the line be gone; what is on its way is lost."""
        self._arrivals.clear()
        lost = self.codec.line_lost()
        self.messages += lost
        return list(lost)

    def said(self, *kinds: type[WireMessage]) -> list[WireMessage]:
        return [message for message in self.messages if isinstance(message, kinds)]
