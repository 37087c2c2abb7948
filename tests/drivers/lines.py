"""Lines for tests: a table's wiring, a scripted protocol, and a record of what drivers tell."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from bridge.clock import SystemClock
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import TableEvent
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import (
    CardReading,
    DealerKeyInput,
    DeviceWiring,
    HoleCardReaderInput,
    IndicatorOutput,
    LockOutButton,
    LockOutput,
    WagerSensor,
)
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.drivers.backoff import RetryPolicy
from bridge.drivers.device_life import Observation
from bridge.drivers.line import Line, LineDevice
from bridge.wire.codec import Codec
from bridge.wire.errors import OrderError
from bridge.wire.messages import (
    FaultCause,
    FrameFault,
    InputChanged,
    Order,
    OutputReported,
    ReportLost,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.spec import DeviceSpec, ProtocolFamily, SerialSettings, Unit
from tests.transports.ports import eventually

HIDDEN_CARD = "4" + "100"
"""What a reader says for a card; put together here so that no line of source shows it."""

AT = Timestamp(1_700_000_000_000_000)
IMPATIENT = RetryPolicy(first_s=0.01, longest_s=0.02, blocked_first_s=0.01, presence_poll_s=0.005)

ACCEPTED_1 = Indicator(BettingPosition(1), Lamp.WAGER_ACCEPTED)
ROYAL_1 = Indicator(BettingPosition(1), Lamp.ROYAL_MATCH)
CROWN_1 = Indicator(BettingPosition(1), Lamp.CROWN_TREASURE)

WIRING = DeviceWiring(
    device=DeviceId("module"),
    inputs=(
        (1, WagerSensor(position=BettingPosition(1), wager=WagerKind.BLACKJACK)),
        (2, WagerSensor(position=BettingPosition(2), wager=WagerKind.BLACKJACK)),
        (3, LockOutButton()),
        (4, DealerKeyInput(key=DealerKey.COUNT_AGREED)),
        (5, HoleCardReaderInput()),
    ),
    outputs=(
        (1, IndicatorOutput(indicators=(ACCEPTED_1,))),
        (2, IndicatorOutput(indicators=(ROYAL_1, CROWN_1))),
        (3, LockOutput()),
    ),
)
READER_WIRING = DeviceWiring(device=DeviceId("reader"), card_readings=(CardReading.AS_DRAWN,))


SPEC = DeviceSpec(
    profile="scripted",
    title="A device of a test",
    protocol="scripted",
    serial=SerialSettings(),
    parameters={},
    card_codes={},
    inputs=8,
    outputs=8,
    examples=(),
)


def device(address: int = 1, wiring: DeviceWiring = WIRING) -> LineDevice:
    """Return a device at an address."""
    return LineDevice(device=wiring.device, unit=Unit(address=address, spec=SPEC), wiring=wiring)


class ScriptedCodec:
    """A protocol of one character a message, each for the unit at address 1.

    ``A`` answering, ``H`` answering with the lock-out button held, ``S`` silent, ``R`` refused, ``P`` a chip
    placed at position 1, ``B`` a chip placed and the button pressed in one look, ``L`` a report lost, ``J`` junk,
    ``N`` junk of nobody, ``?`` a unit that is not configured, ``!`` a bug. Orders leave as
    ``o<address>.<channel>=<0 or 1>;``.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self.woken = 0
        self.wakeup_us: int | None = None
        self._out = bytearray()

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:  # noqa: ARG002 - the contract
        return tuple(message for byte in data for message in _SCRIPT[chr(byte)]())

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        self.woken += 1
        if self.wakeup_us is not None and now_us >= self.wakeup_us:
            self.wakeup_us = None
            self._out += b"poll;"
        return ()

    def order(self, order: Order) -> None:
        assert isinstance(order, SetOutput)
        if order.channel == 99:
            raise OrderError("no output 99")
        if order.channel == 98:
            raise RuntimeError("a bug in the codec")
        self._out += f"o{order.address}.{order.channel}={order.active:d};".encode()

    def data_to_send(self, now_us: int) -> bytes:  # noqa: ARG002 - the contract
        out = bytes(self._out)
        self._out.clear()
        return out

    def next_wakeup(self) -> int | None:
        return self.wakeup_us

    def line_lost(self) -> tuple[WireMessage, ...]:
        return (UnitSilent(address=1, reason="the line is gone"),)


