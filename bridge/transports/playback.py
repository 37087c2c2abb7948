"""The device's side of a capture, played against a host that need not do exactly what was recorded.

What the device said unasked, or after a request, comes when it did, measured from what went before. What the
host writes is matched with what was recorded: a request that comes earlier or later than it did gets the answer
that it got then, one that is repeated gets it again, and one that was never recorded gets none. Every such
difference is kept, with its place. Owns no port and no clock: time is handed in.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridge.transports.capture_file import Event, Happening
from bridge.transports.errors import PermanentTransportError, TransientTransportError

MISSING_AFTER_US = 2_000_000
"""What the host wrote then and does not write now is waited for so long; no protocol here repeats more slowly."""

LOOK_AHEAD = 500
"""Events among which a request is looked for: minutes of a polled line would be another state of the device."""

DIFFERENCES_MAX = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The host did not write what was recorded at a line of the capture."""

    file: str
    place: int
    """The line, 0 for behind the last of them."""
    expected: bytes
    got: bytes
    """Empty if it wrote nothing."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.place}" if self.place else f"{self.file}, after its last line"
        return f"{where}: {_hex(self.expected)} was written then, {_hex(self.got)} now"


def _hex(data: bytes) -> str:
    return data.hex(" ").upper() or "nothing"


class Playback:
    """Where a capture is in being played. It goes on from there when the port is opened anew."""

    def __init__(self, name: str, events: Iterable[Event], *, speed: float = 1) -> None:
        """Take what happened; ``speed`` divides the pauses of the device, 0 leaves none."""
        self._name = name
        self._events = tuple(events)
        self._speed = speed
        self._next = 0
        self._base_us = 0
        self._base_at_us = self._events[0].at_us if self._events else 0
        self._heard: dict[int, int] = {}
        """Which recorded writes the host has written already, and when."""
        self._done: set[int] = set()
        """What was played before its turn."""
        self._answers: deque[tuple[int, int]] = deque()
        """Events that are played before their turn: when, and which."""
        self._told: set[tuple[int, bytes]] = set()
        self._overtaken: set[int] = set()
        """Recorded writes in whose stead the host has written a later one."""
        self._written_at: dict[bytes, int] = {}
        """Where something was last recorded as written, of what has been played."""
        self._gone = False
        self.last: Event | None = None
        """What was played last."""
        self.differences: list[Difference] = []
        """What the host did otherwise, in order; the first thousand."""

    @property
    def ended(self) -> bool:
        """Return whether nothing is left to be played."""
        return not self._answers and self._next >= len(self._events)

    @property
    def gone(self) -> bool:
        """Return whether the device has gone, and is not back yet."""
        return self._gone

    def open(self, now_us: int) -> None:
        """Open the port: at the start, or where it was left.

        Raise ``TransientTransportError`` while it is gone in the capture, ``PermanentTransportError`` at the end.
        """
        if self._gone:
            opened = next(self._of(Happening.OPENED), None)
            if opened is None:
                self._next = len(self._events)
            elif now_us < self._due_us(opened):
                raise TransientTransportError(
                    f"{self._name}: gone; it comes back as at line {self._events[opened].place} of the capture"
                )
            else:
                self._gone = False
                self._next = opened
                self._went_on(opened, now_us)
        if self.ended:
            raise PermanentTransportError(
                f"{self._name}: the capture has been played to its end; give the line another port"
            )
        if self._next == 0:
            self._base_us = now_us

    def heard(self, data: bytes, now_us: int) -> None:
        """Take what the host writes."""
        expected = next(self._unheard(), None)
        found = next((place for place in self._unheard() if self._events[place].data == data), None)
        if found is not None and found == expected:
            self._heard[found] = now_us
            return
        self._differs(expected, data)
        if found is not None:
            self._overtaken.update(place for place in self._unheard() if place < found)
            self._done |= {found, *self._answers_to(found)}
            self._written_at[data] = found
        else:
            found = self._written_at.get(data)
        if found is not None:
            asked_us = self._events[found].at_us
            for place in self._answers_to(found):
                self._answers.append((now_us + self._pause_us(self._events[place].at_us - asked_us), place))

    def take(self, now_us: int) -> bytes:
        """Return the next bytes that are due, or none; raise ``TransientTransportError`` where the device goes."""
        if self._answers and self._answers[0][0] <= now_us:
            return self._play(self._answers.popleft()[1])
        while self._next < len(self._events):
            place, event = self._next, self._events[self._next]
            if place in self._done:
                self._next += 1
                continue
            due_us = self._turn_us(place)
            if due_us is not None and now_us < due_us:
                return b""
            self._next += 1
            match event.what:
                case Happening.FROM_DEVICE:
                    self._went_on(place, self._due_us(place))
                    return self._play(place)
                case Happening.TO_DEVICE:
                    self._pass_over(place)
                case Happening.GONE:
                    self._went_on(place, self._due_us(place))
                    self._gone = True
                    self._answers.clear()
                    raise TransientTransportError(f"{self._name}: gone as at line {event.place} ({event.reason})")
                case Happening.OPENED | Happening.CLOSED:
                    pass  # the host opens and closes when it likes
        if self._answers:
            return b""
        raise TransientTransportError(f"{self._name}: the capture has been played to its end")

    def next_due_us(self) -> int | None:
        """Return when ``take``, or ``open`` while it is gone, has something to do; None if nothing is left."""
        if self._gone:
            opened = next(self._of(Happening.OPENED), None)
            return None if opened is None else self._due_us(opened)
        due = [due_us for due_us, _ in list(self._answers)[:1]]
        place = next((place for place in range(self._next, len(self._events)) if place not in self._done), None)
        if place is not None:
            turn_us = self._turn_us(place)
            due.append(self._base_us if turn_us is None else turn_us)
        return min(due) if due else None

    # --- time ---

    def _turn_us(self, place: int) -> int | None:
        """Return when an event has its turn; None if that is at once."""
        match self._events[place].what:
            case Happening.TO_DEVICE:
                return None if place in self._heard else self._due_us(place) + MISSING_AFTER_US
            case Happening.FROM_DEVICE | Happening.GONE:
                return self._due_us(place)
            case Happening.OPENED | Happening.CLOSED:
                return None

    def _due_us(self, place: int) -> int:
        return self._base_us + self._pause_us(self._events[place].at_us - self._base_at_us)

    def _pause_us(self, recorded_us: int) -> int:
        return int(recorded_us / self._speed) if self._speed else 0

    def _went_on(self, place: int, now_us: int) -> None:
        self._base_us = now_us
        self._base_at_us = self._events[place].at_us

    def _play(self, place: int) -> bytes:
        self.last = self._events[place]
        return self.last.data

    # --- what the host writes ---

    def _pass_over(self, place: int) -> None:
        """Go on behind a recorded write: it was heard, or is not waited for any longer."""
        self._written_at[self._events[place].data] = place
        if place in self._heard:
            self._went_on(place, max(self._base_us, self._heard.pop(place)))
            return
        self._went_on(place, self._due_us(place) + MISSING_AFTER_US)
        if place in self._overtaken:
            # The host has gone on without it, so the device is one that is asked: nobody waits for this answer.
            self._done.update(self._answers_to(place))
        else:
            self._differs(place, b"")

    def _unheard(self) -> Iterator[int]:
        return (
            place
            for place in self._of(Happening.TO_DEVICE)
            if place not in self._heard and place not in self._done
        )

    def _of(self, what: Happening) -> Iterator[int]:
        ahead = range(self._next, min(len(self._events), self._next + LOOK_AHEAD))
        return (place for place in ahead if self._events[place].what is what)

    def _answers_to(self, place: int) -> list[int]:
        """Return what the device said between this write and whatever came next."""
        answers: list[int] = []
        for after in range(place + 1, len(self._events)):
            if self._events[after].what is not Happening.FROM_DEVICE:
                break
            answers.append(after)
        return answers

    def _differs(self, expected: int | None, got: bytes) -> None:
        place = -1 if expected is None else expected
        if (place, got) in self._told or len(self.differences) >= DIFFERENCES_MAX:
            return
        self._told.add((place, got))
        event = None if expected is None else self._events[expected]
        self.differences.append(
            Difference(
                file=self._name,
                place=0 if event is None else event.place,
                expected=b"" if event is None else event.data,
                got=got,
            )
        )
