"""One line: its port, its codec, and the lives of its devices.

The driver keeps the line alive for as long as the bridge runs. A port that is not there, or goes away,
is a state and not an end; an error nobody thought of closes the port and starts again.
"""

import asyncio
import logging
import random
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import NoReturn

from bridge.clock import US_PER_S, Clock
from bridge.domain.errors import BridgeError
from bridge.domain.identity import Timestamp
from bridge.drivers.backoff import RetryPolicy, backoff
from bridge.drivers.device_life import DeviceLife, Observation
from bridge.drivers.line import Line
from bridge.drivers.lock_out import HeldButtons, presses_first
from bridge.drivers.translation import table_events
from bridge.transports import Transport, open_transport
from bridge.transports.errors import PermanentTransportError, TransportError
from bridge.transports.presence import look
from bridge.wire.codec import Codec
from bridge.wire.messages import FrameFault, Order, ReportLost, UnitAnswering, UnitRefused, UnitSilent, WireMessage
from bridge.wire.orders import subject
from bridge.wire.spec import SerialSettings

_log = logging.getLogger(__name__)

OpenPort = Callable[[str, SerialSettings], Awaitable[Transport]]
"""``open_transport``, or what a test puts in its place."""


class LineDriver:
    """Runs one line. Events and statuses of its devices go into ``observations``, waiting while that is full."""

    def __init__(
        self,
        line: Line,
        *,
        clock: Clock,
        observations: asyncio.Queue[Observation],
        open_port: OpenPort = open_transport,
        policy: RetryPolicy | None = None,
        rng: random.Random | None = None,
    ) -> None:
        """Take a line; raises ``BridgeError`` if its devices cannot share one."""
        self._line = line
        self._clock = clock
        self._observations = observations
        self._open_port = open_port
        self._policy = policy or RetryPolicy()
        self._rng = rng or random.Random()  # noqa: S311 - spreads retries, guards nothing
        self._devices = {device.unit.address: device for device in line.devices}
        self._lives = {device.unit.address: DeviceLife(device, line.url) for device in line.devices}
        self._buttons = HeldButtons(self._devices)
        self._buttons_anew = False
        self._orders: dict[tuple[int, int | str], Order] = {}
        self._codec = self._new_codec()
        self._transport: Transport | None = None
        self._alarm: asyncio.Timeout | None = None
        self._order_error: Exception | None = None
        self._silent_since_us = 0
        self._reason_logged = ""
        self._seen = look(line.full_url)
        self._delays = self._new_delays()
        self._blocked_delays = self._new_blocked_delays()

    def order(self, orders: Iterable[Order]) -> None:
        """Order something of this line. Never raises, never waits; bytes leave in this call if the line is free.

        The last order about something holds, also for a device that is not there now.
        """
        try:
            for order in orders:
                self._order_one(order)
            if self._transport is not None:
                self._transport.write(self._codec.data_to_send(self._clock.monotonic_us()))
        except Exception as error:  # noqa: BLE001 - the caller's table goes on; the session ends with this error
            self._order_error = error
        self._reset_alarm()

    def _order_one(self, order: Order) -> None:
        try:
            self._codec.order(order)
        except BridgeError as error:
            _log.error("line %s: order refused: %s", self._line.name, error)
        else:
            self._orders[subject(order)] = order

    def look_at_buttons_anew(self) -> None:
        """Let a lock-out button that is held down lock the round that has just opened. Never raises or waits."""
        self._buttons_anew = True
        self._reset_alarm()

    async def run(self) -> NoReturn:
        """Keep the line alive until cancelled."""
        at = self._clock.wall()
        await self._tell(seen for life in self._lives.values() for seen in life.opening(at))
        while True:
            self._seen = look(self._line.full_url)
            try:
                transport = await self._open_port(self._line.full_url, self._line.serial)
            except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the line
                await self._lose(error)
                await self._pause(error)
            else:
                await self._serve(transport)

    async def _serve(self, transport: Transport) -> None:
        """Use an open port until it fails, or until nobody has answered for long; then wait, if waiting helps."""
        failures: list[Exception] = []
        try:
            await self._use(transport)
        except Exception as error:  # noqa: BLE001 - as above
            # Before the port is closed, which may take its time: a lost device locks the table.
            await self._lose(error)
            failures.append(error)
        finally:
            self._transport = None
            await self._close(transport)
        for failure in failures:
            await self._pause(failure)

    async def _use(self, transport: Transport) -> None:
        self._silent_since_us = self._clock.monotonic_us()
        self._transport = transport
        at = self._clock.wall()
        await self._tell(seen for life in self._lives.values() for seen in life.probing(at))
        data = b""
        while True:
            if self._order_error is not None:
                order_error, self._order_error = self._order_error, None
                raise order_error
            now_us = self._clock.monotonic_us()
            if self._any_ready():
                self._silent_since_us = now_us
            messages = (*(self._codec.receive_data(data, now_us) if data else ()), *self._codec.wake(now_us))
            transport.write(self._codec.data_to_send(now_us))
            await self._tell(self._observe(messages, now_us))
            if self._is_dead(now_us):
                _log.warning("line %s: no device answers; the port is opened anew", self._line.name)
                self._forget_line()
                return
            data = await self._arriving(transport)

    async def _arriving(self, transport: Transport) -> bytes:
        """Return bytes as they arrive, or none when something else has fallen due."""
        try:
            async with asyncio.timeout(self._wait_s()) as self._alarm:
                return await transport.read()
        except TimeoutError:
            # A loop that was held up finds bytes and alarm together. An answer that is there did come in time.
            return await _read_at_once(transport)
        finally:
            self._alarm = None

    def _reset_alarm(self) -> None:
        """Let the waiting loop wait for what is due now: an order may have changed it."""
        if self._alarm is not None and not self._alarm.expired():
            now_s = asyncio.get_running_loop().time()
            wait_s = self._wait_s()
            self._alarm.reschedule(None if wait_s is None else now_s + wait_s)

    def _wait_s(self) -> float | None:
        if self._order_error is not None or self._buttons_anew:
            return 0
        due = [life.faults_due_us for life in self._lives.values()]
        due.append(self._codec.next_wakeup())
        if not self._any_ready():
            due.append(self._dead_at_us())
        times = [time_us for time_us in due if time_us is not None]
        return max(0, min(times) - self._clock.monotonic_us()) / US_PER_S if times else None

    # --- what messages mean ---

    def _observe(self, messages: Iterable[WireMessage], now_us: int) -> Iterator[Observation]:
        at = self._clock.wall()
        for message in presses_first(messages, self._devices):
            self._buttons.observe(message)
            yield from self._meaning(message, now_us, at)
        if self._buttons_anew:
            self._buttons_anew = False
            yield from self._held_buttons(at)
        for life in self._lives.values():
            yield from life.due_faults(now_us, at)

    def _held_buttons(self, at: Timestamp) -> Iterator[Observation]:
        for press in self._buttons.pressed_again(at):
            _log.warning("line %s: the lock-out button is held down; no wagers till it is let go", self._line.name)
            yield press

    def _meaning(self, message: WireMessage, now_us: int, at: Timestamp) -> Iterator[Observation]:
        life = self._lives.get(message.address)
        match message:
            case FrameFault(cause=cause):
                # Junk that nobody in particular sent is counted for everybody on the line: it is the cable's.
                for noisy in self._lives.values() if life is None else (life,):
                    noisy.count(cause, now_us)
            case _ if life is None:
                _log.debug("line %s: nothing is configured at address %d", self._line.name, message.address)
            case UnitAnswering():
                ready, after_levels = life.answering(at)
                self._recovered()
                yield ready
                yield from table_events(message, self._devices[message.address], at)
                yield from after_levels
            case UnitSilent(reason=reason) | UnitRefused(reason=reason):
                yield from life.silent(reason, at)
            case ReportLost(reason=reason):
                # Also of a device whose role has no event for it: a key has none.
                _log.warning("line %s: %s", self._line.name, reason)
                yield from table_events(message, self._devices[message.address], at)
            case _:
                yield from table_events(message, self._devices[message.address], at)

    async def _tell(self, observations: Iterable[Observation]) -> None:
        for observation in observations:
            await self._observations.put(observation)

    # --- losing the line, and getting it back ---

    async def _lose(self, error: Exception) -> None:
        """Tell what has happened to the devices, once, and make the codec ready for another start."""
        self._transport = None
        name = self._line.name
        if isinstance(error, TransportError):
            reason = str(error)
            self._forget_line()
        else:
            reason = f"the driver of line {name} failed ({type(error).__name__}) and starts again; see the log"
            self._log_unexpected(error)
            self._codec = self._new_codec()
        if reason != self._reason_logged:
            self._reason_logged = reason
            _log.warning("line %s: %s", name, reason)
        at = self._clock.wall()
        blocked = isinstance(error, PermanentTransportError)
        await self._tell(
            seen for life in self._lives.values() for seen in life.absent(reason, at, blocked=blocked)
        )

    def _forget_line(self) -> None:
        """Let the codec forget what is in flight. What it says of that is no news: its devices are lost by now."""
        try:
            self._codec.line_lost()
        except Exception as error:  # noqa: BLE001 - a codec that fails is replaced like one that failed before
            self._log_unexpected(error)
            self._codec = self._new_codec()

    async def _close(self, transport: Transport) -> None:
        try:
            await transport.close()
        except Exception as error:  # noqa: BLE001 - a port that cannot be closed is tried again like any other
            self._log_unexpected(error)

    async def _pause(self, error: Exception) -> None:
        blocked = isinstance(error, PermanentTransportError)
        delay_s = next(self._blocked_delays if blocked else self._delays)
        # Never at once: a device that comes and goes must not keep the machine busy.
        await asyncio.sleep(min(delay_s, self._policy.presence_poll_s))
        with suppress(TimeoutError):
            async with asyncio.timeout(delay_s - self._policy.presence_poll_s):
                while look(self._line.full_url) == self._seen:  # noqa: ASYNC110 - a port that appears sets no event
                    await asyncio.sleep(self._policy.presence_poll_s)
                self._delays = self._new_delays()
                self._blocked_delays = self._new_blocked_delays()

    def _recovered(self) -> None:
        if self._reason_logged:
            _log.info("line %s: answers again", self._line.name)
        self._reason_logged = ""
        self._delays = self._new_delays()
        self._blocked_delays = self._new_blocked_delays()

    def _any_ready(self) -> bool:
        return any(life.ready for life in self._lives.values())

    def _dead_at_us(self) -> int:
        return self._silent_since_us + int(self._policy.reopen_silent_s * US_PER_S)

    def _is_dead(self, now_us: int) -> bool:
        return not self._any_ready() and now_us >= self._dead_at_us()

    def _new_codec(self) -> Codec:
        codec = self._line.family.codec([device.unit for device in self._line.devices])
        for order in self._orders.values():
            codec.order(order)
        return codec

    def _new_delays(self) -> Iterator[float]:
        return backoff(self._policy.first_s, self._policy.longest_s, self._rng)

    def _new_blocked_delays(self) -> Iterator[float]:
        return backoff(self._policy.blocked_first_s, self._policy.longest_s, self._rng)

    def _log_unexpected(self, error: Exception) -> None:
        # Where, but not what: the text of the error may hold what a reader sent, perhaps a hidden card (T48).
        _log.error(
            "line %s: unexpected %s; the port is closed and opened again\n%s",
            self._line.name,
            type(error).__name__,
            "".join(traceback.format_tb(error.__traceback__)),
        )


async def _read_at_once(transport: Transport) -> bytes:
    """Return what has arrived already; none if that is nothing."""
    with suppress(TimeoutError):
        async with asyncio.timeout(0):
            return await transport.read()
    return b""
