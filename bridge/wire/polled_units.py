"""A line of units that speak only when asked: what its codec does, whatever the protocol.

The units are polled in turn; orders go out before the next poll, and are read back at once. What one unit
is asked next and what its answers mean is the protocol's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, Protocol, TypeVar, assert_never

from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import FrameFault, Order, SetOutput, WireMessage
from bridge.wire.orders import refusal
from bridge.wire.polling import Answered, LineTiming, PolledLine, Request, Unanswered
from bridge.wire.spec import ParameterRule, Unit
from bridge.wire.unit_service import UnitService

REPLY_TIMEOUT = ParameterRule(
    default=50,
    meaning="how long a unit may take to answer, time on the line not counted",
    minimum=1,
    maximum=10_000,
)
RETRIES = ParameterRule(
    default=2,
    meaning="requests in a row without a usable answer until a unit is silent; writes that do not read "
    "back until an output has failed",
    minimum=1,
    maximum=20,
)
SILENT_POLL = ParameterRule(
    default=250,
    meaning="time until a silent unit is asked again, up to four times as long when it stays silent",
    minimum=1,
    maximum=60_000,
)
QUIET = ParameterRule(
    default=5, meaning="silence on the line after which unasked bytes have ended", minimum=1, maximum=1000
)
READ_BACK = ParameterRule(
    default=500, meaning="time between two read-backs of outputs that nobody wrote", minimum=10, maximum=60_000
)


class Urgency(IntEnum):
    """What goes first when the line is free; among equals, what has been due for longest."""

    WRITE = 0
    VERIFY = 1
    CONFIRM = 2
    """A poll that settles whether an input has changed."""
    ROUND = 3


K_co = TypeVar("K_co", covariant=True)
K = TypeVar("K")
R = TypeVar("R", bound=Request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Want(Generic[K_co]):
    """Something that a unit is to be asked, and from when on."""

    urgency: Urgency
    at_us: int
    question: K_co


class PolledUnit(Protocol[R, K]):
    """One unit on the line. Its questions are of kinds ``K``, its requests ``R``."""

    @property
    def address(self) -> int:
        """Where the unit is on the line."""

    @property
    def service(self) -> UnitService:
        """Whether the unit is in service."""

    def order(self, order: SetOutput) -> None:
        """Take an order; raise ``OrderError`` for an output that the unit has not."""

    def wants(self) -> Iterator[Want[K]]:
        """Say what the unit is to be asked next; at least one thing, at some time."""

    def ask(self, want: Want[K], now_us: int) -> R:
        """Return the request for what is wanted, or another one that has to come first."""

    def answered(self, answer: Answered[R], now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a request; return what is new."""

    def unanswered(self, outcome: Unanswered[R], now_us: int) -> tuple[WireMessage, ...]:
        """Take that a request got no answer, or none that can be understood."""

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Go out of service with the line; be asked at once when it is back."""


class PolledUnits(Generic[R, K]):
    """The bridge's end of a line of polled units: a ``Codec``."""

    def __init__(self, units: Sequence[PolledUnit[R, K]], timing: LineTiming, limit: int) -> None:
        """Take the units; raise ``LineSetupError`` if there is none, or two have one address."""
        self._units = {unit.address: unit for unit in units}
        if not units or len(self._units) != len(units):
            raise LineSetupError("a line needs at least one unit, and no two with the same address")
        self._line: PolledLine[R] = PolledLine(timing, limit)
        self._silent_from_us = 0

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        """Take bytes that arrived; return what they complete."""
        return self._messages(self._line.receive(data, now_us), now_us)

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        """Let time pass: requests without an answer are given up."""
        return self._messages(self._line.wake(now_us), now_us)

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` if no unit of the line can carry it out."""
        unit = self._units.get(order.address)
        if unit is None:
            raise OrderError(f"no unit {order.address} on this line; it has {', '.join(map(str, self._units))}")
        if not isinstance(order, SetOutput):
            raise refusal(order, f"unit {order.address}")
        unit.order(order)

    def data_to_send(self, now_us: int) -> bytes:
        """Return the next request, if the line is free and something is due."""
        free_us = self._line.free_at()
        if free_us is None or free_us > now_us:
            return b""
        due = [(want.urgency, at_us, unit, want) for at_us, unit, want in self._wants() if at_us <= now_us]
        if not due:
            return b""
        _, _, unit, want = min(due, key=lambda entry: entry[:2])
        if unit.service.known_to_be_out:
            self._silent_from_us = now_us + unit.service.silent_us
        return self._line.ask(unit.ask(want, now_us), now_us)

    def next_wakeup(self) -> int | None:
        """Return when something falls due; never None, since the units must be asked."""
        wakeup_us = self._line.next_wakeup()
        free_us = self._line.free_at()
        if free_us is None:
            return wakeup_us
        due_us = max(free_us, min(at_us for at_us, _, _ in self._wants()))
        return due_us if wakeup_us is None else min(due_us, wakeup_us)

    def line_lost(self) -> tuple[WireMessage, ...]:
        """Forget everything in flight; orders stay, and are carried out when the units are back."""
        self._line.reset()
        self._silent_from_us = 0
        return tuple(message for unit in self._units.values() for message in unit.line_lost())

    def _wants(self) -> list[tuple[int, PolledUnit[R, K], Want[K]]]:
        """List what the units want, and when: all those that do not answer share one pace, to spare the others."""
        return [
            (max(want.at_us, self._silent_from_us) if unit.service.waits_to_be_asked else want.at_us, unit, want)
            for unit in self._units.values()
            for want in unit.wants()
        ]

    def _messages(
        self, outcomes: Sequence[Answered[R] | Unanswered[R] | FrameFault], now_us: int
    ) -> tuple[WireMessage, ...]:
        messages: list[WireMessage] = []
        for outcome in outcomes:
            match outcome:
                case Answered():
                    messages += self._units[outcome.request.address].answered(outcome, now_us)
                case Unanswered():
                    messages += self._units[outcome.request.address].unanswered(outcome, now_us)
                case FrameFault():
                    messages.append(outcome)
                case _:
                    assert_never(outcome)
        return tuple(messages)


def line_timing(units: Sequence[Unit], *, gap_us: int = 0, quiet_us: int | None = None) -> LineTiming:
    """Return the times of a line; the most patient value where the models on it differ."""

    def longest_us(parameter: str) -> int:
        return max((int(unit.spec.parameters[parameter]) for unit in units), default=0) * 1000

    return LineTiming(
        character_us=max((unit.spec.serial.character_us for unit in units), default=0),
        reply_timeout_us=longest_us("reply_timeout_ms"),
        quiet_us=longest_us("quiet_ms") if quiet_us is None else quiet_us,
        gap_us=gap_us,
    )
