"""A codec at one end of a line, in virtual time, and at the other end whatever answers."""

from collections.abc import Callable

from bridge.wire.codec import Codec
from bridge.wire.messages import Order, SetOutput, WireMessage
from simulators.device import SimulatedLine

_HOUR_US = 3_600_000_000

Cable = Callable[[bytes], bytes]
"""What becomes of bytes on their way."""


class VirtualLine:
    """What is said at the far end arrives when it is due. A subclass says what is answered there."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.now_us = 1_000_000
        self.messages: list[WireMessage] = []
        self.requests: list[bytes] = []
        self.asked_at: list[int] = []
        """When each of the requests was written."""
        self._arrivals: list[tuple[int, bytes]] = []
        self._answered_us = 0
        self._woken_in_vain = False

    def respond(self, data: bytes) -> None:
        """Take at the far end what the codec has written; let answers arrive."""
        raise NotImplementedError

    def send_later(self, delay_us: int, data: bytes) -> None:
        """Let bytes arrive that are no reply, or a reply that is late."""
        self._arrivals.append((self.now_us + delay_us, data))

    def answer(self, at_us: int, raw: bytes) -> None:
        """Let a reply arrive; never before an earlier one, since a device does one thing after the other."""
        self._answered_us = max(self._answered_us, at_us)
        self._arrivals.append((self._answered_us, raw))

    def write_what_is_due(self) -> bytes:
        """Carry what the codec wants to send to the far end."""
        data = self.codec.data_to_send(self.now_us)
        if data:
            self.requests.append(data)
            self.asked_at.append(self.now_us)
            self.respond(data)
        return data

    def step(self, until_us: int | None = None) -> None:
        """Do what is due, as a driver does; then go on to the next thing that happens, or to a time."""
        written = self.write_what_is_due()
        wakeup_us = self.codec.next_wakeup()
        sleeps = wakeup_us is None or wakeup_us > self.now_us
        assert written or sleeps or not self._woken_in_vain, "it asks to be woken at once and does nothing"
        self._woken_in_vain = False
        self._arrivals.sort(key=lambda arrival: arrival[0])
        times = [at_us for at_us, _ in self._arrivals[:1]]
        times += [at_us for at_us in (wakeup_us, until_us) if at_us is not None]
        assert times, "nothing will ever happen on this line"
        self.now_us = max(self.now_us, min(times))
        if self._arrivals and self._arrivals[0][0] <= self.now_us:
            self.messages += self.codec.receive_data(self._arrivals.pop(0)[1], self.now_us)
        elif wakeup_us is not None and wakeup_us <= self.now_us:
            said = self.codec.wake(self.now_us)
            self.messages += said
            self._woken_in_vain = not said

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
            self.step(self.now_us + _HOUR_US)
        raise AssertionError(f"did not happen; the last messages are {self.messages[-5:]}")

    def run_until_asked(self, count: int) -> None:
        """Go on until so many requests have been written."""
        self.run_until(lambda: len(self.requests) >= count)

    def run_until_just_asked(self) -> bytes:
        """Go on until a request has been written, whose answer is on its way; return the request."""
        for _ in range(1000):
            written = self.write_what_is_due()
            if written:
                return written
            self.step()
        raise AssertionError("nothing was asked")

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.codec.order(order)

    def switch(self, address: int, channel: int, *, active: bool) -> None:
        self.order(SetOutput(address=address, channel=channel, active=active))

    def lose(self) -> list[WireMessage]:
        """Let the line be gone; what is on its way is lost."""
        self._arrivals.clear()
        lost = self.codec.line_lost()
        self.messages += lost
        return list(lost)

    def said(self, *kinds: type[WireMessage]) -> list[WireMessage]:
        return [message for message in self.messages if isinstance(message, kinds)]


def sound(data: bytes) -> bytes:
    return data


class SimulatedEnd(VirtualLine):
    """A simulated device at the far end: its bytes arrive after its own delay, through the cables."""

    def __init__(self, codec: Codec, device: SimulatedLine) -> None:
        super().__init__(codec)
        self.device = device
        self.to_device: Cable = sound
        self.to_host: Cable = sound
        device.connect(self.say)

    def say(self, data: bytes, delay_us: int = 0) -> None:
        self.send_later(max(1, delay_us), self.to_host(data))

    def respond(self, data: bytes) -> None:
        for utterance in self.device.receive(self.to_device(data), self.now_us):
            self.say(utterance.data, utterance.delay_us)