def _bug() -> tuple[WireMessage, ...]:
    raise KeyError(HIDDEN_CARD)


_SCRIPT: dict[str, Callable[[], tuple[WireMessage, ...]]] = {
    "A": lambda: (UnitAnswering(address=1, active_inputs=frozenset({2})),),
    "H": lambda: (UnitAnswering(address=1, active_inputs=frozenset({1, 3})),),
    "S": lambda: (UnitSilent(address=1, reason="no answer"),),
    "R": lambda: (UnitRefused(address=1, reason="output mode 1"),),
    "P": lambda: (InputChanged(address=1, channel=1, active=True),),
    "B": lambda: (
        InputChanged(address=1, channel=1, active=True),
        InputChanged(address=1, channel=3, active=True),
    ),
    "O": lambda: (OutputReported(address=1, channel=1, active=True),),
    "L": lambda: (ReportLost(address=1, reason="three presses are lost"),),
    "J": lambda: (FrameFault(address=1, cause=FaultCause.JUNK, reason="junk", raw=b"J"),),
    "N": lambda: (FrameFault(address=0, cause=FaultCause.CHECKSUM, reason="noise", raw=b"N"),),
    "?": lambda: (InputChanged(address=77, channel=1, active=True),),
    "!": _bug,
}


class Scripted:
    """The scripted protocol, and the codecs that drivers made of it."""

    def __init__(self) -> None:
        self.codecs: list[ScriptedCodec] = []

    def _codec(self, units: Sequence[Unit]) -> Codec:
        self.codecs.append(ScriptedCodec(units))
        return self.codecs[-1]

    def line(self, url: str = "pair://cable", *devices: LineDevice, name: str = "line") -> Line:
        """Return a line of the protocol."""
        family = ProtocolFamily(
            name="scripted",
            parameters={},
            reads_cards=False,
            addresses=range(1, 100),
            serial=SerialSettings(),
            codec=self._codec,
            explain=lambda raw, _: repr(raw),
        )
        return Line(name=name, url=url, serial=SerialSettings(), family=family, devices=devices or (device(),))


Seen = TypeVar("Seen", bound=Observation)


class Record:
    """Everything that drivers have told, and waiting for more of it."""

    def __init__(self, queue: asyncio.Queue[Observation]) -> None:
        self._queue = queue
        self._told: list[Observation] = []

    def told(self) -> list[Observation]:
        """Return everything so far, in order."""
        while not self._queue.empty():
            self._told.append(self._queue.get_nowait())
        return self._told

    def events(self) -> list[TableEvent]:
        """Return the events so far."""
        return [seen for seen in self.told() if not isinstance(seen, DeviceStatus)]

    def of(self, kind: type[Seen]) -> list[Seen]:
        """Return the observations of one kind so far."""
        return [seen for seen in self.told() if isinstance(seen, kind)]

    def states(self, device_name: str = "module") -> list[DeviceState]:
        """Return the states that a device went through, without repetition."""
        states = [status.state for status in self.of(DeviceStatus) if status.device == device_name]
        return [state for index, state in enumerate(states) if index == 0 or states[index - 1] is not state]

    def status(self, device_name: str = "module") -> DeviceStatus:
        """Return the last status of a device."""
        return [status for status in self.of(DeviceStatus) if status.device == device_name][-1]

    async def until(self, kind: type[Seen], condition: Callable[[Seen], bool] = lambda _: True) -> Seen:
        """Wait until an observation of a kind has been told; return the first."""
        found: list[Seen] = []

        def there() -> bool:
            found.extend(seen for seen in self.of(kind) if condition(seen))
            return bool(found)

        await eventually(there)
        return found[0]

    def forget(self) -> None:
        """Start afresh: what was told until now is of no interest."""
        self.told().clear()


@asynccontextmanager
async def background(*runs: Callable[[], Coroutine[object, object, object]]) -> AsyncIterator[None]:
    """Run drivers beside a test, and cancel them at its end."""
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(run(), name="driver of a test") for run in runs]
        yield
        for task in started:
            task.cancel()


class StoppedClock(SystemClock):
    """Wall time that stands still, so that events can be compared; a test may jump ahead in the other one."""

    def __init__(self) -> None:
        self.ahead_us = 0

    def monotonic_us(self) -> int:
        return super().monotonic_us() + self.ahead_us

    def wall(self) -> Timestamp:
        return AT
