"""A tap on a simulated line: when which bytes passed the device's end of the cable."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from bridge.domain.errors import BridgeError
from bridge.wire.errors import FrameError
from bridge.wire.modbus_frames import Frame, Function, decode_frame, unpack_channels
from simulators.device import SimulatedLine, Utterance

_MASK_AT = 5
"""Where the states stand in a request to write outputs, after first output, number of outputs and of bytes."""


class NotOnTheLineError(BridgeError):
    """What was to be timed did not pass the tap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Bytes that passed, and when: heard bytes when they had arrived, said bytes just before they left."""

    at_ns: int
    data: bytes


class Tap:
    """A ``SimulatedLine`` around another one; ``notify`` is called after bytes have arrived and were answered."""

    def __init__(self, line: SimulatedLine, notify: Callable[[], None] = lambda: None) -> None:
        self._line = line
        self._notify = notify
        self._heard: list[Passed] = []
        self._said: list[Passed] = []

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Connect the line itself: what it says unasked does not pass here."""
        self._line.connect(say)

    def power_cycle(self) -> None:
        """Cut the power of the line's devices."""
        self._line.power_cycle()

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        """Let the line answer, and note when it was asked and when it answers."""
        self._heard.append(Passed(at_ns=time.monotonic_ns(), data=data))
        answers = self._line.receive(data, now_us)
        self._said += (Passed(at_ns=time.monotonic_ns(), data=answer.data) for answer in answers)
        self._notify()
        return answers

    def forget(self) -> None:
        """Start afresh, so that what is looked for is found among what passes from now on."""
        self._heard.clear()
        self._said.clear()

    def first_heard_ns(self) -> int:
        """Return when the first bytes arrived; raise ``NotOnTheLineError`` if none did."""
        if not self._heard:
            raise NotOnTheLineError("nothing arrived at the device")
        return self._heard[0].at_ns

    def switched_on_ns(self, unit: int, output: int) -> int:
        """Return when a unit was first asked to switch an output on; raise ``NotOnTheLineError`` if it was not."""
        for passed in self._heard:
            frame = _frame(passed.data)
            if (
                frame is not None
                and (frame.unit, frame.function) == (unit, Function.WRITE_MULTIPLE_COILS)
                and output in unpack_channels(frame.data[_MASK_AT:], int.from_bytes(frame.data[2:4], "big"))
            ):
                return passed.at_ns
        raise NotOnTheLineError(f"unit {unit} was not asked to switch output {output} on")

    def seen_active_ns(self, unit: int, channel: int, polls: int) -> int:
        """Return when a unit said for the ``polls``-th time that an input is active, debounce being over then."""
        replies = [
            passed.at_ns
            for passed in self._said
            if (frame := _frame(passed.data)) is not None
            and (frame.unit, frame.function) == (unit, Function.READ_DISCRETE_INPUTS)
            and channel in unpack_channels(frame.data[1:], 8 * frame.data[0])
        ]
        if len(replies) < polls:
            raise NotOnTheLineError(
                f"unit {unit} said {len(replies)} times, not {polls}, that {channel} is active"
            )
        return replies[polls - 1]


def _frame(data: bytes) -> Frame | None:
    """Return the frame that bytes are, if they are one: unpaced, a frame passes whole."""
    try:
        return decode_frame(data)
    except FrameError:
        return None
