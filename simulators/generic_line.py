"""A device that somebody has built to the document of the generic line: inputs, outputs, and cards shown to it.

As the document asks, it tells one event at a time and says it again until it is answered; here it does so when it
is spoken to, which a bridge does all the time.
"""

from collections import deque
from collections.abc import Callable

from bridge.domain.cards import Card
from bridge.wire.bounded_text import Reading, TextLines
from bridge.wire.errors import FrameError
from bridge.wire.generic_frames import (
    LINE_LENGTH_MAX,
    NUMBERS,
    Line,
    Mark,
    Verb,
    decode_channels,
    decode_line,
    encode_channels,
    encode_line,
)
from simulators.device import Channels, Signal, Utterance

REPEAT_US = 200_000
EVENTS_MAX = 16
"""Events that a small controller has room for; what comes beyond them is lost, its number too."""
_UNPRINTED = "?"


class GenericDevice:
    """One device at the end of its line: a ``SimulatedLine``."""

    def __init__(self, *, inputs: int = 8, outputs: int = 8, model: str = "test box") -> None:
        self.inputs = Channels(inputs)
        self.outputs = Channels(outputs)
        self.refuses_to_set = ""
        """Why outputs are not set; empty while they are."""
        self._model = model
        self._stuck: frozenset[int] = frozenset()
        self._lines = TextLines(LINE_LENGTH_MAX)
        self._events: deque[Line] = deque()
        self._number = 0
        self._said_us: int | None = None
        """When the first event was said last; None until time is told after it."""
        self._say: Callable[[bytes], None] = _into_the_air
        self._polls = 0
        self._polled = Signal()
        self.inputs.also_notify(_Watcher(self._inputs_changed))
        self._tell(Verb.START)

    async def until_polled(self, times: int) -> None:
        """Wait until the state was asked for, and answered, so many more times."""
        target = self._polls + times
        await self._polled.until(lambda: self._polls >= target)

    def show(self, card: Card) -> None:
        """Hold a card before the device."""
        self._tell(Verb.CARD, str(card))

    def show_unreadable(self, text: str) -> None:
        """Let the device see a card that it cannot name."""
        printed = "".join(char if char.isascii() and char.isprintable() and char != "*" else "?" for char in text)
        self._tell(Verb.UNREAD, printed or _UNPRINTED)

    def stick(self, *outputs: int) -> None:
        """Let outputs be broken: they stay off whatever is ordered."""
        self._stuck = frozenset(outputs)

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Speak into this cable from now on."""
        self._say = say

    def power_cycle(self) -> None:
        """Start afresh: outputs are off, what was not told yet is forgotten, and numbers begin anew."""
        self._lines.give_up()
        self._events.clear()
        self._number = 0
        self.outputs.replace(frozenset())
        self._tell(Verb.START)

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        """Take bytes from the bridge; return the answers, and an event that was not answered for too long."""
        said = [
            answer
            for one in self._lines.take(data)
            if isinstance(one, Reading) and (answer := self._heard(one.data)) is not None
        ]
        if self._said_us is None:
            self._said_us = now_us
        elif self._events and now_us - self._said_us >= REPEAT_US:
            self._said_us = now_us
            said.append(encode_line(self._events[0]))
        return tuple(Utterance(line) for line in said)

    def _heard(self, raw: bytes) -> bytes | None:
        try:
            line = decode_line(raw)
        except FrameError:
            return None  # the bridge asks again
        match line.mark:
            case Mark.REQUEST:
                return encode_line(self._perform(line))
            case Mark.ANSWER if self._events and line.number == self._events[0].number:
                self._events.popleft()
                self._said_us = None
                return encode_line(self._events[0]) if self._events else None
            case _:
                return None

    def _perform(self, request: Line) -> Line:
        if request.verb is Verb.ID:
            identity = f"{self.inputs.count} {self.outputs.count} {self._model}"
            return Line(Mark.ANSWER, request.number, Verb.ID, identity)
        if request.verb is Verb.SET:
            try:
                wanted = decode_channels(request.rest, self.outputs.count)
            except FrameError as error:
                return Line(Mark.ANSWER, request.number, Verb.NO, error.reason[: LINE_LENGTH_MAX // 2])
            if self.refuses_to_set:
                return Line(Mark.ANSWER, request.number, Verb.NO, self.refuses_to_set)
            self.outputs.replace(wanted - self._stuck)
        self._polls += 1
        self._polled.notify()
        shown = encode_channels(self.inputs.active, self.inputs.count)
        lit = encode_channels(self.outputs.active, self.outputs.count)
        return Line(Mark.ANSWER, request.number, Verb.STATE, f"{shown} {lit}")

    def _inputs_changed(self) -> None:
        self._tell(Verb.IN, encode_channels(self.inputs.active, self.inputs.count))

    def _tell(self, verb: Verb, rest: str = "") -> None:
        event = Line(Mark.EVENT, self._number, verb, rest)
        self._number = (self._number + 1) % NUMBERS
        if len(self._events) == EVENTS_MAX:
            return
        self._events.append(event)
        if len(self._events) == 1:
            self._said_us = None
            self._say(encode_line(event))


class _Watcher(Signal):
    """Is told at once of every change."""

    def __init__(self, told: Callable[[], None]) -> None:
        super().__init__()
        self._told = told

    def notify(self) -> None:
        """Pass it on."""
        self._told()


def _into_the_air(_data: bytes) -> None:
    """Be heard by nobody: no cable is plugged in yet."""
