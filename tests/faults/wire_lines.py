"""One device of an installed profile at the end of a bad cable, and the real driver at the other end."""

import fcntl
import sys
import termios
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bridge.domain.commands import SetLock
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import LockReported
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import CardReading, DeviceWiring, IndicatorOutput, LockOutput, WagerSensor
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.drivers.device_life import DEGRADED_WITHIN_US
from bridge.drivers.driver import OpenPort
from bridge.drivers.fleet import Fleet
from bridge.drivers.line import Line, LineDevice
from bridge.transports import Transport
from bridge.transports.byte_stream import ByteStream
from bridge.wire.codec import Codec
from bridge.wire.messages import CardNotRead, Order, WireMessage
from bridge.wire.spec import SerialSettings, Unit, reads_cards
from simulators.device import Reaction
from simulators.port import Port, hosted
from simulators.pty_port import PtyPort
from simulators.trouble import Trouble
from tests.drivers.lines import IMPATIENT, Record, StoppedClock, background
from tests.transports.ports import eventually
from tests.whole_table import PairPort
from tests.wire.subjects import Subject, subject

DEVICE = DeviceId("device")
SEED = 20_261_130


class ListenedCodec:
    """A codec whose every message is noted."""

    def __init__(self, codec: Codec, heard: list[WireMessage]) -> None:
        self._codec = codec
        self._heard = heard
        self.order = codec.order
        self.data_to_send = codec.data_to_send
        self.next_wakeup = codec.next_wakeup

    def receive_data(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        return self._noted(self._codec.receive_data(data, now_us))

    def wake(self, now_us: int) -> tuple[WireMessage, ...]:
        return self._noted(self._codec.wake(now_us))

    def line_lost(self) -> tuple[WireMessage, ...]:
        return self._noted(self._codec.line_lost())

    def _noted(self, messages: tuple[WireMessage, ...]) -> tuple[WireMessage, ...]:
        self._heard += messages
        return messages


class BadLine:
    """What happens at the device, what is wrong with its cable, and what the bridge makes of it."""

    locked = False
    """Whether the lock is engaged, so that an acceptor is not let in and hands every coin back."""

    def __init__(
        self,
        there: Subject,
        trouble: Trouble,
        *,
        port: Port,
        fleet: Fleet,
        heard: list[WireMessage],
        clock: StoppedClock,
    ) -> None:
        self.there = there
        self.port = port
        self.trouble = trouble
        self.fleet = fleet
        self.heard = heard
        self._clock = clock
        self.record = Record(fleet.observations)
        self.was_unlocked = False
        """Whether the lock output of the device was ever off since ``watch_lock``."""

    @property
    def state(self) -> DeviceState:
        statuses = self.record.of(DeviceStatus)
        return statuses[-1].state if statuses else DeviceState.OPENING

    def faults(self) -> int:
        """Return how many faults the status of the device counts."""
        statuses = self.record.of(DeviceStatus)
        return sum(count for _, count in statuses[-1].faults) if statuses else 0

    async def until_ready(self) -> None:
        """Wait until the device answers, and give the orders without which nothing happens.

        The time for which it must be sound, before it counts as ready again, passes at once.
        """

        def is_ready() -> bool:
            if self.state is DeviceState.DEGRADED:
                self._let_pass(DEGRADED_WITHIN_US)
            return self.state is DeviceState.READY

        await eventually(is_ready)
        if not self.locked:
            self.order(*self.there.first_orders)

    async def until_counted(self, before: int = 0) -> None:
        """Wait until more faults are counted than before, or a scanner's line is told to be no card."""
        await eventually(lambda: self.faults() > before or any(isinstance(one, CardNotRead) for one in self.heard))

    def touch(self) -> None:
        """Let the next thing happen, whether or not anybody can be told."""
        self.order(*self.there.touch())

    async def told(self) -> None:
        """Let the next thing happen and wait until it is told; an acceptor hands coins back until it is let in."""
        if self.locked:
            self.touch()
            return
        await eventually(lambda: self.there.is_settled(self.heard))
        since = len(self.heard)
        happened = len(self.there.happened)

        def has_happened() -> bool:
            if len(self.there.happened) == happened:
                self.touch()
            return len(self.there.happened) > happened

        await eventually(has_happened)
        await eventually(lambda: self.there.is_told(self.heard[since:]))

    async def until_heard_out(self) -> None:
        """Wait until the driver has taken all that was said: at a real port that is later than it is said."""

        def is_heard_out() -> bool:
            ((_, driver, _),) = self.fleet._lines
            stream = driver._transport
            return not unread_in(self.port) and not (isinstance(stream, ByteStream) and len(stream._mailbox))

        await eventually(is_heard_out)

    def calm(self) -> None:
        """Let the cable be sound, and as much time pass as the device leaves between two frames at a table."""
        self.trouble.calm()
        self._let_pass(self.there.pause_us)

    def _let_pass(self, time_us: int) -> None:
        self._clock.ahead_us += time_us
        self.order()

    def order(self, *orders: Order) -> None:
        ((_, driver, _),) = self.fleet._lines
        driver.order(orders)

    def watch_lock(self) -> None:
        """Note whether the lock output is ever off from now on."""
        (device,) = self.there.devices.values()
        channel = lock_channel(self.there.unit)

        def look() -> None:
            self.was_unlocked = self.was_unlocked or channel not in device.outputs.active

        device.outputs.also_notify(Reaction(look))

    async def engage_lock(self) -> None:
        """Engage the lock, and see it engaged."""
        self.locked = True
        self.there.reserved = lock_channel(self.there.unit)
        self.fleet.perform(SetLock(engaged=True))
        await self.record.until(LockReported, lambda event: event.engaged)


def unread_in(port: Port) -> int:
    """Return how many bytes wait in a pseudo-terminal for whoever has it open."""
    if not isinstance(port, PtyPort) or port._ends is None:
        return 0
    _, theirs = port._ends
    return int.from_bytes(fcntl.ioctl(theirs, termios.FIONREAD, bytes(4)), sys.byteorder)


def has_lock(unit: Unit) -> bool:
    """Say whether a model has an output that a lock can be wired to: one that is read back."""
    return unit.spec.outputs > 0 and unit.spec.protocol != "xkeys"


def lock_channel(unit: Unit) -> int:
    return min(unit.spec.outputs, 3)


def _wiring(unit: Unit, *, locked: bool) -> DeviceWiring:
    lamp = IndicatorOutput(indicators=(Indicator(BettingPosition(1), Lamp.WAGER_ACCEPTED),))
    channel = lock_channel(unit)
    lock: Sequence[tuple[int, LockOutput]] = ((channel, LockOutput()),) if locked else ()
    return DeviceWiring(
        device=DEVICE,
        inputs=tuple(
            (number, WagerSensor(position=BettingPosition(number), wager=WagerKind.BLACKJACK))
            for number in range(1, min(unit.spec.inputs, 2) + 1)
        ),
        outputs=(*(((1, lamp),) if unit.spec.outputs and not locked else ()), *lock),
    )


@asynccontextmanager
async def bad_line(
    profile: str, *, locked: bool = False, make_port: Callable[[Subject, Trouble], Port] | None = None
) -> AsyncIterator[BadLine]:
    """Join the device of a profile to a driver: in memory, or at whatever port is made for it."""
    there = subject(profile)
    spec = there.unit.spec
    trouble = Trouble(seed=SEED, baud=spec.serial.baud, protocol=spec.protocol)
    heard: list[WireMessage] = []
    clock = StoppedClock()
    family = replace(there.family, codec=lambda units: ListenedCodec(there.family.codec(units), heard))
    port = make_port(there, trouble) if make_port else PairPort(there.line, profile, trouble.cables)
    wiring = _wiring(there.unit, locked=locked)
    if reads_cards(there.family, spec):
        wiring = replace(wiring, card_readings=(CardReading.AS_DRAWN,))
    device = LineDevice(device=DEVICE, unit=there.unit, wiring=wiring)
    line = Line(name=profile, url=port.url, serial=spec.serial, family=family, devices=(device,))
    async with hosted(port):
        if isinstance(port, PairPort):
            fleet = Fleet([line], clock, open_port=_opens(port), policy=IMPATIENT, seed=1)
        else:
            fleet = Fleet([line], clock, policy=IMPATIENT, seed=1)
        async with background(fleet.run):
            yield BadLine(there, trouble, port=port, fleet=fleet, heard=heard, clock=clock)


def _opens(port: PairPort) -> OpenPort:
    async def open_port(_url: str, _settings: SerialSettings) -> Transport:
        return port.open()

    return open_port
