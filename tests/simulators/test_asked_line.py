from collections.abc import Iterable

from simulators.asked_line import AskedLine
from simulators.device import Utterance

LONG_US = 100


class Repeater:
    """A device that says what it is asked."""

    def __init__(self) -> None:
        self.power_cycles = 0

    def power_cycle(self) -> None:
        self.power_cycles += 1


class Repeating(AskedLine[bytes]):
    """Requests of two bytes, each of which is its own answer."""

    def __init__(self, *devices: Repeater) -> None:
        super().__init__(devices, frame_length_max=8, pause_us=LONG_US, turnaround_us=7)

    def _next_frame(self) -> bytes | None:
        return self._buffer.take(2) if len(self._buffer) >= 2 else None

    def _answers(self, frame: bytes, _now_us: int) -> Iterable[bytes]:
        yield frame


def test_every_request_is_answered_when_it_is_whole_however_it_is_cut() -> None:
    line = Repeating()

    assert line.receive(b"abc", 0) == (Utterance(b"ab", 7),)
    assert line.receive(b"d", LONG_US) == (Utterance(b"cd", 7),)


def test_a_pause_ends_what_was_not_whole() -> None:
    line = Repeating()
    line.receive(b"a", 0)

    assert line.receive(b"bc", LONG_US + 1) == (Utterance(b"bc", 7),)


def test_a_power_cut_meets_every_device_and_half_a_request() -> None:
    devices = Repeater(), Repeater()
    line = Repeating(*devices)
    line.receive(b"a", 0)

    line.power_cycle()

    assert [device.power_cycles for device in devices] == [1, 1]
    assert line.receive(b"bc", 0) == (Utterance(b"bc", 7),)
